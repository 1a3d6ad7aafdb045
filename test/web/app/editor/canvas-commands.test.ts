import { describe, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { copy } from "../../../../src/core/editing/references/clipboard.ts";
import { eachOutlet, type Outlet, outletsOfBlock } from "../../../../src/core/editing/references/outlets.ts";
import { after, connected, linksOf } from "../../../../src/core/editing/references/reach.ts";
import type { Box } from "../../../../src/web/app/editor/commands/arrange.ts";
import { addBlock, changeType, moveBlocks, shiftBlock } from "../../../../src/web/app/editor/commands/blocks.ts";
import {
  blocksIn,
  type Command,
  findBlock,
  findGroup,
  itemsIn,
} from "../../../../src/web/app/editor/commands/command.ts";
import { pasteClip } from "../../../../src/web/app/editor/commands/copies.ts";
import { addGroup, lead, remove, renameGroup, unlead } from "../../../../src/web/app/editor/commands/groups.ts";
import {
  addBlockAt,
  insertBlock,
  insertGroup,
  reroute,
  takeBlocksOut,
} from "../../../../src/web/app/editor/commands/insert.ts";
import { lock } from "../../../../src/web/app/editor/commands/locks.ts";
import {
  align,
  distribute,
  moveThings,
  moveThingsTo,
  placeOf,
  tidy,
} from "../../../../src/web/app/editor/commands/places.ts";
import {
  addFrame,
  addNote,
  paint,
  renameFrame,
  resize,
  writeNote,
} from "../../../../src/web/app/editor/commands/surroundings.ts";
import { createEditor, type Editor } from "../../../../src/web/app/editor/editor.ts";
import { asDraft } from "../../../../src/web/app/editor/working-copy/replica.ts";
import commandWords from "../../../../src/web/app/words/en/command.json";
import { currentWords } from "../../../../src/web/app/words/language.ts";
import { idOf } from "../../../support/builder-ids.ts";

const text = { type: "text", name: "Text", schema: { properties: { content: {} } } };
const number = {
  type: "number input",
  name: "Number",
  schema: { properties: { options: { properties: { variableId: {}, labels: {} } } } },
};

function sample(): DraftDocument {
  const group = (id: string, x: number, blocks: object[]) => ({
    id,
    title: id.toUpperCase(),
    graphCoordinates: { x, y: 0 },
    blocks,
  });
  return asDraft({
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: -300, y: 0 } }],
    groups: [
      group("a", 0, [
        { id: "a1", type: "text" },
        { id: "a2", type: "email input", options: { variableId: idOf("v1"), labels: { button: "Go" } } },
        {
          id: "a3",
          type: "choice input",
          items: [
            { id: "i1", content: "Yes", outgoingEdgeId: "e1" },
            { id: "i2", content: "No" },
          ],
          outgoingEdgeId: "e2",
        },
      ]),
      group("b", 400, [{ id: "b1", type: "text", outgoingEdgeId: "e3" }]),
      group("c", 800, [
        { id: "c1", type: "text" },
        { id: "c2", type: "text" },
      ]),
      group("d", 1200, [{ id: "d1", type: "text" }]),
    ],
    edges: [
      { id: "e0", from: { eventId: "start" }, to: { groupId: "a" } },
      { id: "e1", from: { blockId: "a3", itemId: "i1" }, to: { groupId: "b" } },
      { id: "e2", from: { blockId: "a3" }, to: { groupId: "c", blockId: "c2" } },
      { id: "e3", from: { blockId: "b1" }, to: { groupId: "c" } },
    ],
    variables: [{ id: idOf("v1"), name: "Mail" }],
    editor: {
      notes: [{ id: "n1", text: "Look", graphCoordinates: { x: 0, y: 300 }, size: { width: 240, height: 160 } }],
      frames: [{ id: "f1", title: "Part", graphCoordinates: { x: -20, y: -80 }, size: { width: 700, height: 400 } }],
      colors: { b: "red" },
    },
  });
}

function open(draft: DraftDocument): Editor {
  return createEditor({
    opened: { revision: 1, draft },
    clock: { now: () => 0, startTimer: () => () => {} },
    mode: "write",
    transport: {
      send: async () => ({ kind: "lost" }),
      log: async () => ({ kind: "lost" }),
      draft: async () => ({ kind: "lost" }),
    },
  });
}

