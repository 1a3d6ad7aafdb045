/**
 * Lists as PostgreSQL writes arrays, for `unnest((select ${…}::text[]), …)`. They are handed over as text: the driver would
 * look at each element's type and escape all of them, ids and numbers too (half of a save's time in this process; Bun 1.4.4,
 * postgres 3.4.9).
 */
export function textArray(texts: readonly (string | null | undefined)[]): string {
  let array = "{";
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    if (index > 0) array += ",";
    array += text === null || text === undefined ? "null" : quoted(text);
  }
  return `${array}}`;
}

/** A list of what needs no escaping: numbers, booleans, uuids, hexadecimal. */
export function plainArray(values: readonly (number | boolean | string | null)[]): string {
  let array = "{";
  for (let index = 0; index < values.length; index++) {
    if (index > 0) array += ",";
    array += values[index] ?? "null";
  }
  return `${array}}`;
}

function quoted(text: string): string {
  const safe = text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
  return `"${safe.includes('"') ? safe.replaceAll('"', '\\"') : safe}"`;
}

/**
 * JSON texts as one text, for `string_to_array(${…}, E'\\x1e', '')`: nothing is escaped on the way (two thirds of a save's time in
 * this process were), since JSON cannot contain the separator (U+001E) other than escaped. Null and the empty text are null there.
 */
export function documentList(documents: readonly (string | null | undefined)[]): string {
  return documents.join("\x1e");
}
