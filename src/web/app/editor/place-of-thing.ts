import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";

/** The greatest coordinate. Browsers do not render elements much further out. */
export const farthest = 1_000_000;

/**
 * Returns the position of an object. An object without a position is at the origin. A position that is too far away is
 * moved to the edge of the area that browsers can render.
 */
export function placeOfThing({ graphCoordinates: at }: JsonObject): { readonly x: number; readonly y: number } {
  const read = (value: unknown): number =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(farthest, Math.max(-farthest, value)) : 0;
  return isJsonObject(at) ? { x: read(at["x"]), y: read(at["y"]) } : { x: 0, y: 0 };
}
