import { expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply, applyUndoably, ChangeMisses, invert } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { diff } from "../../../src/core/editing/changes/diff.ts";
import { idOf } from "../../support/builder-ids.ts";
import { storedFlows } from "../../support/flows-arbitrary.ts";
import { asDraft, createDice, randomChanges, smallDraft } from "./commands.ts";
import { editedFlows } from "./edited-flows.ts";

test("undoing the edits of a flow restores the draft", () => {
  fc.assert(
    fc.property(editedFlows(), ({ before, after }) => {
      const text = canonicalize(before);
      const changes = diff(before, after);
      const { draft, inverse } = applyUndoably(before, changes);
      expect(canonicalize(draft)).toBe(canonicalize(after) ?? "");
      expect(canonicalize(apply(asDraft(draft), inverse))).toBe(text ?? "");
      expect(canonicalize(before)).toBe(text ?? "");
    }),
    { numRuns: 300 },
  );
});

test("undoing the difference of any two storable flows restores the draft", () => {
  const asStored = storedFlows().map((stored): DraftDocument => JSON.parse(JSON.stringify(stored)));
  fc.assert(
    fc.property(asStored, asStored, (before, after) => {
      const { draft, inverse } = applyUndoably(before, diff(before, after));
      expect(canonicalize(apply(asDraft(draft), inverse))).toBe(canonicalize(before) ?? "");
    }),
    { numRuns: 60 },
  );
});

test("a hundred sets of changes can be undone one by one, back to the first draft", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = createDice(seed);
      let count = 0;
      let draft = smallDraft();
      const done: { readonly text: string | undefined; readonly inverse: readonly Change[] }[] = [];
      for (let act = 0; act < 100; act++) {
        const applied = applyUndoably(
          draft,
          randomChanges(draft, dice, () => `new${count++}`),
        );
        done.push({ text: canonicalize(draft), inverse: applied.inverse });
        draft = asDraft(applied.draft);
      }
      for (const { text, inverse } of done.reverse()) {
        draft = asDraft(apply(draft, inverse));
        expect(canonicalize(draft)).toBe(text ?? "");
      }
    }),
    { numRuns: 10 },
  );
});

test("an undo that is computed without applying the changes restores the draft", () => {
  const draft = smallDraft();
  const changes: Change[] = [
    { op: "move", of: "block", id: "b1", in: "g2", before: "b4" },
    { op: "remove", of: "group", id: "g2" },
    { op: "set", of: "editor", path: ["colors", "g1"] },
  ];
  expect(canonicalize(apply(asDraft(apply(draft, changes)), invert(draft, changes)))).toBe(canonicalize(draft) ?? "");
});

test("an undo restores the positions and values of entries with a repeated id", () => {
  const items = [{ id: "twice", content: 1 }, { id: "other" }, { id: "twice", content: 2 }];
  const block = { id: "b", type: "choice input", items };
  const draft = { ...smallDraft(), groups: [{ id: "g", blocks: [block] }] };
  const changes: Change[] = [
    { op: "remove", of: "item", in: "b", id: "other" },
    { op: "set", of: "item", in: "b", id: "twice", path: ["content"], value: 3 },
    { op: "move", of: "item", in: "b", id: "twice" },
  ];
  const { draft: after, inverse } = applyUndoably(draft, changes);
  expect(asDraft(after).groups[0]?.blocks?.[0]?.items).toEqual([
    { id: "twice", content: 2 },
    { id: "twice", content: 3 },
  ]);
  expect(apply(asDraft(after), inverse)).toEqual({ ...draft });
});

test.each<[Change]>([
  [{ op: "remove", of: "group", id: "g1" }],
  [{ op: "move", of: "group", id: "g3", before: "g1" }],
  [{ op: "remove", of: "block", id: "b1" }],
  [{ op: "move", of: "block", id: "b1", in: "g3" }],
  [{ op: "remove", of: "edge", id: "e1" }],
  [{ op: "remove", of: "event", id: "start" }],
  [{ op: "move", of: "variable", id: "other" }],
  [{ op: "remove", of: "note", id: "n1" }],
])("the change %j of a list with repeated or missing ids can be undone", (change) => {
  const repeated = (id: string) => [
    { id: "other", name: "O", type: "text" },
    { id, name: "A", type: "text" },
    { id, name: "B", type: "text" },
    { id: "last", name: "L", type: "text" },
  ];
  const draft = {
    ...smallDraft(),
    groups: [
      { id: "g1", blocks: [...repeated("b1"), { type: "text" }] },
      { id: "g3", blocks: [] },
      { id: "g1", blocks: [] },
    ],
    edges: repeated("e1"),
    events: repeated("start"),
    variables: repeated("v1"),
    editor: { notes: repeated("n1") },
  };
  const { draft: after, inverse } = applyUndoably(asDraft(draft), [change]);
  expect(canonicalize(after)).not.toBe(canonicalize(draft) ?? "");
  expect(canonicalize(apply(asDraft(after), inverse))).toBe(canonicalize(draft) ?? "");
});

