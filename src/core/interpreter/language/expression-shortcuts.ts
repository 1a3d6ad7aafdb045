import { reservedWords } from "./code-names.ts";
import type { ScriptError, ScriptValue } from "./script.ts";

/**
 * An outcome that is determined without starting the sandbox. A test compares such outcomes with those of the sandbox.
 */
export type Shortcut =
  | { readonly kind: "returned"; readonly value: ScriptValue }
  | { readonly kind: "failed"; readonly error: ScriptError; readonly line: number };

type Globals = readonly (readonly [name: string, value: ScriptValue])[];

/**
 * Returns the outcome of a function body that returns one literal or one variable, or that consists of plain text.
 * Returns undefined for any other body.
 */
export function shortcutOf(source: string, globals: Globals): Shortcut | undefined {
  if (!source.startsWith(prefix) || source.length > longestSource) return undefined;
  const code = source.slice(prefix.length).replace(/^ +| +$/g, "");
  return literal(code) ?? variable(code, globals) ?? plainText(code, globals);
}

/**
 * Returns the outcome of a function body that returns a member of a global, such as `data.items[0].name` or
 * `statusCode`. Returns undefined for any other body, and for a value that the sandbox might change.
 */
export function readPath(source: string, globals: Globals): Shortcut | undefined {
  if (!source.startsWith(prefix) || source.length > longestSource) return undefined;
  const code = source.slice(prefix.length).trim();
  const [, root = ""] = /^([a-z]+)(?=[.[]|$)/i.exec(code) ?? [];
  const found = globals.findLast(([name]) => name === root);
  if (!found) return undefined;
  let value: unknown = found[1];
  let at = root.length;
  while (at < code.length) {
    step.lastIndex = at;
    const match = step.exec(code);
    if (!match) return undefined;
    const member = memberOf(value, match[1] ?? match[2] ?? match[3] ?? "");
    if (!member) return undefined;
    value = member.value;
    at = step.lastIndex;
  }
  return isPlain(value) ? { kind: "returned", value } : undefined;
}

const prefix = "return ";
// The maximum length of code that is examined. In longer code, shortcuts are too rare.
const longestSource = 200;

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const quoted = /^(?:"[^"\\\n\r]*"|'[^'\\\n\r]*')$/;
const identifier = /^[a-z_$][\w$]*$/i;
const step = /\.([a-z_$][\w$]*)|\[(0|[1-9]\d{0,8})\]|\["([^"\\\n\r]*)"\]/iy;

function literal(code: string): Shortcut | undefined {
  if (number.test(code)) return { kind: "returned", value: Number(code) };
  if (quoted.test(code)) return { kind: "returned", value: code.slice(1, -1) };
  return words.has(code) ? { kind: "returned", value: words.get(code) } : undefined;
}

const words = new Map<string, ScriptValue>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

function variable(code: string, globals: Globals): Shortcut | undefined {
  if (!identifier.test(code) || reservedNames.has(code)) return undefined;
  const found = globals.findLast(([name]) => name === code);
  return found && isPlain(found[1]) ? { kind: "returned", value: found[1] } : undefined;
}

// Characters that are letters in every Unicode version. The versions of this engine and of the sandbox may differ.
const letters = "A-Za-zÀ-ÖØ-öø-ɏ";
// The engine truncates longer names in its error messages.
const word = new RegExp(`^[${letters}]{1,30}$`);
const twoWords = new RegExp(`^([${letters}]+) +([${letters}]+)(?:$|[ ,.!?:;])`);

/** Returns the error for plain text: an unknown name, or two adjacent words. Returns undefined for any other code. */
function plainText(code: string, globals: Globals): Shortcut | undefined {
  if (word.test(code)) {
    const isKnown = reservedNames.has(code) || builtInNames.has(code) || globals.some(([name]) => name === code);
    return isKnown ? undefined : failed(`${code} is not defined`);
  }
  const [, first = "", second = ""] = twoWords.exec(code) ?? [];
  if (first === "" || reservedNames.has(first) || second === "in" || second === "instanceof") return undefined;
  return failed("expecting ';'");
}

function failed(message: string): Shortcut {
  const error = { context: "While executing function", description: `[undefined] ${message}` };
  return { kind: "failed", error, line: 1 };
}

/**
 * Returns the own member of a plain value. Returns `{ value: undefined }` if the value certainly has no such member,
 * and undefined if only the sandbox can determine the member.
 */
function memberOf(value: unknown, name: string): { value: unknown } | undefined {
  if (typeof value !== "object" || value === null || value instanceof Date) return undefined;
  if (Object.hasOwn(value, name)) return { value: Reflect.get(value, name) };
  if (Array.isArray(value)) return /^\d+$/.test(name) ? { value: undefined } : undefined;
  return builtInNames.has(name) ? undefined : { value: undefined };
}

/**
 * Whether the sandbox would certainly return the value unchanged: a scalar or a short list of scalars, far below the
 * sandbox's limits.
 */
function isPlain(value: unknown): boolean {
  if (!Array.isArray(value)) return value === undefined || isScalar(value, 100_000);
  return value.length <= 100 && value.every((element) => isScalar(element, 1_000));
}

function isScalar(value: unknown, mostCharacters: number): boolean {
  if (typeof value === "string") return value.length <= mostCharacters;
  if (typeof value === "number") return !Object.is(value, -0);
  return value === null || typeof value === "boolean";
}

/** Words with a special meaning at the start of an expression. */
const reservedNames: ReadonlySet<string> = new Set([...reservedWords, "async"]);

/**
 * Names that are defined in every script, including the names of `Object.prototype`. A test compares this list with the
 * sandbox.
 */
export const builtInNames: ReadonlySet<string> = new Set(
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array
  InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray
  WeakMap WeakRef WeakSet __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ console
  constructor decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval fetch global globalThis
  hasOwnProperty isFinite isNaN isPrototypeOf parseFloat parseInt propertyIsEnumerable setVariable toLocaleString
  toString undefined unescape valueOf`.split(/\s+/),
);
