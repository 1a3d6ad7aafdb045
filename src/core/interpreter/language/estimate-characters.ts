import { isJsonObject } from "../flow.ts";

/**
 * The approximate number of characters of a value as JSON text, for a fraction of the cost of writing it. A step counts
 * its output by this number before storing it, so that its memory stays bounded.
 */
export function estimateCharacters(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let characters = 3;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) characters += estimateCharacters(value[index]);
    return characters;
  }
  // Half the time of `Object.entries`. Values here inherit nothing, as in JSON.
  if (isJsonObject(value)) for (const key in value) characters += key.length + 3 + estimateCharacters(value[key]);
  return characters;
}
