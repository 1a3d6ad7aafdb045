import { expect, test } from "bun:test";
import type { FlowBlock } from "../../../../src/core/interpreter/flow.ts";
import { type Ways, waysOfChoice } from "../../../../src/core/interpreter/program/ways.ts";

const items = [
  { id: "yes", content: "Yes", outgoingEdgeId: "e1" },
  { id: "no", content: "No" },
];

test.each<[string, Partial<FlowBlock>, boolean, Ways["ways"]]>([
  [
    "one choice",
    { items },
    false,
    [
      { kind: "edge", edgeId: "e1", at: "items[0]", itemId: "yes" },
      { kind: "on", at: "items[1]", itemId: "no" },
    ],
  ],
  ["several choices", { items, options: { isMultipleChoice: true } }, false, [{ kind: "on" }]],
  [
    "several choices of one item",
    { items: items.slice(0, 1), options: { isMultipleChoice: true } },
    false,
    [{ kind: "on" }],
  ],
  ["several choices without items", { items: [], options: { isMultipleChoice: true } }, false, []],
  ["choices from a variable", { items: [] }, true, [{ kind: "on" }]],
])("a question for %s waits, and continues at the targets of its answers", (_name, block, isDynamic, ways) => {
  expect(waysOfChoice({ ...block, id: "choice", type: "choice input" }, { isDynamic })).toEqual({ waits: true, ways });
});
