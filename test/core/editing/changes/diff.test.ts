import { describe, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply, ChangeMisses } from "../../../../src/core/editing/changes/apply.ts";
import type { Change } from "../../../../src/core/editing/changes/change.ts";
import { diff } from "../../../../src/core/editing/changes/diff.ts";
import type { FlowDocument, FlowGroup } from "../../../../src/core/interpreter/flow.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { storedFlows } from "../../../support/flows-arbitrary.ts";
import { editedFlows } from "../edited-flows.ts";

const hello = { id: "b1", type: "text", content: { richText: [{ text: "Hello" }, { text: "you" }] } };
const [yes, no, maybe] = [{ id: "i1", content: "Yes" }, { id: "i2" }, { id: "i3" }];
const choice = { id: "b2", type: "choice input", items: [yes, no, maybe] };
const bye = { id: "b3", type: "text" };
const one = { id: "g1", title: "One", graphCoordinates: { x: 1, y: 2 }, blocks: [hello, choice] };
const two = { id: "g2", title: "Two", blocks: [bye] };
const three = { id: "g3", title: "Three", blocks: [] };
const flow: FlowDocument = {
  version: "6",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1" }],
  groups: [one, two, three],
  edges: [{ id: "e1", to: { groupId: "g1" } }],
  variables: [
    { id: idOf("v1"), name: "A" },
    { id: idOf("v2"), name: "B" },
  ],
  theme: { chat: { roundness: "large" } },
  settings: {},
};

function changesTo(after: Partial<FlowDocument>): Change[] {
  return diff(flow, { ...flow, ...after });
}

function changesOfGroups(...groups: FlowGroup[]): Change[] {
  return changesTo({ groups });
}

describe("the difference of two flows", () => {
  test("applying the difference to the original flow yields the edited flow", () => {
    fc.assert(
      fc.property(editedFlows(), ({ before, after }) => {
        const text = canonicalize(before);
        expect(canonicalize(apply(before, diff(before, after)))).toBe(canonicalize(after) ?? "");
        expect(canonicalize(apply(after, diff(after, before)))).toBe(text ?? "");
        expect(canonicalize(before)).toBe(text ?? "");
      }),
      { numRuns: 400 },
    );
  });

  test("applying the difference of two storable flows to the first yields the second", () => {
    const asStored = storedFlows().map((stored): FlowDocument => JSON.parse(JSON.stringify(stored)));
    fc.assert(
      fc.property(asStored, asStored, (before, after) => {
        expect(canonicalize(apply(before, diff(before, after)))).toBe(canonicalize(after) ?? "");
      }),
      { numRuns: 60 },
    );
  });

  test("a difference reproduces the new order of a list", () => {
    const list = (ids: number[]) => ids.map((id) => ({ id: idOf(`v${id}`), name: "V" }));
    const orders = fc.uniqueArray(fc.nat({ max: 12 }));
    fc.assert(
      fc.property(orders, orders, (from, to) => {
        const [before, after] = [list(from), list(to)];
        const changes = diff({ ...flow, variables: before }, { ...flow, variables: after });
        expect(apply({ ...flow, variables: before }, changes)["variables"]).toEqual(after);
      }),
    );
    const moved = changesTo({ groups: [three, one, two] });
    expect(moved).toEqual([{ op: "move", of: "group", id: "g3", before: "g1" }]);
  });
});

test("equal flows have no difference, even if their keys have another order", () => {
  const { groups, ...rest } = structuredClone(flow);
  expect(diff(flow, { groups, ...rest })).toEqual([]);
});