/** Runs a command, undoes it and redoes it. Expects the first state and then the result again. Returns the result. */
function walk<Args>(command: Command<Args>, args: Args, draft = sample()): DraftDocument {
  const editor = open(draft);
  const done = editor.run(command, args);
  if (done.kind === "refused") throw new Error(done.sentence);
  const made = editor.copy.view();
  expect(canonicalize(made)).not.toBe(canonicalize(draft));
  expect(editor.undo()?.title).toBe(done.title);
  expect(canonicalize(editor.copy.view())).toBe(canonicalize(draft) ?? "");
  editor.redo();
  expect(canonicalize(editor.copy.view())).toBe(canonicalize(made) ?? "");
  expect(wholeness(made)).toEqual([]);
  return made;
}

function refusal<Args>(command: Command<Args>, args: Args, draft = sample()): string {
  const editor = open(draft);
  const done = editor.run(command, args);
  expect(editor.copy.view()).toBe(draft);
  return done.kind === "refused" ? done.sentence : "done";
}

/** Returns the ids of missing edges, and of edges without an existing target. */
function wholeness(draft: DraftDocument): string[] {
  const problems: string[] = [];
  const edges = new Map(draft.edges.map((edge) => [edge.id, edge]));
  for (const { edgeId } of eachOutlet(draft)) if (edgeId !== undefined && !edges.has(edgeId)) problems.push(edgeId);
  for (const { id, to } of draft.edges) {
    const group = findGroup(draft, to?.groupId ?? "");
    if (!group || (to?.blockId && !blocksIn(group).some((block) => block["id"] === to.blockId))) problems.push(id);
  }
  return problems;
}

const outlet = (draft: DraftDocument, blockId: string, kind: Outlet["kind"] = "own", itemId?: string): Outlet => {
  const found = outletsOfBlock(findBlock(draft, blockId)?.block ?? {}).find(
    (one) => one.kind === kind && (itemId === undefined || one.itemId === itemId),
  );
  if (!found) throw new Error(`no outlet ${blockId}`);
  return found;
};
const boxA: Box = { kind: "group", id: "a", x: 0, y: 0, width: 272, height: 200 };
const boxB: Box = { kind: "group", id: "b", x: 400, y: 40, width: 272, height: 100 };
const boxOfStart: Box = { kind: "event", id: "start", x: -300, y: 8, width: 136, height: 40 };
const boxes: readonly Box[] = [boxA, boxB, boxOfStart];
const blockIds = (draft: DraftDocument, groupId: string) =>
  blocksIn(findGroup(draft, groupId) ?? {}).map(({ id }) => id);
const leadsTo = (draft: DraftDocument, from: Outlet) =>
  draft.edges.find(({ id }) => id === from.edgeId)?.to ?? undefined;

