import type { JsonObject } from "../../interpreter/flow.ts";
import { type Content, type Looks, lengthOf, type Segment } from "./content.ts";
import { diffContents } from "./difference.ts";
import {
  applyOps,
  compose,
  invertOps,
  isIdle,
  LengthMisses,
  lengthsOf,
  type TextEdit,
  type TextKind,
  type TextOp,
  wrapping,
} from "./ops.ts";
import { areStorableMarks, isStorable, isStorableLine, treeOf, unitsOf } from "./units.ts";

/** Thrown when an edit does not fit the text. */
export class EditMisses extends Error {
  /** The problem, phrased to follow the position of the change. */
  readonly reason: string;

  constructor(reason: string) {
    super(`This edit cannot be applied, because it ${reason}`);
    this.name = "EditMisses";
    this.reason = reason;
  }
}

export function kindAt(path: readonly (string | number)[]): TextKind {
  return path.at(-1) === "richText" ? "rich" : "plain";
}

/**
 * Converts a value to units. Returns undefined if the value is not a text of this kind, or if a conversion back would
 * change the value.
 */
export function contentOf(value: unknown, kind: TextKind): Content | undefined {
  if (kind === "plain") return value === undefined ? "" : typeof value === "string" ? value : undefined;
  if (value === undefined) return unitsOf([]);
  return Array.isArray(value) ? unitsOf(value) : undefined;
}

/** Applies an edit to a text. Throws `EditMisses`. */
export function editText(value: unknown, { text, ops, isOptional }: TextEdit): unknown {
  const before = contentOf(value, text);
  if (before === undefined) throw new EditMisses(`edits a text that is not a ${text} text`);
  if (text === "rich" && !keepsEnd(ops)) throw new EditMisses("must keep the end of the last line as its last step");
  const after = unlessMissed(() => applyOps(before, ops), before, ops);
  if (!isWhole(after) && isWhole(before))
    throw new EditMisses("splits a character: a pair of UTF-16 units must stay together");
  if (typeof after === "string") return after === "" && isOptional ? undefined : after;
  const tree = treeOf(after);
  return tree.length === 0 && isOptional ? undefined : tree;
}

/** Returns the inverse of an edit. Throws `EditMisses`. */
export function invertEdit(value: unknown, edit: TextEdit): TextEdit {
  const { text, ops } = edit;
  const before = contentOf(value, text);
  if (before === undefined) throw new EditMisses(`edits a text that is not a ${text} text`);
  const inverse = unlessMissed(() => invertOps(before, ops), before, ops);
  const after = text === "rich" ? contentOf(editText(value, edit), text) : undefined;
  // The conversion to units may lose details of line ends. For example, an empty text has no line.
  const rest = after === undefined ? [] : diffContents(applyOps(after, inverse), before);
  return {
    text,
    ops: isIdle(rest) ? inverse : compose(inverse, rest),
    ...(value === undefined && { isOptional: true }),
  };
}

/** Returns the edit from one text to another, or undefined if either value is not a text of this kind. */
export function diffTexts(before: unknown, after: unknown, kind: TextKind): TextEdit | undefined {
  const [from, to] = [contentOf(before, kind), contentOf(after, kind)];
  if (from === undefined || to === undefined) return undefined;
  const ops = diffContents(from, to);
  return { text: kind, ops, ...(after === undefined && { isOptional: true }) };
}

/** Returns the error in the operations of an edit, independent of the text. Returns undefined for valid operations. */
export function wrongWith(kind: TextKind, ops: readonly TextOp[]): string | undefined {
  for (const op of ops) {
    if (stepKinds.filter((kind) => kind in op).length !== 1)
      return "has a step that is not one of keep, drop, put and mark";
    if ("put" in op && (typeof op.put === "string") !== (kind === "plain")) {
      return kind === "plain"
        ? "inserts something other than a string into a plain text"
        : "inserts a string into a rich text";
    }
    if ("put" in op && typeof op.put !== "string" && !op.put.every(isStorable))
      return "inserts something that a rich text cannot contain";
    if ("mark" in op && kind === "plain") return "marks characters of a plain text";
    if ("mark" in op && !isStorableLook(op)) return "uses marks that a rich text cannot have";
  }
  return undefined;
}

const stepKinds = ["keep", "drop", "put", "mark"];

function isStorableLook({ marks = {}, link, line }: Looks): boolean {
  const kept: JsonObject = Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== null));
  return (
    areStorableMarks(kept) && (!link || (!("type" in link) && !("children" in link))) && (!line || isStorableLine(line))
  );
}

/** Returns whether the edit keeps the last unit of a rich text, which is the end of its last line. */
function keepsEnd(ops: readonly TextOp[]): boolean {
  const last = ops.at(-1);
  return last !== undefined && ("keep" in last || "mark" in last);
}

function isWhole(content: Content): boolean {
  if (typeof content === "string") return content.isWellFormed();
  return content.every((segment: Segment) => !("text" in segment) || segment.text.isWellFormed());
}

function unlessMissed<Value>(make: () => Value, before: Content, ops: readonly TextOp[]): Value {
  const reason = () => `covers ${lengthsOf(ops).before} units of a text of ${lengthOf(before)}`;
  return wrapping(make, (error) => (error instanceof LengthMisses ? new EditMisses(reason()) : error));
}