describe("the smallest change", () => {
  test("a changed text is recorded as one new value at the text's path", () => {
    const changed = { ...hello, content: { richText: [{ text: "Goodbye" }, { text: "you" }] } };
    expect(changesOfGroups({ ...one, blocks: [changed, choice] }, two, three)).toEqual([
      { op: "set", of: "block", id: "b1", path: ["content", "richText", 0, "text"], value: "Goodbye" },
    ]);
  });

  test("a list without ids that changes its length is replaced as one value", () => {
    const richText = [{ text: "Hello" }];
    expect(changesOfGroups({ ...one, blocks: [{ ...hello, content: { richText } }, choice] }, two, three)).toEqual([
      { op: "set", of: "block", id: "b1", path: ["content", "richText"], value: richText },
    ]);
  });

  test("adding one theme key and removing another are two changes", () => {
    expect(changesTo({ theme: { chat: {}, general: 1 } })).toEqual([
      { op: "set", of: "theme", path: ["chat", "roundness"] },
      { op: "set", of: "theme", path: ["general"], value: 1 },
    ]);
  });

  test("moving a block to another group is recorded as one move", () => {
    expect(changesOfGroups({ ...one, blocks: [choice] }, { ...two, blocks: [hello, bye] }, three)).toEqual([
      { op: "move", of: "block", in: "g2", id: "b1", before: "b3" },
    ]);
  });

  test("splitting a group is recorded as a new group and moved blocks", () => {
    const split = { id: "g4", title: "Split", blocks: [choice, { id: "b4", type: "text" }] };
    expect(changesOfGroups({ ...one, blocks: [hello] }, split, three)).toEqual([
      { op: "add", of: "group", before: "g3", value: { ...split, blocks: [{ id: "b4", type: "text" }] } },
      { op: "move", of: "block", in: "g4", id: "b2", before: "b4" },
      { op: "remove", of: "group", id: "g2" },
    ]);
  });

  test("changes of a block's items are listed one by one", () => {
    const items = [no, { ...yes, content: "Yes!" }, { id: "i4" }];
    expect(changesOfGroups({ ...one, blocks: [hello, { ...choice, items }] }, two, three)).toEqual([
      { op: "add", of: "item", in: "b2", value: { id: "i4" } },
      { op: "move", of: "item", in: "b2", id: "i2", before: "i1" },
      { op: "remove", of: "item", in: "b2", id: "i3" },
      { op: "set", of: "item", in: "b2", id: "i1", path: ["content"], value: "Yes!" },
    ]);
  });

  test("entries with a repeated id are matched by position", () => {
    const items = [{ id: "i1" }, { id: "i1", content: "No" }, maybe];
    expect(changesOfGroups({ ...one, blocks: [hello, { ...choice, items }] }, two, three)).toEqual([
      { op: "set", of: "block", id: "b2", path: ["items", 0, "content"] },
      { op: "set", of: "block", id: "b2", path: ["items", 1, "id"], value: "i1" },
      { op: "set", of: "block", id: "b2", path: ["items", 1, "content"], value: "No" },
    ]);
  });
});

describe("refused changes", () => {
  const wrong: Change[] = [
    { op: "add", of: "group", value: { id: "g1" } },
    { op: "add", of: "group", value: {} },
    { op: "add", of: "block", in: "nowhere", value: { id: "b9" } },
    { op: "add", of: "block", value: { id: "b9" } },
    { op: "remove", of: "edge", id: "e9" },
    { op: "remove", of: "item", in: "b1", id: "i1" },
    { op: "move", of: "block", in: "nowhere", id: "b1" },
    { op: "move", of: "variable", id: "v9" },
    { op: "set", of: "block", id: "b9", path: ["type"], value: "text" },
    { op: "set", of: "block", id: "b1", path: ["content", "richText", 2], value: {} },
    { op: "set", of: "block", id: "b1", path: ["content", "toString", "name"], value: 1 },
    { op: "set", of: "block", id: "b1", path: [], value: 1 },
  ];
  for (const change of wrong) {
    test(`the change ${JSON.stringify(change)} is refused`, () => {
      expect(() => apply(flow, [change])).toThrow(ChangeMisses);
    });
  }
});

test("reordering ten thousand blocks takes the minimum number of moves", () => {
  const groups = Array.from({ length: 2_000 }, (_, group) => ({
    id: `g${group}`,
    blocks: Array.from({ length: 5 }, (_, block) => ({ id: `b${group}-${block}`, type: "text", content: { group } })),
  }));
  const after = groups.map(({ id, blocks }) => ({ id, blocks: [...blocks].reverse() })).reverse();
  const changes = diff({ ...flow, groups }, { ...flow, groups: after });
  expect(changes).toHaveLength(1_999 + 2_000 * 4);
  expect(apply({ ...flow, groups }, changes.slice(0, 2_000))["groups"]).toHaveLength(2_000);
});
