import { isJsonObject } from "../flow.ts";

/**
 * Estimates the number of characters of a value as JSON, at a fraction of the cost of serialising it. A step counts its
 * output with this estimate before storing it, so that memory use stays bounded.
 */
export function estimateCharacters(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let characters = 3;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) characters += estimateCharacters(value[index]);
    return characters;
  }
  // This loop takes half the time of `Object.entries`. The values are plain JSON objects without inherited keys.
  if (isJsonObject(value)) for (const key in value) characters += key.length + 3 + estimateCharacters(value[key]);
  return characters;
}
