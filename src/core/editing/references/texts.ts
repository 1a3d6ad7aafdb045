import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import type { DraftDocument, Path, Target } from "../changes/change.ts";
import { entriesOf, idOf, objectsIn } from "../changes/things.ts";
import { isCodeAt, itemsById } from "./references.ts";

/** A leaf of rich text: the path of its string and its range within the line. */
export type Leaf = { readonly path: Path; readonly start: number; readonly end: number };

/** A text of an entry: a string, or a line of rich text with its leaves. */
export type Text = {
  /** The path of the string. For a line, the path of the element that contains its leaves. */
  readonly path: Path;
  readonly text: string;
  readonly isCode: boolean;
  readonly leaves?: readonly Leaf[];
};

/** A text of a draft and the entry that contains the text. */
export type PlacedText = { readonly target: Target; readonly text: Text };

/** All texts of an entry. `groupId` is the id of a group, or the group of a block. */
export type TextsOfThing = { readonly texts: readonly PlacedText[]; readonly groupId?: string };

/** Returns whether a string is one of a field's allowed values rather than free text. */
export type IsWord = (type: string, path: Path) => boolean;

const noWords: IsWord = () => false;

/**
 * Yields the texts that authors wrote in events, groups with their blocks, the theme, the settings, notes and frames,
 * in this order. Ids and keys are excluded.
 */
export function* eachText(draft: DraftDocument, isWord: IsWord = noWords): Generator<TextsOfThing> {
  for (const event of objectsIn(draft.events)) yield { texts: textsOf("event", event, isWord) };
  for (const group of objectsIn(draft.groups)) {
    const groupId = idOf(group);
    if (groupId === undefined) continue;
    yield { texts: textsOf("group", group, isWord), groupId };
    for (const block of objectsIn(group["blocks"])) yield { texts: textsOf("block", block, isWord), groupId };
  }
  for (const of of ["theme", "settings"] as const) {
    const part = draft[of];
    if (isJsonObject(part)) yield { texts: textsOf(of, part, isWord) };
  }
  for (const note of objectsIn(draft.editor?.["notes"])) yield { texts: textsOf("note", note, isWord) };
  for (const frame of objectsIn(draft.editor?.["frames"])) yield { texts: textsOf("frame", frame, isWord) };
}

type Kind = "event" | "group" | "block" | "note" | "frame" | "theme" | "settings";

/** The properties of each entry type that contain texts. For theme and settings, all properties are searched. */
const parts: Readonly<Record<Exclude<Kind, "theme" | "settings">, readonly string[]>> = {
  event: ["options"],
  group: ["title"],
  block: ["content", "options", "items"],
  note: ["text", "title"],
  frame: ["text", "title"],
};

// The cache is valid because a change replaces an entry with a new object.
const known = new WeakMap<IsWord, WeakMap<object, readonly PlacedText[]>>();

function textsOf(of: Kind, thing: JsonObject, isWord: IsWord): readonly PlacedText[] {
  const read = known.get(isWord) ?? new WeakMap<object, readonly PlacedText[]>();
  known.set(isWord, read);
  const found = read.get(thing) ?? readTexts(of, thing, isWord);
  read.set(thing, found);
  return found;
}

function readTexts(of: Kind, thing: JsonObject, isWord: IsWord): readonly PlacedText[] {
  const isWhole = of === "theme" || of === "settings";
  const id = isWhole ? undefined : idOf(thing);
  if (id === undefined && !isWhole) return [];
  const made: PlacedText[] = [];
  const type = typeof thing["type"] === "string" && !isWhole ? thing["type"] : of;
  const items = of === "block" ? itemsById(thing) : undefined;
  const add = (path: Path, text: string, leaves?: readonly Leaf[]): void => {
    if (text === "" || ((of === "block" || isWhole) && !leaves && isWord(type, path))) return;
    const found: Text = { path, text, isCode: isCodeAt(thing, path), ...(leaves && { leaves }) };
    const [first, index] = path;
    const itemId = first === "items" && typeof index === "number" ? items?.[index] : undefined;
    made.push(
      itemId === undefined
        ? { target: { of, ...(id !== undefined && { id }) }, text: found }
        : { target: { of: "item", id: itemId, ...(id !== undefined && { in: id }) }, text: within(found) },
    );
  };
  for (const key of isWhole ? Object.keys(thing) : parts[of]) collect(thing[key], [key], add);
  return made;
}

type Add = (path: Path, text: string, leaves?: readonly Leaf[]) => void;

function collect(value: unknown, path: Path, add: Add): void {
  if (typeof value === "string") {
    add(path, value);
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) collect(entry, [...path, index], add);
  } else if (isJsonObject(value)) {
    if (entriesOf(value["children"]).some(isLeaf)) addLine(value, path, add);
    for (const [key, inner] of Object.entries(value)) {
      if (isNoText(key) || (typeof inner !== "string" && typeof inner !== "object")) continue;
      if (key === "children" && entriesOf(inner).some(isLeaf)) collectAddresses(inner, [...path, key], add);
      else collect(inner, [...path, key], add);
    }
  }
}

/** Adds a line of rich text. The texts of its leaves, including the leaves of links, are joined. */
function addLine(element: JsonObject, path: Path, add: Add): void {
  const leaves: Leaf[] = [];
  let text = "";
  const walk = (children: unknown, at: Path): void => {
    for (const [index, child] of entriesOf(children).entries()) {
      if (!isJsonObject(child)) continue;
      const { text: own, children: inner } = child;
      if (typeof own === "string" && !Array.isArray(inner)) {
        leaves.push({ path: [...at, index, "text"], start: text.length, end: text.length + own.length });
        text += own;
      } else walk(inner, [...at, index, "children"]);
    }
  };
  walk(element["children"], [...path, "children"]);
  add(path, text, leaves);
}

/** Adds the texts of a line that are not in leaves, such as the addresses of links. */
function collectAddresses(children: unknown, path: Path, add: Add): void {
  for (const [index, child] of entriesOf(children).entries()) {
    if (!isJsonObject(child) || isLeaf(child)) continue;
    for (const [key, inner] of Object.entries(child)) {
      if (key === "children") collectAddresses(inner, [...path, index, key], add);
      else if (!isNoText(key)) collect(inner, [...path, index, key], add);
    }
  }
}

function isLeaf(child: unknown): boolean {
  return isJsonObject(child) && typeof child["text"] === "string" && !Array.isArray(child["children"]);
}

function isNoText(key: string): boolean {
  return key === "type" || /(^i|I)ds?$/.test(key);
}

/** Makes the paths of a text relative to the item that contains the text. */
function within({ path, leaves, ...rest }: Text): Text {
  return {
    ...rest,
    path: path.slice(2),
    ...(leaves && { leaves: leaves.map((leaf) => ({ ...leaf, path: leaf.path.slice(2) })) }),
  };
}
