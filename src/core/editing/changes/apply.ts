import type { JsonObject } from "../../interpreter/flow.ts";
import { EditMisses, editText, invertEdit } from "../text/edit.ts";
import { wrapping } from "../text/ops.ts";
import { type Change, type DraftDocument, lists, type Target } from "./change.ts";
import { type OpenDraft, openDraft } from "./open-draft.ts";
import { idOf, naming, targetsIn } from "./things.ts";

/** Thrown when a change cannot be applied, for example because it refers to a part that does not exist in the draft. */
export class ChangeMisses extends Error {
  readonly change: Change;
  /** The problem, phrased to follow the position of the change: `refers to a missing block "b1" of this draft`. */
  readonly reason: string;

  constructor(change: Change, reason: string) {
    super(
      `This change cannot be applied, because it ${reason}: ${JSON.stringify({ ...change, value: undefined, ops: undefined })}`,
    );
    this.name = "ChangeMisses";
    this.change = change;
    this.reason = reason;
  }
}

/**
 * Applies changes to a draft in order. The result is not validated; `readFlowParts` decides whether a draft may be
 * stored. The given draft is not modified and shares its unchanged parts with the result. Throws `ChangeMisses`.
 */
export function apply(draft: DraftDocument, changes: readonly Change[]): JsonObject {
  const open = openDraft(draft);
  for (const change of changes) make(open, change);
  return open.close();
}

/**
 * Returns the inverse of the given changes. Applied to the changed draft, the inverse restores the original draft
 * except for key order. Throws `ChangeMisses`.
 */
export function invert(draft: DraftDocument, changes: readonly Change[]): Change[] {
  return applyUndoably(draft, changes).inverse;
}

/** Applies changes and returns the result and the inverse changes. Throws `ChangeMisses`. */
export function applyUndoably(
  draft: DraftDocument,
  changes: readonly Change[],
): { draft: JsonObject; inverse: Change[] } {
  const open = openDraft(draft);
  const inverse = changes.map((change) => makeUndoably(open, change)).reverse();
  return { draft: open.close(), inverse };
}

/** Makes a change and returns its inverse. Throws `ChangeMisses`. */
export function makeUndoably(open: OpenDraft, change: Change): Change {
  const undo = undoOf(open, change);
  make(open, change);
  return undo;
}

/** Makes a change. Throws `ChangeMisses`, possibly after the change was partly made. */
function make(open: OpenDraft, change: Change): void {
  if (!isMade(open, change)) throw new ChangeMisses(change, whyNot(open, change));
}

function isMade(open: OpenDraft, change: Change): boolean {
  switch (change.op) {
    case "add": {
      const { op: _, value, ...where } = change;
      if (idOf(value) === undefined || !open.hasList(change.of, change.in)) return false;
      if (targetsIn(change.of, value, change.in).some((target) => isTaken(open, target))) return false;
      return open.insert(where, value);
    }
    case "remove":
      return open.take(change) !== undefined;
    case "move": {
      const { op: _, id, ...where } = change;
      if (!open.hasList(change.of, change.in)) return false;
      const value = open.take(change);
      return value !== undefined && open.insert(where, value);
    }
    case "set":
      // The id identifies the entry, so it cannot be changed.
      return !(change.id !== undefined && change.path[0] === "id") && open.write(change, change.path, change.value);
    case "edit": {
      if (!isThere(open, change) || (change.id !== undefined && change.path[0] === "id")) return false;
      const text = unlessMissed(change, () => editText(open.read(change, change.path), change));
      return open.write(change, change.path, text);
    }
    default:
      return change satisfies never;
  }
}

function unlessMissed<Value>(change: Change, make: () => Value): Value {
  return wrapping(make, (error) => (error instanceof EditMisses ? new ChangeMisses(change, error.reason) : error));
}

/**
 * Returns whether the draft already contains the entry. Item ids are unique only within a block, so the items of a new
 * block cannot conflict.
 */
function isTaken(open: OpenDraft, target: Target): boolean {
  if (target.of === "item" && target.in !== undefined && !open.find({ of: "block", id: target.in })) return false;
  return open.find(target) !== undefined;
}

function undoOf(open: OpenDraft, change: Change): Change {
  switch (change.op) {
    case "add": {
      const { of, in: block } = change;
      return {
        op: "remove",
        of,
        id: idOf(change.value) ?? "",
        ...(of === "item" && block !== undefined && { in: block }),
      };
    }
    case "remove":
    case "move": {
      const { of, id } = change;
      const standing = open.standing(change);
      const value = open.find(change);
      if (!standing || !value) throw new ChangeMisses(change, whyNot(open, change));
      const { ambiguous, ...where } = standing;
      if (ambiguous) return listAsItWas(open, change);
      return change.op === "remove" ? { op: "add", of, ...where, value } : { op: "move", of, id, ...where };
    }
    case "set": {
      const { op, path } = change;
      const value = open.read(change, path);
      return { op, ...naming(change), path, ...(value !== undefined && { value }) };
    }
    case "edit": {
      const { op, path } = change;
      if (!isThere(open, change)) throw new ChangeMisses(change, whyNot(open, change));
      const inverse = unlessMissed(change, () => invertEdit(open.read(change, path), change));
      return { op, ...naming(change), path, ...inverse };
    }
    default:
      return change satisfies never;
  }
}

function isThere(open: OpenDraft, target: Target): boolean {
  return isWhole(target.of) || open.find(target) !== undefined;
}

/**
 * Returns the change that restores a whole list, for a list in which an id is missing or occurs twice. The list is
 * cloned because other changes may write to its entries.
 */
function listAsItWas(open: OpenDraft, { of, in: block = "" }: Extract<Change, { op: "remove" | "move" }>): Change {
  const { of: holder, key } = lists[of === "block" ? "group" : of];
  const target = holder === "block" ? { of: holder, id: block } : { of: holder };
  return { op: "set", ...target, path: [key], value: structuredClone(open.read(target, [key])) };
}

function whyNot(open: OpenDraft, change: Change): string {
  const { of, in: container } = change;
  const needsList = change.op === "add" || change.op === "move" || of === "item";
  if (needsList && !open.hasList(of, container)) {
    const needed = of === "block" ? "group" : of === "item" ? "block" : undefined;
    if (needed === undefined) return `needs a list of ${of}s, which this draft does not have`;
    if (container === undefined) return `needs the id of a ${needed} in \`in\``;
    if (!open.find({ of: needed, id: container })) return `refers to a missing ${needed} "${container}" of this draft`;
    return `needs a list of ${of}s, which the ${needed} "${container}" does not have`;
  }
  if (change.op === "add") {
    if (idOf(change.value) === undefined) return "needs a value with an id";
    const taken = targetsIn(of, change.value, container).find((target) => isTaken(open, target));
    return `adds a ${taken?.of} "${taken?.id}", which this draft already has`;
  }
  if (change.id === undefined && !isWhole(of)) return "needs an id";
  if (change.id !== undefined && !open.find(change)) return `refers to a missing ${of} "${change.id}" of this draft`;
  const path = change.op === "set" || change.op === "edit" ? change.path : [];
  if (path[0] === "id" && change.id !== undefined) return "would change an id";
  return `sets a value at ${JSON.stringify(path)}, whose parent does not exist`;
}

function isWhole(of: Change["of"]): boolean {
  return of === "bot" || of === "theme" || of === "settings" || of === "editor";
}
