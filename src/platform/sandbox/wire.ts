import type { ScriptError, ScriptRequest, ScriptValue } from "../../core/interpreter/language/script.ts";
import { limits } from "../../limits/index.ts";

export function encodeRequest({ now, seed, offersHostFunctions, globals, source }: ScriptRequest): string {
  const encoded: unknown[] = [];
  for (const [index, [name, value]] of globals.entries()) {
    encoded.push(name, ...(isLazy(source, name, value) ? ["lazy", index] : encodeValue(value)));
  }
  return JSON.stringify({ time: now, seed, offersHostFunctions, globals: encoded });
}

/**
 * Whether a global is sent only when the script reads it. This applies to long texts, unless the code contains the
 * name.
 */
export function isLazy(source: string, name: string, value: ScriptValue): boolean {
  return typeof value === "string" && value.length > longText && !source.includes(name);
}

const longText = 256;

type Finished =
  | { kind: "returned"; value: ScriptValue; assignments: [name: string, value: ScriptValue][] }
  | { kind: "failed"; error: ScriptError; line?: number };

/** Decodes the outcome of a finished script from a flat list of texts. The first text is the kind of the outcome. */
export function readOutcome(text: string, { context, source }: { context: string; source: string }): Finished {
  if (Buffer.byteLength(text) > limits.session.variablesBytes)
    return failed(context, "[undefined] The result is larger than 1 MB.");
  const [kind, first = "", second, ...rest] = parseTexts(text);
  if (kind === "failed") {
    const [line, description, details] = [first, second ?? "", rest[0]];
    return { ...failed(context, description, details), ...lineIn(source, Number(line), description) };
  }
  return { kind: "returned", value: decodeValue(first, second ?? ""), assignments: decodeAssignments(rest) };
}

// Errors are stored in logs and variables, so their length is limited.
const maxErrorCharacters = 10_000;

/**
 * Returns the line of the source that failed, starting from 1. The engine counts lines in the function that it
 * generates from the source.
 */
function lineIn(source: string, counted: number, description: string): { line?: number } {
  const lines = source.split("\n");
  // If a closing bracket is missing, the engine reports the line after the source.
  const sourceLine = Math.min(counted - linesBefore, lines.length);
  const [, name] = unknownName.exec(description) ?? [];
  if (name === undefined) return sourceLine > 0 ? { line: sourceLine } : {};
  // The engine reports an unknown name at the last call before the name, or even earlier. The name is therefore
  // searched from this line on.
  const from = Math.max(0, sourceLine - 1);
  const found = lines.slice(from).findIndex((line) => line.includes(name));
  return found < 0 ? {} : { line: from + found + 1 };
}

// The generated function starts with `async function anonymous(` and `) {`.
const linesBefore = 2;
const unknownName = /^\[undefined\] (\S+) is not (?:defined|initialized)$/;

function failed(context: string, description: string, details?: string): Finished {
  const error = { context, description: description.slice(0, maxErrorCharacters) };
  return {
    kind: "failed",
    error: details === undefined ? error : { ...error, details: details.slice(0, maxErrorCharacters) },
  };
}

function encodeValue(value: ScriptValue): [tag: string, payload: unknown] {
  switch (typeof value) {
    case "undefined":
      return ["undefined", ""];
    case "bigint":
      return ["bigint", `${value}`];
    case "number":
      if (Object.is(value, -0)) return ["number", "-0"];
      return Number.isFinite(value) ? ["json", value] : ["number", `${value}`];
    default:
      return value instanceof Date ? ["date", `${value.getTime()}`] : ["json", value];
  }
}

/** Decodes a value from the sandbox. Throws if the format is not that of the guest code. */
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

function parseTexts(text: string): string[] {
  const list = parseJson(text);
  if (!Array.isArray(list) || !list.every((element) => typeof element === "string"))
    throw new TypeError("Not a list of texts");
  return list;
}

/** Decodes the assigned variables. Each variable has three texts: name, tag and payload. */
function decodeAssignments(texts: readonly string[]): [name: string, value: ScriptValue][] {
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
