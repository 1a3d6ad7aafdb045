import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { copy } from "../../../../src/core/editing/references/clipboard.ts";
import { type Outlet, outletsOfBlock } from "../../../../src/core/editing/references/outlets.ts";
import type { Box } from "../../../../src/web/app/editor/commands/arrange.ts";
import {
  addBlock,
  addItem,
  changeType,
  moveBlocks,
  setInBlock,
  setInBlocks,
  shiftBlock,
  shiftItem,
  writeText,
} from "../../../../src/web/app/editor/commands/blocks.ts";
import { restoreRemoved } from "../../../../src/web/app/editor/commands/bring-back.ts";
import { type Command, findBlock } from "../../../../src/web/app/editor/commands/command.ts";
import { duplicate, pasteClip } from "../../../../src/web/app/editor/commands/copies.ts";
import { addEvent, setInEvent } from "../../../../src/web/app/editor/commands/events.ts";
import { mendFindings } from "../../../../src/web/app/editor/commands/fixes.ts";
import { addGroup, lead, remove, renameGroup, unlead } from "../../../../src/web/app/editor/commands/groups.ts";
import {
  addBlockAt,
  insertBlock,
  insertGroup,
  reroute,
  takeBlocksOut,
} from "../../../../src/web/app/editor/commands/insert.ts";
import { lock } from "../../../../src/web/app/editor/commands/locks.ts";
import { replaceTheme, setInPart } from "../../../../src/web/app/editor/commands/look.ts";
import { align, distribute, moveThings, moveThingsTo, tidy } from "../../../../src/web/app/editor/commands/places.ts";
import {
  addFrame,
  addNote,
  paint,
  renameFrame,
  resize,
  writeNote,
} from "../../../../src/web/app/editor/commands/surroundings.ts";
import { replaceTexts } from "../../../../src/web/app/editor/commands/texts.ts";
import {
  addVariable,
  mergeVariable,
  removeVariable,
  renameVariable,
  setInVariable,
} from "../../../../src/web/app/editor/commands/variables.ts";
import { addWayOut, removeWayOut } from "../../../../src/web/app/editor/commands/ways-out.ts";
import type { Done, Editor } from "../../../../src/web/app/editor/editor.ts";
import { asDraft } from "../../../../src/web/app/editor/working-copy/replica.ts";
import type { WordsOf } from "../../../../src/web/app/words/language.ts";
import { idOf } from "../../../support/builder-ids.ts";

/** A command with arguments that change a draft. */
export type Example = {
  readonly command: object;
  readonly from: DraftDocument;
  run(editor: Editor): Done;
  name(words: WordsOf<"command">): string;
};

function example<Args>(command: Command<Args>, args: Args, from = rich): Example {
  return {
    command,
    from,
    run: (editor) => editor.run(command, args),
    name: (words) => command.name(words, args, from),
  };
}

const says = (id: string, ...texts: readonly string[]) => ({
  id,
  type: "text",
  content: { richText: texts.map((text) => ({ type: "p", children: [{ text }] })) },
});
const text = { type: "text", name: "Text", schema: { properties: { content: {} } } };
const number = {
  type: "number input",
  name: "Number",
  schema: { properties: { options: { properties: { variableId: {}, labels: {} } } } },
};