describe("commands on the canvas", () => {
  test("elements are moved by steps, aligned, distributed and laid out", () => {
    const things = [
      { kind: "group", id: "a" },
      { kind: "note", id: "n1" },
      { kind: "frame", id: "f1" },
      { kind: "event", id: "start" },
    ] as const;
    const moved = walk(moveThings, { things, by: { x: 8, y: -64 } });
    expect(things.map((thing) => placeOf(moved, thing))).toEqual([
      { x: 8, y: -64 },
      { x: 8, y: 236 },
      { x: -12, y: -144 },
      { x: -292, y: -64 },
    ]);
    const typed = walk(moveThingsTo, { boxes, to: { x: 100 } });
    expect([placeOf(typed, boxOfStart), placeOf(typed, boxA)]).toEqual([
      { x: 100, y: 8 },
      { x: 400, y: 0 },
    ]);
    const lined = walk(align, { boxes, edge: "bottom" });
    expect([placeOf(lined, boxB), placeOf(lined, boxOfStart)]).toEqual([
      { x: 400, y: 100 },
      { x: -300, y: 160 },
    ]);
    const spread = walk(distribute, { boxes, axis: "across" });
    expect(placeOf(spread, boxA)?.x).toBe(-18);
    const laid = walk(tidy, {
      places: [
        { kind: "group", id: "d", x: 1, y: 2 },
        { kind: "frame", id: "f1", x: 0, y: 0, width: 300, height: 200 },
      ],
    });
    expect(laid.editor?.["frames"]).toMatchObject([{ size: { width: 300, height: 200 } }]);
    expect(refusal(align, { boxes: boxes.slice(1, 2), edge: "top" })).toContain("two");
    expect(refusal(distribute, { boxes: boxes.slice(1), axis: "down" })).toContain("three");
  });

  test("consecutive steps of the arrow keys are one undo step", () => {
    const editor = open(sample());
    const things = [{ kind: "group", id: "a" }] as const;
    for (let step = 0; step < 5; step++) editor.run(moveThings, { things, by: { x: 8, y: 0 }, byKeys: true });
    expect(placeOf(editor.copy.view(), things[0])).toEqual({ x: 40, y: 0 });
    editor.undo();
    expect(editor.copy.view()).toEqual(sample());
  });

  test("lines are connected, reconnected at either end, and removed", () => {
    const first = sample();
    const led = walk(lead, { from: outlet(first, "d1"), to: { groupId: "b" } });
    expect(leadsTo(led, outlet(led, "d1"))).toEqual({ groupId: "b" });
    const again = walk(lead, { from: outlet(first, "b1"), to: { groupId: "d" } });
    expect(again.edges.find(({ id }) => id === "e3")?.to).toEqual({ groupId: "d" });
    const begun = walk(reroute, { from: outlet(first, "a3"), to: outlet(first, "d1") });
    expect(leadsTo(begun, outlet(begun, "d1"))).toEqual({ groupId: "c", blockId: "c2" });
    expect(outlet(begun, "a3").edgeId).toBeUndefined();
    // Another item uses the same edge, which therefore stays.
    const shared = sample();
    const [, no] = itemsIn(findBlock(shared, "a3")?.block ?? {});
    Object.assign(no ?? {}, { outgoingEdgeId: "e2" });
    const apart = walk(reroute, { from: outlet(shared, "a3"), to: outlet(shared, "d1") }, shared);
    expect(outlet(apart, "a3").edgeId).toBeUndefined();
    expect(leadsTo(apart, outlet(apart, "a3", "item", "i2"))).toEqual({ groupId: "c", blockId: "c2" });
    const cut = walk(unlead, { from: outlet(first, "a3", "item", "i1") });
    expect(cut.edges.map(({ id }) => id)).toEqual(["e0", "e2", "e3"]);
  });

  test("blocks are added on the canvas, moved and given another type", () => {
    const first = sample();
    const at = { x: 33.4, y: 66.6 };
    const made = walk(addBlockAt, { type: text, at, from: outlet(first, "a3", "item", "i2") });
    const group = made.groups.at(-1);
    expect(group).toMatchObject({ title: "Group #5", graphCoordinates: { x: 33, y: 67 }, blocks: [{ type: "text" }] });
    expect(leadsTo(made, outlet(made, "a3", "item", "i2"))).toEqual({ groupId: group?.id ?? "" });

    const inserted = walk(insertBlock, { type: text, into: outlet(first, "a3"), at });
    const between = inserted.groups.at(-1);
    expect(leadsTo(inserted, outlet(inserted, "a3"))).toEqual({ groupId: between?.id ?? "" });
    expect(leadsTo(inserted, outlet(inserted, between?.blocks?.[0]?.id ?? ""))).toEqual({
      groupId: "c",
      blockId: "c2",
    });

    const out = walk(takeBlocksOut, { blockIds: ["c2"], at });
    const alone = out.groups.at(-1);
    expect(alone?.blocks?.map(({ id }) => id)).toEqual(["c2"]);
    expect(out.edges.find(({ id }) => id === "e2")?.to).toEqual({ groupId: alone?.id ?? "", blockId: "c2" });
    const through = walk(takeBlocksOut, { blockIds: ["a1"], at, into: outlet(first, "b1") });
    expect(leadsTo(through, outlet(through, "a1"))).toEqual({ groupId: "c" });
    expect(refusal(takeBlocksOut, { blockIds: ["a3"], at, into: outlet(first, "b1") })).toContain("draw a line");
    const whole = walk(insertGroup, { groupId: "d", into: outlet(first, "b1") });
    expect([leadsTo(whole, outlet(whole, "b1")), leadsTo(whole, outlet(whole, "d1"))]).toEqual([
      { groupId: "d" },
      { groupId: "c" },
    ]);

    const moved = walk(moveBlocks, { blockIds: ["c2"], groupId: "d", before: "d1" });
    expect(blockIds(moved, "d")).toEqual(["c2", "d1"]);
    expect(moved.edges.find(({ id }) => id === "e2")?.to).toEqual({ groupId: "d", blockId: "c2" });
    walk(shiftBlock, { blockId: "c2", by: 1, groupOrder: ["a", "b", "c", "d"] });
    walk(addBlock, { type: text, groupId: "b", before: "b1" });
    const turned = walk(changeType, { blockId: "a2", type: number });
    expect(findBlock(turned, "a2")?.block).toMatchObject({
      type: "number input",
      options: { variableId: idOf("v1"), labels: { button: "Go" } },
    });
  });

  test("notes, frames and colours are added, changed, removed and copied", () => {
    walk(addNote, { at: { x: 5, y: 5 }, text: "Hello" });
    walk(writeNote, { noteId: "n1", text: "Longer" });
    const framed = walk(addFrame, { around: boxes, title: "All" });
    expect(framed.editor?.["frames"]).toMatchObject([
      { id: "f1" },
      { title: "All", graphCoordinates: { x: -332, y: -64 }, size: { width: 1036, height: 296 } },
    ]);
    walk(renameFrame, { frameId: "f1", title: "Other" });
    const sized = walk(resize, { kind: "note", id: "n1", box: { x: 0, y: 300, width: 10, height: 400 } });
    expect(sized.editor?.["notes"]).toMatchObject([{ size: { width: 120, height: 400 } }]);
    const painted = walk(paint, { color: "blue", groupIds: ["a", "b"], noteIds: ["n1"], frameIds: ["f1"] });
    expect(painted.editor).toMatchObject({ colors: { a: "blue", b: "blue" }, notes: [{ color: "blue" }] });
    const plain = walk(paint, { color: undefined, groupIds: ["b"] });
    expect(plain.editor?.["colors"]).toBeUndefined();
    walk(addGroup, { at: { x: 9, y: 9 } });
    walk(renameGroup, { groupId: "a", title: "New" });
    const removed = walk(remove, { groupIds: ["b"], noteIds: ["n1"], frameIds: ["f1"] });
    expect(removed.editor).toBeUndefined();
    const clip = copy(sample(), { groupIds: ["b"], noteIds: ["n1"], frameIds: ["f1"] });
    const pasted = walk(pasteClip, { clip, at: { x: 1000, y: 1000 } });
    expect(pasted.groups.at(-1)).toMatchObject({ graphCoordinates: { x: 1420, y: 1080 } });
    expect(pasted.editor).toMatchObject({
      notes: [{}, { text: "Look", graphCoordinates: { x: 1020, y: 1380 } }],
      frames: [{}, { title: "Part", graphCoordinates: { x: 1000, y: 1000 } }],
      colors: { [pasted.groups.at(-1)?.id ?? ""]: "red" },
    });
    const full = { ...sample(), editor: { notes: [{ id: "n", text: "x".repeat(999_700) }] } };
    expect(refusal(addNote, { at: { x: 0, y: 0 } }, full)).toContain("1 MB");
  });

  test("a locked group rejects changes until it is unlocked", () => {
    const locked = walk(lock, { groupIds: ["a"], isLocked: true });
    const { locked: why } = currentWords(commandWords).refusals;
    const from = outlet(locked, "a1");
    expect(refusal(moveThings, { things: [{ kind: "group", id: "a" }], by: { x: 1, y: 0 } }, locked)).toBe(why);
    expect(refusal(renameGroup, { groupId: "a", title: "X" }, locked)).toBe(why);
    expect(refusal(addBlock, { type: text, groupId: "a" }, locked)).toBe(why);
    expect(refusal(moveBlocks, { blockIds: ["a1"], groupId: "b" }, locked)).toBe(why);
    expect(refusal(changeType, { blockId: "a2", type: number }, locked)).toBe(why);
    expect(refusal(remove, { groupIds: ["a"] }, locked)).toBe(why);
    expect(refusal(remove, { items: [{ blockId: "a3", itemId: "i2" }] }, locked)).toBe(why);
    expect(refusal(lead, { from, to: { groupId: "c" } }, locked)).toBe(why);
    expect(refusal(lead, { from: outlet(locked, "a3"), to: { groupId: "d" } }, locked)).toBe(why);
    walk(lead, { from: outlet(locked, "d1"), to: { groupId: "a" } }, locked);
    walk(moveThings, { things: [{ kind: "group", id: "b" }], by: { x: 1, y: 0 } }, locked);
    const unlocked = walk(lock, { groupIds: ["a"], isLocked: false }, locked);
    expect(unlocked.editor?.["locks"]).toBeUndefined();
  });
});

test("the elements after a card include all reachable elements", () => {
  expect([...after(sample(), ["b"])]).toEqual(["b", "c"]);
  expect([...connected(sample(), ["c"])].sort()).toEqual(["a", "b", "c", "start"]);
  expect(linksOf(sample())).toContainEqual({ from: "start", to: "a" });
});
