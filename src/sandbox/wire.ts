import type { ScriptValue } from "../interpreter/script.ts";

/** How a value crosses the wall: what it is, and its content as JSON or as a text. */
export type Crossing = readonly [tag: string, payload: unknown];

/** A value on its way into the sandbox. */
export function encodeValue(value: ScriptValue): Crossing {
  switch (typeof value) {
    case "undefined":
      return ["undefined", ""];
    case "bigint":
      return ["bigint", `${value}`];
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? ["json", value] : ["number", Object.is(value, -0) ? "-0" : `${value}`];
    default:
      return value instanceof Date ? ["date", `${value.getTime()}`] : ["json", value];
  }
}

/** A value that came out of the sandbox. Throws where the text is none that our own code there writes. */
export function decodeValue(tag: string, payload: string): ScriptValue {
  switch (tag) {
    case "text":
      return payload;
    case "number":
      return Number(payload);
    case "bigint":
      return BigInt(payload);
    case "undefined":
      return undefined;
    case "date":
      return new Date(Number(payload));
    case "json":
      return parseJson(payload);
    case "list":
      return pairsOf(parseTexts(payload)).map(([elementTag, element]) => decodeValue(elementTag, element));
    default:
      throw new TypeError(`Unknown kind of value: ${tag}`);
  }
}

/** A flat list of texts, which is what the sandbox answers with. */
export function parseTexts(text: string): string[] {
  const list = parseJson(text);
  if (!Array.isArray(list) || !list.every((element) => typeof element === "string")) throw new TypeError("Not a list of texts");
  return list;
}

/** The variables that a script wrote: name, tag and payload one after the other. */
export function decodeAssignments(texts: readonly string[]): [name: string, value: ScriptValue][] {
  const assignments: [string, ScriptValue][] = [];
  for (let index = 0; index + 2 < texts.length; index += 3) {
    assignments.push([texts[index] ?? "", decodeValue(texts[index + 1] ?? "", texts[index + 2] ?? "")]);
  }
  return assignments;
}

function pairsOf(texts: readonly string[]): [string, string][] {
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[index * 2] ?? "", texts[index * 2 + 1] ?? ""]);
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}
