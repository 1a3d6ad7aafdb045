import { type Signed, signOf } from "./marks.ts";
import { eachThing, type ThingChange } from "./thing-change.ts";

/** The kinds of objects that the summary counts. */
export const counted = ["group", "block", "event", "variable", "theme", "settings"] as const;
export type Counted = (typeof counted)[number];
export type CountedIs = "added" | "changed" | "moved" | "removed";
export type Counts = Readonly<Record<CountedIs, Readonly<Partial<Record<Counted, number>>>>>;

/**
 * Counts the added, removed, changed and moved objects that a visitor may notice. A block counts as changed if one of
 * its items changed.
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

/** Counts the entries with each sign, for the legend. */
export function countSigns(changed: readonly ThingChange[]): Readonly<Record<Signed, number>> {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
  for (const one of eachThing(changed)) {
    const is = signOf(one);
    if (is !== undefined) counts[is]++;
  }
  return counts;
}
