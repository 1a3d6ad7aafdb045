import { type Signed, signOf } from "./marks.ts";
import { eachThing, type ThingChange } from "./thing-change.ts";

/** The counts of a difference, by kind of change. */
export const counted = ["group", "block", "event", "variable", "theme", "settings"] as const;
export type Counted = (typeof counted)[number];
export type CountedIs = "added" | "changed" | "moved" | "removed";
export type Counts = Readonly<Record<CountedIs, Readonly<Partial<Record<Counted, number>>>>>;

/**
 * How many of each were added, removed, changed or moved, among the changes that a visitor may notice. A block whose
 * items changed has changed.
 */
export function countChanges(changed: readonly ThingChange[]): Counts {
  const counts: Record<CountedIs, Partial<Record<Counted, number>>> = {
    added: {},
    changed: {},
    moved: {},
    removed: {},
  };
  for (const one of eachThing(changed)) {
    const of = counted.find((noun) => noun === one.of);
    const is = becameOf(one);
    if (of === undefined || is === undefined || !one.isNoticed) continue;
    counts[is][of] = (counts[is][of] ?? 0) + 1;
  }
  return counts;
}

function becameOf({ is, of, isMoved, inner }: ThingChange): CountedIs | undefined {
  if (is === "moved" && !isMoved) return undefined;
  if (is !== "same") return is;
  return of === "block" && inner.some(({ isNoticed }) => isNoticed) ? "changed" : undefined;
}

/** Whether the difference contains no change that a visitor may notice. */
export function isNothing(changed: readonly ThingChange[]): boolean {
  return changed.every(({ isNoticed }) => !isNoticed);
}

/** The number of lines with each sign, for a legend. */
export function countSigns(changed: readonly ThingChange[]): Readonly<Record<Signed, number>> {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
  for (const one of eachThing(changed)) {
    const is = signOf(one);
    if (is !== undefined) counts[is]++;
  }
  return counts;
}
