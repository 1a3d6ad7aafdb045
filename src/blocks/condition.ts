import { Type } from "@sinclair/typebox";
import { defineBlock } from "../interpreter/block.ts";
import { conditionSchema, judge } from "../interpreter/condition.ts";
import { onward, type StepLog } from "../interpreter/outcome.ts";
import { textOption } from "./options.ts";

const schema = Type.Object({
  items: Type.Optional(
    Type.Array(
      Type.Object({
        content: Type.Optional(conditionSchema),
        outgoingEdgeId: textOption("Where the flow goes on when this condition holds; absent: it stops here."),
      }),
      { description: "Conditions, tried in order: the first that holds is taken." },
    ),
  ),
});

/** Chooses a path by what variables hold. */
export const condition = defineBlock({
  type: "Condition",
  family: "logic",
  summary:
    "Takes the path of the first condition that holds, else the block's own edge, else goes on with the next block.",
  schema,
  run(block, view) {
    const logs: StepLog[] = [];
    for (const { content, outgoingEdgeId } of block.items ?? []) {
      const judgement = judge(content ?? {}, view);
      logs.push(...judgement.logs);
      if (!judgement.holds) continue;
      // A condition that holds and leads nowhere is a dead end; flows depend on it.
      return outgoingEdgeId === undefined ? { kind: "stop", logs } : { kind: "leave", edgeId: outgoingEdgeId, logs };
    }
    return { ...onward(block), logs };
  },
  examples: [
    {
      title: "Where no condition holds, the flow goes on.",
      block: {
        items: [
          {
            id: "adult",
            content: { comparisons: [{ variableId: "v_Age", comparisonOperator: "Greater than", value: "17" }] },
          },
        ],
      },
      variables: { Age: "12" },
      expect: { messages: [], actions: [] },
    },
    {
      title: "A regular expression that cannot be read never holds, and the result's log says so.",
      block: {
        items: [
          {
            id: "bad",
            content: { comparisons: [{ variableId: "v_Name", comparisonOperator: "Matches regex", value: "(" }] },
          },
        ],
      },
      variables: { Name: "Ana" },
      expect: { messages: [], actions: [] },
    },
  ],
});
