import { expect, test } from "bun:test";
import fc from "fast-check";
import { compare } from "../../../../src/core/editing/changes/compare.ts";
import { diff } from "../../../../src/core/editing/changes/diff.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { editedFlows } from "../edited-flows.ts";

const hello = { id: "b1", type: "text", content: { plainText: "Hello" } };
const choice = { id: "b2", type: "choice input", items: [{ id: "i1", content: "Yes" }, { id: "i2" }] };
const flow: FlowDocument = {
  version: "6",
  events: [{ id: "start", type: "start" }],
  groups: [
    { id: "g1", title: "One", blocks: [hello, choice] },
    { id: "g2", title: "Two", blocks: [{ id: "b3", type: "text" }] },
  ],
  edges: [{ id: "e1", to: { groupId: "g1" } }],
  variables: [{ id: idOf("v1"), name: "A" }],
  theme: {},
  settings: {},
};

function differencesTo(after: Partial<FlowDocument>) {
  const whole = { ...flow, ...after };
  return compare(flow, whole, diff(flow, whole));
}

test("a move on the canvas is listed separately from other changes of an element", () => {
  const [one, two] = flow.groups;
  const moved = { id: "g1", blocks: one?.blocks, title: "First", graphCoordinates: { x: 1, y: 2 } };
  expect(differencesTo({ groups: [moved, ...(two ? [two] : [])] })).toEqual([
    {
      is: "changed",
      of: "group",
      id: "g1",
      name: "First",
      changesMeaning: true,
      values: [{ path: ["title"], from: "One", to: "First" }],
    },
    {
      is: "movedOnCanvas",
      of: "group",
      id: "g1",
      name: "First",
      changesMeaning: false,
      values: [{ path: ["graphCoordinates"], to: { x: 1, y: 2 } }],
    },
  ]);
});

test("an added or removed group and its blocks are each listed separately", () => {
  const [one] = flow.groups;
  const three = { id: "g3", title: "Three", blocks: [{ id: "b4", type: "number input" }] };
  expect(differencesTo({ groups: [...(one ? [one] : []), three] })).toEqual([
    { is: "added", of: "group", id: "g3", name: "Three", changesMeaning: true },
    { is: "added", of: "block", id: "b4", in: "g3", name: "number input", changesMeaning: true },
    { is: "removed", of: "group", id: "g2", name: "Two", changesMeaning: true },
    { is: "removed", of: "block", id: "b3", in: "g2", name: "text", changesMeaning: true },
  ]);
});

test("moving a block to another group changes the flow's meaning", () => {
  const [one, two] = flow.groups;
  const groups = [
    { id: "g1", title: one?.title, blocks: [choice] },
    { id: "g2", title: two?.title, blocks: [...(two?.blocks ?? []), hello] },
  ];
  expect(differencesTo({ groups })).toEqual([
    { is: "reordered", of: "block", id: "b1", in: "g2", name: "text", changesMeaning: true },
  ]);
  const variables = [{ id: idOf("v0"), name: "Z" }, ...flow.variables];
  const before = { ...flow, variables };
  const after = { ...flow, variables: variables.toReversed() };
  expect(compare(before, after, diff(before, after))).toEqual([
    expect.objectContaining({ is: "reordered", of: "variable", changesMeaning: false }),
  ]);
});

test("changes of items, theme, settings and version are listed with their values", () => {
  const [one, two] = flow.groups;
  const items = [{ id: "i1", content: "No" }];
  const groups = [{ id: "g1", title: one?.title, blocks: [hello, { ...choice, items }] }, ...(two ? [two] : [])];
  expect(differencesTo({ groups, version: "6.1", theme: { a: 1 }, settings: { b: { c: null } } })).toEqual([
    { is: "removed", of: "item", id: "i2", in: "b2", changesMeaning: true },
    { is: "changed", of: "bot", changesMeaning: true, values: [{ path: ["version"], from: "6", to: "6.1" }] },
    {
      is: "changed",
      of: "item",
      id: "i1",
      in: "b2",
      changesMeaning: true,
      values: [{ path: ["content"], from: "Yes", to: "No" }],
    },
    { is: "changed", of: "theme", changesMeaning: true, values: [{ path: ["a"], to: 1 }] },
    { is: "changed", of: "settings", changesMeaning: true, values: [{ path: ["b"], to: { c: null } }] },
  ]);
});

test("a comparison lists differences if and only if the flows differ", () => {
  fc.assert(
    fc.property(editedFlows(), ({ before, after }) => {
      const changes = diff(before, after);
      expect(compare(before, after, changes).length > 0).toBe(changes.length > 0);
      expect(compare(after, after, diff(after, after))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
