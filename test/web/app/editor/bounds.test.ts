import { expect, test } from "bun:test";
import { copy } from "../../../../src/core/editing/references/clipboard.ts";
import { addBlock } from "../../../../src/web/app/editor/commands/blocks.ts";
import { duplicate, pasteClip } from "../../../../src/web/app/editor/commands/copies.ts";
import { addGroup } from "../../../../src/web/app/editor/commands/groups.ts";
import { addNote, writeNote } from "../../../../src/web/app/editor/commands/surroundings.ts";

const tools = { newId: () => crypto.randomUUID() };

/** Returns a draft with the given number of groups and the given total number of blocks. */
function draftOf(groups: number, blocks: number) {
  return {
    edges: [],
    variables: [],
    groups: Array.from({ length: groups }, (_, group) => ({
      id: `g${group}`,
      title: "",
      blocks: Array.from({ length: Math.floor(blocks / groups) + (group < blocks % groups ? 1 : 0) }, (_, block) => ({
        id: `b${group}-${block}`,
        type: "text",
      })),
    })),
  };
}

test("adding, duplicating and pasting are refused for the 10,001st block", () => {
  const type = { type: "text", name: "Text", schema: {} };
  const full = draftOf(10, 10_000);
  const block = { blockIds: ["b0-0"] };
  const group = { groupIds: ["g0"] };
  const into = { groupId: "g1" };
  const refused = [
    addBlock.make(full, { type, groupId: "g0" }, tools),
    duplicate.make(full, block, tools),
    duplicate.make(full, group, tools),
    pasteClip.make(full, { clip: copy(full, block), into }, tools),
    pasteClip.make(full, { clip: copy(full, group) }, tools),
  ];
  expect(refused).toEqual(refused.map(() => ({ refused: "tooManyBlocks" })));

  const wide = draftOf(2_000, 2_000);
  expect([
    addGroup.make(wide, {}, tools),
    duplicate.make(wide, group, tools),
    pasteClip.make(wide, { clip: copy(wide, group) }, tools),
    pasteClip.make(wide, { clip: copy(wide, block) }, tools),
  ]).toEqual(Array(4).fill({ refused: "tooManyGroups" }));

  // With one block less, the addition is allowed.
  expect(addBlock.make(draftOf(10, 9_999), { type, groupId: "g0" }, tools)).not.toHaveProperty("refused");
  expect(duplicate.make(draftOf(1_999, 1_999), group, tools)).not.toHaveProperty("refused");
  expect(duplicate.make(wide, block, tools)).not.toHaveProperty("refused");
  expect(pasteClip.make(wide, { clip: copy(wide, block), into }, tools)).not.toHaveProperty("refused");
});

test("a note that exceeds the size limit of a flow's notes is refused", () => {
  const text = "x".repeat(600_000);
  const full = { ...draftOf(1, 1), editor: { notes: [{ id: "n1", text }] } };
  const write = (length: number) => writeNote.make(full, { noteId: "n1", text: "x".repeat(length) }, tools);

  expect(addNote.make(full, { at: { x: 0, y: 0 }, text }, tools)).toEqual({ refused: "notesFull" });
  expect(write(600_001)).toEqual({ refused: "notesFull" });
  expect(write(600_000)).toEqual({ changes: [] });
  expect(write(599_999)).not.toHaveProperty("refused");
});
