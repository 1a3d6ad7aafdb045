import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import { placeOfThing } from "../place-of-thing.ts";
import { around, type Point, type Size } from "./arrange.ts";
import { bounds, type Command, findGroup } from "./command.ts";

/**
 * The colours of groups, notes and frames. They are names, so that the light and dark schemes can have their own
 * shades.
 */
export const colors = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;
export type Color = (typeof colors)[number];

/** An author's note on the canvas, outside the flow. */
export type Note = Point & Size & { readonly id: string; readonly text: string; readonly color: Color | undefined };

/** A titled area that moves together with its contents. */
export type Frame = Point & Size & { readonly id: string; readonly title: string; readonly color: Color | undefined };

export const noteSize: Size = { width: 240, height: 160 };
export const leastNote: Size = { width: 120, height: 64 };
export const leastFrame: Size = { width: 160, height: 120 };
/** The gap between a frame and its initial contents. The title needs additional room at the top. */
const frameMargin = { side: 32, top: 64 } as const;

export function notesIn(draft: Pick<DraftDocument, "editor">): readonly Note[] {
  return objectsIn(draft.editor?.["notes"]).map((note) => ({
    id: idOf(note) ?? "",
    text: textAt(note, "text") ?? "",
    color: colorOf(note["color"]),
    ...placeOfThing(note),
    ...sizeOf(note, noteSize),
  }));
}

export function framesIn(draft: Pick<DraftDocument, "editor">): readonly Frame[] {
  return objectsIn(draft.editor?.["frames"]).map((frame) => ({
    id: idOf(frame) ?? "",
    title: textAt(frame, "title") ?? "",
    color: colorOf(frame["color"]),
    ...placeOfThing(frame),
    ...sizeOf(frame, { width: 480, height: 320 }),
  }));
}

/** Returns the value if it is a supported colour; otherwise undefined. */
export function colorOf(value: unknown): Color | undefined {
  return colors.find((color) => color === value);
}

export function colorOfGroup(draft: DraftDocument, groupId: string): Color | undefined {
  const stored = draft.editor?.["colors"];
  return isJsonObject(stored) ? colorOf(stored[groupId]) : undefined;
}

export const addNote: Command<{ readonly at: Point; readonly text?: string }> = {
  name: (words) => words.acts.addNote,
  make(draft, { at, text = "" }, { newId }) {
    if (isFull(draft, text)) return { refused: "notesFull" };
    const id = newId();
    const value = { id, graphCoordinates: rounded(at), size: noteSize, text };
    return { changes: [{ op: "add", of: "note", value }], made: { kind: "note", id } };
  },
};

/** Adds a frame around the given boxes. If there are no boxes, an empty frame is added at `at`. */
export const addFrame: Command<{
  readonly around?: readonly (Point & Size)[];
  readonly at?: Point;
  readonly title?: string;
}> = {
  name: (words) => words.acts.addFrame,
  make(draft, { around: boxes = [], at = { x: 0, y: 0 }, title = "" }, { newId }) {
    if (isFull(draft, title)) return { refused: "notesFull" };
    const id = newId();
    const inner = around(boxes);
    const box =
      boxes.length === 0
        ? { ...at, width: 480, height: 320 }
        : {
            x: inner.x - frameMargin.side,
            y: inner.y - frameMargin.top,
            width: inner.width + 2 * frameMargin.side,
            height: inner.height + frameMargin.top + frameMargin.side,
          };
    const value = {
      id,
      graphCoordinates: rounded(box),
      size: { width: Math.round(box.width), height: Math.round(box.height) },
      title,
    };
    return { changes: [{ op: "add", of: "frame", value }], made: { kind: "frame", id } };
  },
};

export const writeNote: Command<{ readonly noteId: string; readonly text: string }> = {
  name: (words) => words.acts.writeNote,
  make(draft, { noteId, text }) {
    const note = notesIn(draft).find(({ id }) => id === noteId);
    if (!note) return { refused: "gone" };
    if (note.text === text) return { changes: [] };
    if (text.length > note.text.length && isFull(draft, text)) return { refused: "notesFull" };
    return {
      changes: [{ op: "set", of: "note", id: noteId, path: ["text"], value: text }],
      field: `note/${noteId}/text`,
    };
  },
};

export const renameFrame: Command<{ readonly frameId: string; readonly title: string }> = {
  name: (words, { title }) => words.acts.renameFrame({ title }),
  make(draft, { frameId, title }) {
    const frame = framesIn(draft).find(({ id }) => id === frameId);
    if (!frame) return { refused: "gone" };
    if (frame.title === title) return { changes: [] };
    return {
      changes: [{ op: "set", of: "frame", id: frameId, path: ["title"], value: title }],
      field: `frame/${frameId}/title`,
    };
  },
};

/** Resizes a note or a frame. The upper left corner may move. */
export const resize: Command<{ readonly kind: "note" | "frame"; readonly id: string; readonly box: Point & Size }> = {
  name: (words, { kind }) => (kind === "note" ? words.acts.resizeNote : words.acts.resizeFrame),
  make(draft, { kind, id, box }) {
    const there = (kind === "note" ? notesIn(draft) : framesIn(draft)).find((one) => one.id === id);
    if (!there) return { refused: "gone" };
    const least = kind === "note" ? leastNote : leastFrame;
    const size = {
      width: Math.round(Math.max(least.width, box.width)),
      height: Math.round(Math.max(least.height, box.height)),
    };
    const changes: Change[] = [{ op: "set", of: kind, id, path: ["size"], value: size }];
    if (there.x !== box.x || there.y !== box.y)
      changes.push({ op: "set", of: kind, id, path: ["graphCoordinates"], value: rounded(box) });
    return { changes };
  },
};

/** Sets or removes the colour of groups, notes and frames. */
export const paint: Command<{
  readonly color: Color | undefined;
  readonly groupIds?: readonly string[];
  readonly noteIds?: readonly string[];
  readonly frameIds?: readonly string[];
}> = {
  name: (words, { color }) =>
    color === undefined ? words.acts.unpaint : words.acts.paint({ color: words.colors[color] }),
  make(draft, { color, groupIds = [], noteIds = [], frameIds = [] }) {
    const value = color === undefined ? {} : { value: color };
    const groups = groupIds
      .filter((id) => findGroup(draft, id) && colorOfGroup(draft, id) !== color)
      .map((id): Change => ({ op: "set", of: "editor", path: ["colors", id], ...value }));
    const notes = notesIn(draft).filter((note) => noteIds.includes(note.id) && note.color !== color);
    const frames = framesIn(draft).filter((frame) => frameIds.includes(frame.id) && frame.color !== color);
    return {
      changes: [
        ...groups,
        ...notes.map(({ id }): Change => ({ op: "set", of: "note", id, path: ["color"], ...value })),
        ...frames.map(({ id }): Change => ({ op: "set", of: "frame", id, path: ["color"], ...value })),
      ],
    };
  },
};

/**
 * Whether the added text would exceed the service's limit for the editor's data. Leaves 400 bytes for the JSON around
 * the text.
 */
function isFull({ editor }: DraftDocument, more: string): boolean {
  if (!editor) return false;
  const bytes = new TextEncoder().encode(JSON.stringify(editor) + more).length;
  return bytes + 400 > bounds.editorBytes;
}

function sizeOf({ size }: JsonObject, otherwise: Size): Size {
  if (!isJsonObject(size)) return otherwise;
  const { width, height } = size;
  return {
    width: typeof width === "number" && width > 0 ? width : otherwise.width,
    height: typeof height === "number" && height > 0 ? height : otherwise.height,
  };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