/** A flow with parts of many kinds, unknown keys, and canvas elements outside the flow. */
const rich: DraftDocument = asDraft({
  version: "6.1",
  events: [
    { id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: -300, y: 0 } },
    { id: "help", type: "command", options: { command: "help" }, graphCoordinates: { x: -300, y: 200 }, future: 1 },
  ],
  groups: [
    {
      id: "a",
      title: "Ask",
      graphCoordinates: { x: 0, y: 0, z: 3 },
      blocks: [
        says("a1", "Hello {{Name}}", "Are you {{Name}}?"),
        {
          id: "a2",
          type: "email input",
          options: { variableId: idOf("v1"), labels: { button: "Go" } },
          unheard: [1, null],
        },
        {
          id: "a3",
          type: "choice input",
          items: [
            { id: "i1", content: "Yes, {{Name}}", outgoingEdgeId: "e1" },
            { id: "i2", content: "No" },
            { id: "i3", content: "Perhaps" },
          ],
          options: { variableId: idOf("v2") },
          outgoingEdgeId: "e2",
        },
      ],
    },
    {
      id: "b",
      title: "Offer",
      graphCoordinates: { x: 400, y: 0 },
      blocks: [{ ...says("b1", "Hello"), outgoingEdgeId: "e3" }],
    },
    {
      id: "c",
      title: "Thanks",
      graphCoordinates: { x: 800, y: 0 },
      blocks: [
        {
          id: "c1",
          type: "Condition",
          items: [
            {
              id: "k1",
              content: { comparisons: [{ id: "q1", variableId: idOf("v2"), comparisonOperator: "Is set" }] },
            },
          ],
        },
        { id: "c2", type: "Set variable", options: { variableId: idOf("v2"), expressionToEvaluate: "{{Name}} + 1" } },
        { id: "c3", type: "text input", options: { labels: { button: "Go" } } },
      ],
    },
    { id: "d", title: "End", graphCoordinates: { x: 1200, y: 0 }, blocks: [says("d1", "Bye")] },
    { id: "e", title: "Nothing yet", graphCoordinates: { x: 1600, y: 0 }, blocks: [] },
  ],
  edges: [
    { id: "e0", from: { eventId: "start" }, to: { groupId: "a" } },
    { id: "e1", from: { blockId: "a3", itemId: "i1" }, to: { groupId: "b" } },
    { id: "e2", from: { blockId: "a3" }, to: { groupId: "c", blockId: "c2" }, future: {} },
    { id: "e3", from: { blockId: "b1" }, to: { groupId: "c" } },
  ],
  variables: [
    { id: idOf("v1"), name: "Mail" },
    { id: idOf("v2"), name: "Name", value: "Ada" },
    { id: idOf("v3"), name: "Unused", isSessionVariable: true },
  ],
  theme: { general: { font: { type: "Google", family: "Inter" } }, chat: { roundness: "large" }, unheard: 1 },
  settings: { general: { isInputPrefillEnabled: true }, typingEmulation: { enabled: false } },
  editor: {
    notes: [{ id: "n1", text: "Look", graphCoordinates: { x: 0, y: 300 }, size: { width: 240, height: 160 } }],
    frames: [{ id: "f1", title: "Part", graphCoordinates: { x: -20, y: -80 }, size: { width: 700, height: 400 } }],
    colors: { b: "red" },
    unheard: { of: [1] },
  },
});

/**
 * A flow without the optional lists, which programs may leave out. Undoing the addition of a part also removes the
 * list that the addition created.
 */
const bare: DraftDocument = asDraft({
  version: "6.1",
  events: [{ id: "start", type: "start" }],
  groups: [
    { id: "a", title: "A", blocks: [says("a1", "Hello"), { id: "a2", type: "choice input" }] },
    { id: "b", title: "B", blocks: [] },
  ],
  edges: [],
  variables: [],
  theme: {},
  settings: {},
});
const locked: DraftDocument = { ...rich, editor: { ...rich.editor, locks: { a: true } } };

/** A block with a separate edge for failures. */
const leaving: DraftDocument = asDraft({
  ...{ version: "6.1", variables: [], theme: {}, settings: {}, events: [{ id: "start", type: "start" }] },
  groups: [
    { id: "a", title: "A", blocks: [says("a1", "Hello")] },
    {
      id: "p",
      title: "Pay",
      blocks: [{ id: "p1", type: "payment input", options: { failure: { outgoingEdgeId: "e1", message: "No" } } }],
    },
  ],
  edges: [{ id: "e1", from: { blockId: "p1" }, to: { groupId: "a" } }],
});

const outlet = (blockId: string, kind: Outlet["kind"] = "own", itemId?: string, flow = rich): Outlet => {
  const found = outletsOfBlock(findBlock(flow, blockId)?.block ?? {}).find(
    (one) => one.kind === kind && (itemId === undefined || one.itemId === itemId),
  );
  if (!found) throw new Error(`No outlet at ${blockId}`);
  return found;
};
const ofHelp: Outlet = {
  kind: "event",
  target: { of: "event", id: "help" },
  path: ["outgoingEdgeId"],
  from: { eventId: "help" },
};
const box = (id: string, x: number, y: number, kind: Box["kind"] = "group"): Box => ({
  kind,
  id,
  x,
  y,
  width: 272,
  height: 100,
});
const boxes = [box("a", 0, 0), box("b", 400, 40), box("start", -300, 8, "event")];
const at = { x: 33.4, y: 66.6 };

