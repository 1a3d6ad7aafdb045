import type { Change, EditChange, SetOrigin } from "../../../../core/editing/changes/change.ts";
import { targetOf } from "../../../../core/editing/changes/footprint.ts";
import { type TheirTexts, theirTexts } from "../../../../core/editing/changes/their-texts.ts";
import { isSame, keyOf } from "../../../../core/editing/changes/things.ts";
import { compose, LengthMisses } from "../../../../core/editing/text/ops.ts";
import type { Others } from "./replica.ts";

/** An action of this tab's author, with its inverse. */
export type Entry = {
  /** The action's number in the order of all actions, which is also its storage key. */
  readonly number: number;
  /** The change sets in which the action was sent. Long typing or a very large action may need several sets. */
  readonly setIds: readonly string[];
  readonly title: string;
  readonly inverse: readonly Change[];
  /** The number of other people's change sets that had arrived before the action. */
  readonly seen: number;
  /** Identifies the field that the action changed, if consecutive changes of the field are one action. */
  readonly field?: string;
  /** Set if the service made the change set at the author's request. */
  readonly origin?: SetOrigin;
  readonly at: number;
};

/** The actions that can be undone and the actions that can be redone. The latest action is the last entry. */
export type History = {
  readonly undo: readonly Entry[];
  readonly redo: readonly Entry[];
  /** The latest change sets of other people. `forgotten` is the number of earlier sets that were dropped. */
  readonly others: readonly Others[];
  readonly forgotten: number;
  readonly next: number;
};

/** The greatest number of actions that can be undone. */
const acts = 1_000;
/** The greatest number of other people's change sets that are kept, which are only needed for undo. */
const othersKept = 2_000;
/**
 * Consecutive changes of one field are one action if no pause is longer than this. During one opening of an editor
 * (`open/…`), all typing is one action.
 */
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

/**
 * Whether an action continues the previous one: a change of the same field within a second, or while the field's editor
 * is open.
 */
export function goesOn({ undo }: History, field: string | undefined, at: number): boolean {
  const last = undo.at(-1);
  return field !== undefined && last?.field === field && (at - last.at <= pauseMs || field.startsWith("open/"));
}

/**
 * Adds an action to the history, or merges it with the last action if it continues that action. Clears the redo stack.
 */
export function noteAct(history: History, act: Act): History {
  const last = history.undo.at(-1);
  const inverse = last && goesOn(history, act.field, act.at) ? gathered(act.inverse, last.inverse) : undefined;
  if (last && inverse) {
    const setIds = [...new Set([...last.setIds, ...act.setIds])];
    return { ...history, undo: [...history.undo.slice(0, -1), { ...last, setIds, inverse, at: act.at }], redo: [] };
  }
  return { ...history, undo: pushed(history.undo, entryOf(history, act)), redo: [], next: history.next + 1 };
}

/** Records that the last action of a stack was undone or redone. The new action is pushed onto the opposite stack. */
export function noteStep(history: History, from: "undo" | "redo", act: Act): History {
  const to = from === "undo" ? "redo" : "undo";
  const stacks = { [from]: history[from].slice(0, -1), [to]: pushed(history[to], entryOf(history, act)) };
  return { ...history, ...stacks, next: history.next + 1 };
}

/** Removes the last action of a stack. Called for an action that has nothing left to undo. */
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
 * Adapts the inverses of typed letters after other people edited the same texts. The stack is processed from its end,
 * in the order in which actions are undone.
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

/**
 * Adapts an edit to other people's edits. If they replaced the text, the edit stays unchanged, and the undo reports the
 * conflict.
 */
function passed(texts: TheirTexts, change: EditChange): EditChange {
  try {
    return texts.pass(change) ?? change;
  } catch (error) {
    if (error instanceof LengthMisses) return change;
    throw error;
  }
}

/**
 * Combines the inverses of an action and its continuation. Edits of a text are combined. For other values, the first
 * inverse already contains the original value. Returns undefined if other people changed the value in between, so that
 * the actions stay separate.
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

/** Returns the change sets of other people since an action, as far as they are still kept. */
export function othersSince({ others, forgotten }: History, { seen }: Entry): readonly Others[] {
  return others.slice(Math.max(0, seen - forgotten));
}

/** Removes the actions whose change sets are all in `setIds`, because these sets never became part of the draft. */
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
