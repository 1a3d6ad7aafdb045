import { diffTexts } from "../text/edit.ts";
import { cross, LengthMisses, type TextOp } from "../text/ops.ts";
import type { Change, EditChange, Path } from "./change.ts";
import { type Committed, isPlacement, meets, placeOf } from "./footprint.ts";
import { keyOf, naming, valueAtPath } from "./things.ts";

/**
 * The effects of other authors' sets on texts. My edits of the same draft are transformed against these effects one by
 * one.
 */
export type TheirTexts = {
  /**
   * Transforms my edit against the other authors' edits, and then their edits against mine. Returns undefined if the
   * other authors replaced the text, or a value that contains the text, without an edit. Throws `LengthMisses`.
   */
  pass(mine: EditChange): EditChange | undefined;
  /**
   * Records that my value equals the value that other authors have already set. My later edits are based on this value.
   */
  agree(mine: SetChange): void;
  /** Returns whether all other authors' changes to the edited text are edits or have an equivalent edit. */
  takes(mine: EditChange): boolean;
  /**
   * Returns the other authors' sets as transformed so far. In each `inverse`, only the values of `set` changes are
   * updated to match the transformed sets.
   */
  sets(): readonly Committed[];
};

type Slot = {
  readonly set: number;
  readonly index: number;
  readonly path: Path;
  readonly change: EditChange | SetChange;
  ops: readonly TextOp[] | undefined;
  /** The `set` change with a value that both sides have set. */
  agreed?: SetChange;
};

type SetChange = Extract<Change, { op: "set" }>;

/**
 * Collects the effects of other authors' sets on texts. A `set` that only replaced a text is treated as the equivalent
 * edit.
 */
export function theirTexts(theirs: readonly Committed[]): TheirTexts {
  const slots = slotsOf(theirs);
  const changed = new Map<Slot, EditChange | SetChange>();
  const metBy = (mine: EditChange): readonly Slot[] => {
    const { target, path } = placeOf(mine);
    return slots.get(keyOf(target))?.filter((slot) => meets(slot.path, path)) ?? [];
  };
  const opsAt = (slot: Slot, mine: EditChange): readonly TextOp[] | undefined =>
    slot.path.length === placeOf(mine).path.length ? opsOf(theirs, slot, mine) : undefined;
  return {
    agree(mine) {
      const { target, path } = placeOf(mine);
      if (isPlacement({ target, path })) return;
      for (const slot of slots.get(keyOf(target)) ?? []) {
        if (slot.path.length < path.length || !meets(slot.path, path)) continue;
        const value = valueAtPath(mine.value, slot.path.slice(path.length));
        slot.agreed = setting(slot.change, value);
        slot.ops = undefined;
        changed.set(slot, slot.agreed);
      }
    },
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
        const slotsOfSet = bySet.get(set);
        if (!slotsOfSet) return one;
        const [changes, inverse] = [[...one.changes], [...one.inverse]];
        for (const [{ index, agreed }, now] of slotsOfSet) {
          changes[index] = now;
          if (agreed) inverse[inverse.length - 1 - index] = agreed;
        }
        return { ...one, changes, inverse };
      });
    },
  };
}

/** Transforms other authors' sets against my changes to the same draft. */
export function passOver<Theirs extends Committed>(
  theirs: readonly Theirs[],
  mine: readonly Change[],
): readonly Theirs[] {
  const written = mine.filter((change) => change.op === "edit" || change.op === "set");
  if (written.length === 0 || theirs.length === 0) return theirs;
  const texts = theirTexts(theirs);
  for (const change of written) {
    try {
      // A value that differs from the other authors' value would have been reported as a conflict.
      if (change.op === "set") texts.agree(change);
      else texts.pass(change);
    } catch (error) {
      // An edit that cannot be made has no effect on the other edits.
      if (!(error instanceof LengthMisses)) throw error;
    }
  }
  const passed = texts.sets();
  return theirs.map((one, index) => {
    const { changes, inverse } = passed[index] ?? one;
    return changes === one.changes ? one : { ...one, changes, inverse };
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

/**
 * Returns the operations that are equivalent to another author's change of a text. Returns undefined if the change has
 * no equivalent for the kind of text that `mine` edits.
 */
function opsOf(
  theirs: readonly Committed[],
  { set, index, change, ops, agreed }: Slot,
  mine: EditChange,
): readonly TextOp[] | undefined {
  if (agreed) return ops ?? diffTexts(agreed.value, agreed.value, mine.text)?.ops;
  if (change.op === "edit") return change.text === mine.text ? ops : undefined;
  if (ops) return ops;
  const undo = theirs[set]?.inverse.at(-1 - index);
  return undo?.op === "set" ? diffTexts(undo.value, change.value, mine.text)?.ops : undefined;
}

function setting(change: Slot["change"], value: unknown): SetChange {
  return { op: "set", ...naming(change), path: change.path, ...(value !== undefined && { value }) };
}

function isOptional(change: Slot["change"]): boolean {
  return change.op === "set" ? change.value === undefined : change.isOptional === true;
}