/** At least one example for each command. Commands with several effects have several examples. */
export const examples: readonly Example[] = [
  example(addGroup, {}),
  example(addGroup, { title: "More", at, from: outlet("a3", "item", "i2") }),
  example(addGroup, {}, bare),
  example(renameGroup, { groupId: "a", title: "Other" }),
  example(remove, { groupIds: ["b"] }),
  example(remove, { groupIds: ["a", "c"], eventIds: ["help"], noteIds: ["n1"], frameIds: ["f1"] }),
  example(remove, { blockIds: ["a1", "c2"], items: [{ blockId: "a3", itemId: "i1" }] }),
  example(remove, { blockIds: ["d1"] }),
  example(lead, { from: outlet("d1"), to: { groupId: "b" }, title: "Offer" }),
  example(lead, { from: outlet("b1"), to: { groupId: "c", blockId: "c3" } }),
  example(lead, { from: ofHelp, to: { groupId: "d" }, title: "End" }),
  example(addWayOut, { blockId: "a2", name: "timeout", line: "After 10 minutes" }),
  example(addWayOut, { blockId: "c2", name: "failure", line: "On failure" }),
  example(removeWayOut, { from: outlet("p1", "failure", undefined, leaving), line: "On failure" }, leaving),
  example(lead, { from: outlet("p1", "failure", undefined, leaving), to: { groupId: "p" } }, leaving),
  example(unlead, { from: outlet("a3", "item", "i1") }),
  example(reroute, { from: outlet("a3"), to: outlet("d1") }),
  example(reroute, { from: outlet("a3", "item", "i1"), to: outlet("b1") }),
  example(pasteClip, { clip: copy(rich, { groupIds: ["a", "b"], noteIds: ["n1"], frameIds: ["f1"] }), at }),
  example(pasteClip, { clip: copy(rich, { blockIds: ["a2", "a3"] }), into: { groupId: "a", before: "a1" } }),
  example(pasteClip, {
    clip: copy(rich, { items: [{ blockId: "a3", itemId: "i1" }] }),
    block: { blockId: "a3", before: "i2" },
  }),
  example(pasteClip, { clip: copy(rich, { groupIds: ["a"], noteIds: ["n1"] }) }, bare),
  example(addBlock, { type: text, groupId: "b", before: "b1" }),
  example(addBlock, { type: text, groupId: "b" }, bare),
  example(setInBlock, { blockId: "a2", path: ["options", "labels", "button"], value: "Send", title: "Button" }),
  example(setInBlock, { blockId: "a2", path: ["options", "labels"] }),
  example(setInBlock, { blockId: "a2", path: ["options"], value: { future: [1, { a: null }] }, title: "Options" }),
  example(setInBlock, { blockId: "a3", path: ["items", 1, "content"], value: "Never", title: "Label" }),
  example(setInBlock, { blockId: "a3", path: ["items", 0], title: "Buttons" }),
  example(setInBlock, {
    blockId: "a1",
    path: ["content", "richText"],
    value: [{ type: "p", children: [{ text: "" }] }],
    title: "Text",
  }),
  example(writeText, {
    blockId: "a1",
    tree: [{ type: "p", children: [{ text: "Written in its place" }] }],
    opening: "o1",
    title: "Text",
  }),
  example(
    setInBlock,
    { blockId: "a2", path: ["options", "isMultipleChoice"], value: true, title: "Allow several choices" },
    bare,
  ),
  example(setInBlocks, {
    blockIds: ["a2", "c3"],
    path: ["options", "labels", "placeholder"],
    value: "Here",
    title: "Placeholder",
  }),
  example(setInBlocks, { blockIds: ["a2", "c3"], path: ["options", "labels", "button"], title: "Button" }),
  example(moveBlocks, { blockIds: ["a1", "c2"], groupId: "d", before: "d1" }),
  example(moveBlocks, { blockIds: ["a3", "b1"], groupId: "e" }),
  example(shiftBlock, { blockId: "a2", by: -1, groupOrder: ["a", "b", "c", "d", "e"] }),
  example(shiftBlock, { blockId: "c3", by: 1, groupOrder: ["a", "b", "c", "d", "e"] }),
  example(duplicate, { blockIds: ["a2", "a3"] }),
  example(duplicate, { groupIds: ["a", "b"] }),
  example(addItem, { blockId: "a3", before: "i2", value: { content: "Maybe" } }),
  example(addItem, { blockId: "c1" }),
  example(addItem, { blockId: "a2" }, bare),
  example(shiftItem, { blockId: "a3", itemId: "i1", by: 1 }),
  example(shiftItem, { blockId: "a3", itemId: "i3", by: -1 }),
  example(changeType, { blockId: "a2", type: number }),
  example(changeType, { blockId: "a3", type: number }),
  example(addBlockAt, { type: text, at, from: outlet("d1") }),
  example(insertBlock, { type: text, at, into: outlet("a3") }),
  example(takeBlocksOut, { blockIds: ["a1", "c2"], at }),
  example(takeBlocksOut, { blockIds: ["a1"], at, into: outlet("b1") }),
  example(insertGroup, { groupId: "d", into: outlet("b1") }),
  example(addEvent, { type: "reply" }),
  example(setInEvent, { eventId: "help", path: ["options", "command"], value: "start", title: "Command" }),
  example(setInEvent, { eventId: "help", path: ["options"] }),
  example(mendFindings, { changes: [{ op: "remove", of: "variable", id: idOf("v3") }], count: 1 }),
  example(lock, { groupIds: ["a", "b"], isLocked: true }),
  example(lock, { groupIds: ["a"], isLocked: false }, locked),
  example(lock, { groupIds: ["a"], isLocked: true }, bare),
  example(setInPart, { of: "theme", path: ["general", "font", "family"], value: "Lora", title: "Font" }),
  example(setInPart, { of: "theme", path: ["chat", "hostBubbles", "backgroundColor"], value: "#00ff00" }),
  example(setInPart, { of: "settings", path: ["general", "isInputPrefillEnabled"] }),
  example(setInPart, { of: "settings", path: ["typingEmulation", "speed"], value: 3 }, bare),
  example(restoreRemoved, {
    restore: [{ op: "add", of: "group", value: { id: "gone", title: "Gone", blocks: [says("was", "Was here")] } }],
  }),
  example(replaceTheme, { theme: { chat: { roundness: "none" } }, from: "Other bot" }),
  example(moveThings, { things: boxes, by: { x: 8, y: -64 } }),
  example(moveThings, { things: [box("a", 0, 0), box("b", 0, 0), box("c", 0, 0)], by: { x: 8, y: 0 }, byKeys: true }),
  example(moveThings, { things: [box("a", 0, 0)], by: { x: 8, y: 0 } }, bare),
  example(moveThingsTo, { boxes, to: { x: 100 } }),
  example(align, { boxes, edge: "bottom" }),
  example(distribute, { boxes, axis: "across" }),
  example(tidy, {
    places: [
      { kind: "group", id: "d", x: 1, y: 2 },
      { kind: "frame", id: "f1", x: 0, y: 0, width: 300, height: 200 },
    ],
  }),
  example(addNote, { at, text: "Hello" }),
  example(addNote, { at }, bare),
  example(addFrame, { around: boxes, title: "All" }),
  example(addFrame, { at }, bare),
  example(writeNote, { noteId: "n1", text: "Longer" }),
  example(renameFrame, { frameId: "f1", title: "Other" }),
  example(resize, { kind: "note", id: "n1", box: { x: 0, y: 310, width: 400, height: 400 } }),
  example(resize, { kind: "frame", id: "f1", box: { x: -20, y: -80, width: 900, height: 400 } }),
  example(paint, { color: "blue", groupIds: ["a", "b"], noteIds: ["n1"], frameIds: ["f1"] }),
  example(paint, { color: undefined, groupIds: ["b"] }),
  example(paint, { color: "blue", groupIds: ["a"] }, bare),
  example(replaceTexts, { query: { text: "hello" }, by: "Good day" }),
  example(addVariable, { name: "City" }),
  example(addVariable, { name: "City", id: "v9" }, bare),
  example(renameVariable, { variableId: idOf("v2"), name: "First name" }),
  example(mergeVariable, { from: idOf("v2"), into: idOf("v1") }),
  example(removeVariable, { variableId: idOf("v2") }),
  example(setInVariable, { variableId: idOf("v2"), key: "value" }),
  example(setInVariable, { variableId: idOf("v1"), key: "isSessionVariable", value: true }),
];
