import { Type } from "@sinclair/typebox";
import { conditionSchema, evaluateCondition } from "../../interpreter/evaluation/condition.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import { continueAfter, type StepLog } from "../../interpreter/program/outcome.ts";
import { itemsOf, wayOfItem } from "../../interpreter/program/ways.ts";
import { drawn } from "../../interpreter/schemas/form-layout.ts";
import { marked, option, titled } from "../options.ts";

const schema = Type.Object({
  items: marked(
    { title: "Conditions", help: "The chat follows the first condition that is true." },
    option.list("Conditions, evaluated in order. The chat follows the first condition that is true.", {
      content: titled("Condition", Type.Optional(conditionSchema)),
      outgoingEdgeId: option.leadsTo("Id of the edge to follow if this condition is true. Without it, the flow stops."),
    }),
  ),
});

export const condition = defineLogic({
  type: "Condition",
  summary:
    "Follows the edge of the first condition that is true. If no condition is true, follows the block's own edge or continues with the next block.",
  schema,
  run(block, view) {
    const logs: StepLog[] = [];
    for (const { content, outgoingEdgeId } of block.items ?? []) {
      const judgement = evaluateCondition(content ?? {}, view);
      logs.push(...judgement.logs);
      if (!judgement.holds) continue;
      // Without an edge, the flow stops at the condition. Existing flows depend on this behaviour.
      return outgoingEdgeId === undefined ? { kind: "stop", logs } : { kind: "leave", edgeId: outgoingEdgeId, logs };
    }
    return { ...continueAfter(block), logs };
  },
  ways: (stored) => ({
    waits: false,
    ways: [...itemsOf(stored).map((item) => wayOfItem(item, "stop")), { kind: "on" }],
  }),
  editor: {
    name: "Condition",
    icon: "git-fork",
    words: ["if", "else", "branch", "compare", "filter", "rule"],
    row: ["{items}"],
    form: [drawn("items", "branches")],
    items: "branches",
    related: ["AB test"],
  },
  examples: [
    {
      title: "The chat follows the first condition that is true.",
      block: {
        items: [
          { id: "child", outgoingEdgeId: "young", content: { comparisons: [ageIs("12", "Less or equal to")] } },
          { id: "adult", outgoingEdgeId: "grown-up", content: { comparisons: [ageIs("17", "Greater than")] } },
        ],
      },
      variables: { Age: "31" },
      expect: { messages: [{ id: "grown-up" }] },
    },
    {
      title: "If no condition is true, the flow follows the block's own edge.",
      block: {
        outgoingEdgeId: "otherwise",
        items: [{ id: "adult", outgoingEdgeId: "grown-up", content: { comparisons: [ageIs("17", "Greater than")] } }],
      },
      variables: { Age: "12" },
      expect: { messages: [{ id: "otherwise" }] },
    },
    {
      title: "A condition that is true and has no edge ends the flow.",
      block: {
        outgoingEdgeId: "otherwise",
        items: [{ id: "adult", content: { comparisons: [ageIs("17", "Greater than")] } }],
      },
      variables: { Age: "31" },
      expect: { messages: [] },
    },
  ],
});

function ageIs(value: string, comparisonOperator: string) {
  return { id: "age", variableId: "v_Age", comparisonOperator, value };
}
