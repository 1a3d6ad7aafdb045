import type { TObject, TSchema } from "@sinclair/typebox";
import { itemsOf } from "../../interpreter/program/ways.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";
import { eventWrites } from "../variables.ts";

export const unkeptAnswer: Rule = {
  name: "unkept_answer",
  severity: "info",
  about:
    "An input saves its answer in no variable, and all answers follow the same path, so the answer appears only in the results and does not change the flow. Inputs with a single button are not reported. There is one finding for all such inputs of the flow, at the first input.",
  advice: "Choose a variable for the answer if the flow should use it.",
  together: (count) =>
    `No variable stores the answers of ${count} questions, and the flow does not use them; this is the first question.`,
  *find({ flow, blocks, graph, references, registry }) {
    for (const { field } of eventWrites(flow)) if (field === "contentVariableId") return;
    for (const linted of blocks) {
      const { block, node } = linted;
      const isQuestion = registry.get(block.type)?.input !== undefined && graph.reachable.has(node);
      if (!isQuestion || itemsOf(block).length === 1) continue;
      const said = references[node];
      const takesVariable = said !== undefined && hasAnswerVariable(registry.get(block.type)?.schema);
      if (!takesVariable || said.writes.length > 0) continue;
      const targets = new Set((graph.steps[node] ?? []).map(({ to }) => to[0]));
      if (targets.size !== 1) continue;
      yield { ...placeIn(linted), message: "No variable stores this answer, and the flow does not use it." };
    }
  },
};

/** Whether the visitor's answer can be stored in a variable. A payment provider's report is not an answer. */
function hasAnswerVariable(schema: TObject | undefined): boolean {
  const options: TSchema | undefined = schema?.properties["options"];
  const fields: object = options?.["properties"] ?? {};
  return "variableId" in fields && !("credentialsId" in fields);
}
