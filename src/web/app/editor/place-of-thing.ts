import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";

/** Browsers draw nothing much further out. */
export const farthest = 1_000_000;

/**
 * The place of a thing. A thing without a place is at the origin, and a thing too far away is at the edge of the area
 * that can be drawn.
 */
export function placeOfThing({ graphCoordinates: at }: JsonObject): { readonly x: number; readonly y: number } {
  const read = (value: unknown): number =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(farthest, Math.max(-farthest, value)) : 0;
  return isJsonObject(at) ? { x: read(at["x"]), y: read(at["y"]) } : { x: 0, y: 0 };
}
