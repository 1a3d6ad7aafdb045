import type { Answer } from "../../api/index.ts";

export type Result = Answer<"GET /api/v1/bots/:botId/results">["results"][number];

/** A question of the flow, as the table and the sheet of a result call it. */
export type Question = { readonly blockId: string; readonly label: string };

type Parts = {
  readonly groups: readonly { readonly title?: unknown; readonly blocks?: unknown }[];
  readonly variables: readonly { readonly id?: unknown; readonly name?: unknown }[];
};

/** The inputs of a flow in its order, each under the name of its variable, or of its group. */
export function questionsOf({ groups, variables }: Parts): readonly Question[] {
  const names = new Map(variables.map(({ id, name }) => [id, name]));
  return groups.flatMap(({ title, blocks }) =>
    (Array.isArray(blocks) ? blocks : []).filter(isInput).map(({ id, options }) => {
      const name = names.get(options?.variableId);
      return { blockId: id, label: typeof name === "string" ? name : typeof title === "string" ? title : id };
    }),
  );
}

/** What was answered to a question: the last answer, since a question may be asked again. */
export function answerTo({ answers }: Pick<Result, "answers">, blockId: string): string {
  const answer = answers.findLast((one) => one.blockId === blockId);
  if (!answer) return "";
  return [...answer.attachedFileUrls, answer.content].filter((part) => part !== "").join("\n");
}

export type State = "completed" | "started" | "viewed";

export function stateOf({ isCompleted, hasStarted }: Pick<Result, "isCompleted" | "hasStarted">): State {
  if (isCompleted) return "completed";
  return hasStarted ? "started" : "viewed";
}

type InputBlock = { readonly id: string; readonly options?: { readonly variableId?: unknown } | undefined };

function isInput(block: unknown): block is InputBlock {
  if (typeof block !== "object" || block === null || !("type" in block) || !("id" in block)) return false;
  return typeof block.id === "string" && typeof block.type === "string" && / input$/.test(block.type);
}
