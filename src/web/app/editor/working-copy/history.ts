import type { Change, EditChange, SetOrigin } from "../../../../core/editing/changes/change.ts";
import { targetOf } from "../../../../core/editing/changes/footprint.ts";
import { type TheirTexts, theirTexts } from "../../../../core/editing/changes/their-texts.ts";
import { isSame, keyOf } from "../../../../core/editing/changes/things.ts";
import { compose, LengthMisses } from "../../../../core/editing/text/ops.ts";
import type { Others } from "./replica.ts";

/** One act of this tab's author, and its inverse. */
export type Entry = {
  /** The act's place in the order of all acts: the key under which it is stored. */
  readonly number: number;
  /** The sets in which the act was sent: one, or several during long typing. */
  readonly setIds: readonly string[];
  readonly title: string;
  readonly inverse: readonly Change[];
  /** How many sets of others had arrived by then. */
  readonly seen: number;
  /** The field that was typed into, and the time of the last typing. */
  readonly field?: string;
  /** The service made the set at its author's request. */
  readonly origin?: SetOrigin;
  readonly at: number;
};

/** The acts that can be undone, and those that can be redone; the latest one comes first. */
export type History = {
  readonly undo: readonly Entry[];
  readonly redo: readonly Entry[];
  /** The changes of others since the oldest of these acts, and how many of their changes are forgotten. */
  readonly others: readonly Others[];
  readonly forgotten: number;
  readonly next: number;
};

/** The number of acts that can be undone. */
const acts = 1_000;
/** The number of remembered sets of others: they are needed only for acts that are undone. */
const othersKept = 2_000;
/** Typing in one field is one act while no pause is longer; in one opening of a field, `open/…`, all typing is. */
const pauseMs = 1_000;

export const noHistory: History = { undo: [], redo: [], others: [], forgotten: 0, next: 1 };

export type Act = {
  readonly setIds: readonly string[];
  readonly title: string;
  readonly inverse: readonly Change[];
  readonly field?: string;
  readonly origin?: SetOrigin;
  readonly at: number;
};

/** Whether an act continues the last one: typing in one field within a second, or while the field's editor is open. */
export function goesOn({ undo }: History, field: string | undefined, at: number): boolean {
  const last = undo.at(-1);
  return field !== undefined && last?.field === field && (at - last.at <= pauseMs || field.startsWith("open/"));
}

/** Notes an act. Undone acts can no longer be redone afterwards. */
export function noteAct(history: History, act: Act): History {
  const last = history.undo.at(-1);
  const inverse = last && goesOn(history, act.field, act.at) ? gathered(act.inverse, last.inverse) : undefined;
  if (last && inverse) {
    const setIds = [...new Set([...last.setIds, ...act.setIds])];
    return { ...history, undo: [...history.undo.slice(0, -1), { ...last, setIds, inverse, at: act.at }], redo: [] };
  }
  return { ...history, undo: pushed(history.undo, entryOf(history, act)), redo: [], next: history.next + 1 };
}

/** Notes that the last act of a stack was undone, by an act that can itself be undone. */
export function noteStep(history: History, from: "undo" | "redo", act: Act): History {
  const to = from === "undo" ? "redo" : "undo";
  const stacks = { [from]: history[from].slice(0, -1), [to]: pushed(history[to], entryOf(history, act)) };
  return { ...history, ...stacks, next: history.next + 1 };
}

/** Removes an act with nothing left to undo. */
export function dropLast(history: History, stack: "undo" | "redo"): History {
  return { ...history, [stack]: history[stack].slice(0, -1) };
}

export function noteOthers(history: History, more: readonly Others[]): History {
  if (more.length === 0) return history;
  const others = [...history.others, ...more];
  const over = Math.max(0, others.length - othersKept);
  return {
    ...history,
    undo: moved(history.undo, more),
    redo: moved(history.redo, more),
    others: others.slice(over),
    forgotten: history.forgotten + over,
  };
}

/**
 * The stack after other people edited the same texts: inverses of typed letters are adapted. Each act is undone after
 * those above it.
 */
function moved(stack: readonly Entry[], more: readonly Others[]): readonly Entry[] {
  const texts = theirTexts(more);
  return stack
    .toReversed()
    .map((entry) => {
      const inverse = entry.inverse.map((change) => (change.op === "edit" ? passed(texts, change) : change));
      return inverse.every((change, index) => change === entry.inverse[index]) ? entry : { ...entry, inverse };
    })
    .toReversed();
}

/** A change of others that is not an edit is reported by the undo itself. */
function passed(texts: TheirTexts, change: EditChange): EditChange {
  try {
    return texts.pass(change) ?? change;
  } catch (error) {
    if (error instanceof LengthMisses) return change;
    throw error;
  }
}

/**
 * The inverse of an act that another act continues: letters are gathered; for values the first inverse holds the
 * original. Undefined if others have given the text another value in between: then the act is separate.
 */
function gathered(later: readonly Change[], earlier: readonly Change[]): readonly Change[] | undefined {
  try {
    return gatheredLetters(later, earlier);
  } catch (error) {
    if (error instanceof LengthMisses) return undefined;
    throw error;
  }
}

function gatheredLetters(later: readonly Change[], earlier: readonly Change[]): readonly Change[] {
  let made = [...earlier];
  for (const change of later.toReversed()) {
    const index = made.findIndex((other) => isOfOnePlace(change, other));
    const known = made[index];
    if (known?.op === "edit" && change.op === "edit") {
      made = made.with(index, { ...known, ops: compose(change.ops, known.ops) });
    } else if (!known) made.unshift(change);
  }
  return made;
}

function isOfOnePlace(one: Change, other: Change): boolean {
  const path = (change: Change) => ("path" in change ? change.path : undefined);
  return keyOf(targetOf(one)) === keyOf(targetOf(other)) && isSame(path(one), path(other));
}

/** The changes of others since an act. */
export function othersSince({ others, forgotten }: History, { seen }: Entry): readonly Others[] {
  return others.slice(Math.max(0, seen - forgotten));
}

/** Acts that never became a part of the draft cannot be undone. */
export function forgetSets(history: History, setIds: ReadonlySet<string>): History {
  const isKept = (entry: Entry) => !entry.setIds.every((id) => setIds.has(id));
  return { ...history, undo: history.undo.filter(isKept), redo: history.redo.filter(isKept) };
}

function entryOf(history: History, act: Act): Entry {
  return { ...act, number: history.next, seen: history.forgotten + history.others.length };
}

function pushed(stack: readonly Entry[], entry: Entry): readonly Entry[] {
  return [...stack.slice(Math.max(0, stack.length + 1 - acts)), entry];
}
