import type { ScriptError, ScriptValue } from "./script.ts";

/**
 * Outcomes that need no sandbox, because it can only come to the same: a test runs both and compares. Everything that
 * is not certain is undefined here and left to the sandbox.
 */
export type Shortcut =
  | { readonly kind: "returned"; readonly value: ScriptValue }
  | { readonly kind: "failed"; readonly error: ScriptError };

type Globals = readonly (readonly [name: string, value: ScriptValue])[];

/** The outcome of a function body that returns one literal or one variable, or that is plain text. */
export function shortcutOf(source: string, globals: Globals): Shortcut | undefined {
  if (!source.startsWith(prefix) || source.length > longestSource) return undefined;
  const code = source.slice(prefix.length).replace(/^ +| +$/g, "");
  return literal(code) ?? variable(code, globals) ?? plainText(code, globals);
}

/** The outcome of a function body that returns a member of a global: `data.items[0].name`, `statusCode`. */
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
// Longer ones are not worth the look.
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
  if (!identifier.test(code) || isReserved(code)) return undefined;
  const found = globals.findLast(([name]) => name === code);
  return found && isPlain(found[1]) ? { kind: "returned", value: found[1] } : undefined;
}

// Letters that every version of Unicode knows as such.
const letters = "A-Za-zÀ-ÖØ-öø-ɏ";
// The engine cuts longer names in its messages.
const word = new RegExp(`^[${letters}]{1,30}$`);
const twoWords = new RegExp(`^([${letters}]+) +([${letters}]+)(?:$|[ ,.!?:;])`);

/** A word that nothing is called, or two words side by side, cannot run. */
function plainText(code: string, globals: Globals): Shortcut | undefined {
  if (word.test(code)) {
    const isKnown = isReserved(code) || engineNames.has(code) || globals.some(([name]) => name === code);
    return isKnown ? undefined : failed(`${code} is not defined`);
  }
  const [, first = "", second = ""] = twoWords.exec(code) ?? [];
  if (first === "" || isReserved(first) || second === "in" || second === "instanceof") return undefined;
  return failed("expecting ';'");
}

function failed(message: string): Shortcut {
  return { kind: "failed", error: { context: "While executing function", description: `[undefined] ${message}` } };
}

/** The member that a plain value itself has, or nothing where it surely has none. */
function memberOf(value: unknown, name: string): { value: unknown } | undefined {
  if (typeof value !== "object" || value === null || value instanceof Date) return undefined;
  if (Object.hasOwn(value, name)) return { value: Reflect.get(value, name) };
  if (Array.isArray(value)) return /^\d+$/.test(name) ? { value: undefined } : undefined;
  return engineNames.has(name) ? undefined : { value: undefined };
}

/** Whether the sandbox surely gives the value back as it got it: nothing nested, nothing near its bounds. */
function isPlain(value: unknown): boolean {
  if (!Array.isArray(value)) return value === undefined || isScalar(value, 100_000);
  return value.length <= 100 && value.every((element) => isScalar(element, 1_000));
}

function isScalar(value: unknown, mostCharacters: number): boolean {
  if (typeof value === "string") return value.length <= mostCharacters;
  if (typeof value === "number") return !Object.is(value, -0);
  return value === null || typeof value === "boolean";
}

/** Whether the word means something of its own where an expression begins. */
function isReserved(name: string): boolean {
  return reservedNames.has(name);
}

const reservedNames = new Set(
  `arguments async await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** What a script finds without anybody having defined it; a test compares the list with the sandbox. */
export const engineNames: ReadonlySet<string> = new Set(
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array
  InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray
  WeakMap WeakRef WeakSet __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ console
  constructor decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval fetch global globalThis
  hasOwnProperty isFinite isNaN isPrototypeOf parseFloat parseInt propertyIsEnumerable setVariable toLocaleString
  toString undefined unescape valueOf`.split(/\s+/),
);
