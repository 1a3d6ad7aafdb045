import { isJsonObject, type JsonObject } from "../interpreter/flow.ts";

/** Returns a field's default title derived from its key: `isMultipleAllowed` becomes "Multiple allowed". */
export function fieldTitle(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(" ")
    .map((word) => word.toLowerCase());
  const isAlone = (kept: readonly string[]) => kept.length > 0;
  const begun = silentBeginnings.has(words[0] ?? "") && isAlone(words.slice(1)) ? words.slice(1) : words;
  const ended = silentEnds.has(begun.at(-1) ?? "") && isAlone(begun.slice(0, -1)) ? begun.slice(0, -1) : begun;
  const title = ended.map((word) => spellings.get(word) ?? word).join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const silentBeginnings = new Set(["is", "are", "has", "should"]);
const silentEnds = new Set(["enabled", "id", "ids"]);
const spellings = new Map([
  ...["API", "CSS", "HTML", "SVG"].map((word): [string, string] => [word.toLowerCase(), word]),
  ["url", "address"],
]);

/**
 * Converts a schema to plain JSON from which forms are created. Every field gets a title, and null is removed from the
 * unions of fields. The marks of `core/interpreter/schemas/field-marks.ts` and the list of required fields are
 * preserved.
 */
export function formSchema(schema: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  return isJsonObject(plain) ? withTitles(plain) : {};
}

function withTitles(schema: JsonObject): JsonObject {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, field]) => [key, isJsonObject(field) ? fieldWithTitle(key, field) : {}]),
      ),
    }),
    ...(isJsonObject(items) && { items: withTitles(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((choice) => (isJsonObject(choice) ? withTitles(choice) : {})) }),
  };
}

/** Adds a title to a field that has none. A field that is a union with null may have its title inside the union. */
function fieldWithTitle(key: string, field: JsonObject): JsonObject {
  const bare = withoutNull(field);
  return { title: fieldTitle(key), ...withTitles(bare) };
}

/** Removes null from a union, because a form either sets or removes a value. */
function withoutNull({ anyOf, ...marks }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return marks;
  const choices = anyOf.filter((choice) => !(isJsonObject(choice) && choice["type"] === "null"));
  const [only] = choices;
  return choices.length === 1 && isJsonObject(only) ? { ...only, ...marks } : { ...marks, anyOf: choices };
}
