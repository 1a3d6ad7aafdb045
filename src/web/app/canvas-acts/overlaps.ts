import type { Card } from "../canvas/contract.ts";
import { farthest } from "../editor/place-of-thing.ts";

/** Nearer than this to one another, cards lie on one another. */
const near = 64;

/**
 * Whether cards cover each other so that they cannot be distinguished, as in a flow from a program that gave them no
 * places, or whether some lie out of reach.
 */
export function hasOverlaps(cards: Iterable<Card>): boolean {
  const places = new Set<string>();
  let count = 0;
  for (const { kind, box } of cards) {
    if (Math.max(Math.abs(box.x), Math.abs(box.y)) >= farthest) return true;
    if (kind !== "group") continue;
    count++;
    places.add(`${Math.round(box.x / near)} ${Math.round(box.y / near)}`);
  }
  return count > 1 && places.size * 2 <= count;
}
