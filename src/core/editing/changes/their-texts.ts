import { diffTexts } from "../text/edit.ts";
import { cross, LengthMisses, type TextOp } from "../text/ops.ts";
import type { Change, EditChange, Path } from "./change.ts";
import { type Committed, meets, placeOf } from "./footprint.ts";
import { keyOf } from "./things.ts";

/** The effects of others' sets on texts, while my edits of the same draft are transformed against them, one after the other. */
export type TheirTexts = {
  /**
   * An edit of mine transformed against theirs; theirs are then transformed against mine. Undefined if they replaced the text, or a value
   * around it, by other means than an edit. Throws `LengthMisses`.
   */
  pass(mine: EditChange): EditChange | undefined;
  /** Whether all of their changes to the text of an edit are edits, too. */
  takes(mine: EditChange): boolean;
  /** Their sets in their present form. In each `inverse` only the values of `set` are then right. */
  sets(): readonly Committed[];
};

type Slot = {
  readonly set: number;
  readonly index: number;
  readonly path: Path;
  readonly change: EditChange | Extract<Change, { op: "set" }>;
  ops: readonly TextOp[] | undefined;
};

/** A `set` of theirs that only replaced a text counts as the equivalent edit. */
export function theirTexts(theirs: readonly Committed[]): TheirTexts {
  const slots = slotsOf(theirs);
  const changed = new Map<Slot, EditChange>();
  const metBy = (mine: EditChange): readonly Slot[] => {
    const { target, path } = placeOf(mine);
    return slots.get(keyOf(target))?.filter((slot) => meets(slot.path, path)) ?? [];
  };
  const opsAt = (slot: Slot, mine: EditChange): readonly TextOp[] | undefined =>
    slot.path.length === placeOf(mine).path.length ? opsOf(theirs, slot, mine) : undefined;
  return {
    takes: (mine) => metBy(mine).every((slot) => opsAt(slot, mine) !== undefined),
    pass(mine) {
      const met = metBy(mine);
      if (met.length === 0) return mine;
      const steps: { readonly slot: Slot; readonly ops: readonly TextOp[] }[] = [];
      let { ops } = mine;
      for (const slot of met) {
        const theirOps = opsAt(slot, mine);
        if (!theirOps) return undefined;
        const crossed = cross(theirOps, ops);
        steps.push({ slot, ops: crossed.earlier });
        ops = crossed.later;
      }
      for (const { slot, ops: now } of steps) {
        slot.ops = now;
        const { isOptional: _, ...edit } = mine;
        changed.set(slot, { ...edit, ops: now, ...(isOptional(slot.change) && { isOptional: true }) });
      }
      return { ...mine, ops };
    },
    sets() {
      if (changed.size === 0) return theirs;
      const bySet = Map.groupBy(changed, ([{ set }]) => set);
      return theirs.map((one, set) => {
        const edits = new Map(bySet.get(set)?.map(([{ index }, edit]) => [index, edit]));
        if (edits.size === 0) return one;
        return { ...one, changes: one.changes.map((change, index) => edits.get(index) ?? change) };
      });
    },
  };
}

/** Others' sets transformed against my changes of the same draft. */
export function passOver<Theirs extends Committed>(
  theirs: readonly Theirs[],
  mine: readonly Change[],
): readonly Theirs[] {
  const edits = mine.filter((change) => change.op === "edit");
  if (edits.length === 0 || theirs.length === 0) return theirs;
  const texts = theirTexts(theirs);
  for (const edit of edits) {
    try {
      texts.pass(edit);
    } catch (error) {
      // An edit that cannot be made moves nothing.
      if (!(error instanceof LengthMisses)) throw error;
    }
  }
  const passed = texts.sets();
  return theirs.map((one, index) => {
    const changes = passed[index]?.changes ?? one.changes;
    return changes === one.changes ? one : { ...one, changes };
  });
}

function slotsOf(theirs: readonly Committed[]): ReadonlyMap<string, readonly Slot[]> {
  const slots = new Map<string, Slot[]>();
  for (const [set, { changes }] of theirs.entries()) {
    for (const [index, change] of changes.entries()) {
      if (change.op !== "edit" && change.op !== "set") continue;
      const { target, path } = placeOf(change);
      const key = keyOf(target);
      const slot = { set, index, path, change, ops: change.op === "edit" ? change.ops : undefined };
      const known = slots.get(key);
      if (known) known.push(slot);
      else slots.set(key, [slot]);
    }
  }
  return slots;
}

/** The edit that is equivalent to a `set` of a text. */
function opsOf(
  theirs: readonly Committed[],
  { set, index, change, ops }: Slot,
  mine: EditChange,
): readonly TextOp[] | undefined {
  if (change.op === "edit") return change.text === mine.text ? ops : undefined;
  if (ops) return ops;
  const undo = theirs[set]?.inverse.at(-1 - index);
  return undo?.op === "set" ? diffTexts(undo.value, change.value, mine.text)?.ops : undefined;
}

function isOptional(change: Slot["change"]): boolean {
  return change.op === "set" ? change.value === undefined : change.isOptional === true;
}
