import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";

/** Browsers draw nothing that is much further out. */
export const farthest = 1_000_000;

/** Where a thing stands. What was never placed stands at the beginning, and what stands too far out at the rim of what can be drawn. */
export function placeOfThing({ graphCoordinates: at }: JsonObject): { readonly x: number; readonly y: number } {
  const read = (value: unknown): number =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(farthest, Math.max(-farthest, value)) : 0;
  return isJsonObject(at) ? { x: read(at["x"]), y: read(at["y"]) } : { x: 0, y: 0 };
}