test("undoing the first note removes the editor's data", () => {
  const { editor: _, ...draft } = smallDraft();
  const changes: Change[] = [
    { op: "add", of: "note", value: { id: "n", text: "Look" } },
    { op: "set", of: "editor", path: ["colors", "g1"], value: "red" },
  ];
  const { draft: after, inverse } = applyUndoably(draft, changes);
  expect(after["editor"]).toEqual({ notes: [{ id: "n", text: "Look" }], colors: { g1: "red" } });
  expect(apply(asDraft(after), inverse)).toEqual({ ...draft });
});

test.each([
  [{ op: "add", of: "block", in: "g9", value: { id: "b" } }, 'refers to a missing group "g9" of this draft'],
  [{ op: "add", of: "block", value: { id: "b" } }, "needs the id of a group in `in`"],
  [
    { op: "add", of: "item", in: "b1", value: { id: "i" } },
    'needs a list of items, which the block "b1" does not have',
  ],
  [{ op: "add", of: "edge", value: {} }, "needs a value with an id"],
  [
    { op: "add", of: "group", value: { id: "g", blocks: [{ id: "b1" }] } },
    'adds a block "b1", which this draft already has',
  ],
  [{ op: "remove", of: "note", id: "n9" }, 'refers to a missing note "n9" of this draft'],
  [{ op: "set", of: "block", id: "b1", path: ["id"], value: "b9" }, "would change an id"],
  [{ op: "set", of: "block", path: ["type"], value: "text" }, "needs an id"],
  [
    { op: "set", of: "block", id: "b1", path: ["a", "b"], value: 1 },
    'sets a value at ["a","b"], whose parent does not exist',
  ],
  [
    { op: "edit", of: "group", id: "g1", path: ["title"], text: "plain", ops: [{ keep: 9 }] },
    "covers 9 units of a text of 3",
  ],
  [
    { op: "edit", of: "group", id: "g9", path: ["title"], text: "plain", ops: [{ put: "a" }] },
    'refers to a missing group "g9" of this draft',
  ],
  [{ op: "edit", of: "group", id: "g1", path: ["id"], text: "plain", ops: [{ keep: 2 }] }, "would change an id"],
  [
    { op: "edit", of: "group", id: "g1", path: ["blocks"], text: "plain", ops: [{ keep: 2 }] },
    "edits a text that is not a plain text",
  ],
] as const satisfies [Change, string][])("the change %j is refused with the reason: %s", (change, reason) => {
  expect(() => apply(smallDraft(), [change])).toThrow(ChangeMisses);
  expect(() => apply(smallDraft(), [change])).toThrow(reason);
});

test("an element that is added before a missing element becomes the last element", () => {
  const after = apply(smallDraft(), [
    { op: "add", of: "variable", before: "gone", value: { id: idOf("v3"), name: "C" } },
  ]);
  expect(asDraft(after).variables.map(({ id }) => id)).toEqual([idOf("v1"), idOf("v2"), idOf("v3")]);
});

test("changing one block of a draft reuses all unchanged parts of the draft", () => {
  const groups = Array.from({ length: 2_000 }, (_, group) => ({
    id: `g${group}`,
    blocks: Array.from({ length: 5 }, (_, block) => ({ id: `b${group}-${block}`, type: "text", content: { group } })),
  }));
  const draft = { ...smallDraft(), groups };
  const after = asDraft(apply(draft, [{ op: "set", of: "block", id: "b7-3", path: ["content", "group"], value: 0 }]));
  expect(groups[7]?.blocks[3]?.content).toEqual({ group: 7 });
  const shared = after.groups.filter((group, index) => group === groups[index]);
  expect(shared).toHaveLength(1_999);
  expect(after.groups[7]?.blocks?.filter((block, index) => block === groups[7]?.blocks[index])).toHaveLength(4);
  expect(after.edges).toBe(draft.edges);
});
