import type { Card } from "../canvas/contract.ts";
import { farthest } from "../editor/place-of-thing.ts";

/** Nearer than this to one another, cards lie on one another. */
const near = 64;

/** Whether cards cannot be told apart where they lie, as in a flow of a program that gave them no places, or whether some lie where nobody comes. */
export function isHeap(cards: Iterable<Card>): boolean {
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
