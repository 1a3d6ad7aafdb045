import type { Dice } from "./dice.ts";

/** Texts that have caused failures in programs. */
const oddTexts: readonly [string, ...string[]] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\uDFFF\uD800",
  "\uFEFF",
  "\u202Egnirts",
  "\u2028\u2029",
  "👩‍👩‍👧",
  "ﷺ",
  "e\u0301".repeat(40),
  "İıſK",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "true",
  "0",
  "-1",
  "1e309",
  "9007199254740993",
  "0x10",
  "١٢٣",
  "../../etc/passwd",
  "..\\..\\windows",
  "/",
  "%00",
  "%2e%2e%2f",
  "%",
  "%zz",
  "'",
  "''; drop table users; --",
  '"',
  "\\",
  "$1",
  "{}",
  "[]",
  "{{Name}}",
  "{{= 1 + 1 =}}",
  "{{",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "http://127.0.0.1/",
  "http://[::1]:0/",
  "https://",
  "ana@example.com",
  "a@b@c",
  "2026-11-22T11:30:00.000Z",
  "0000-00-00T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "9999-12-31T23:59:59.999+14:00",
  "06ey3k2m5q8r1t4v7x0z9w2b5d",
  "7zzzzzzzzzzzzzzzzzzzzzzzzz",
  "00000000000000000000000000",
  "018f3a2e-0000-7000-8000-000000000000",
  "eyJhbGciOiJub25lIn0.e30.",
  "AAAA",
  "a,b,,c",
  "*",
  "\r\nSet-Cookie: a=b",
  "\t\n\v\f\r",
];

const lengths: readonly [number, ...number[]] = [255, 256, 1_000, 4_096, 20_000];
const units: readonly [string, ...string[]] = ["x", "é", "漢", "👍", "\u0000", "[", "{{", "a b ", "(", "%F0"];

/** Returns a text that tests the limits of text processing. */
export function oddText(dice: Dice): string {
  if (!dice.oneIn(8)) return dice.pick(oddTexts);
  return dice.pick(units).repeat(dice.pick(lengths));
}

/** Numbers in JSON notation, because JavaScript cannot represent some of them. */
export const oddNumbers: readonly [string, ...string[]] = [
  ...(["0", "-0", "1", "-1", "0.1", "1.5", "2147483647", "2147483648", "-2147483649", "4294967296"] as const),
  ...(["9007199254740991", "9007199254740993", "9223372036854775808", "-9223372036854775809"] as const),
  ...(["1e308", "-1e308", "1e309", "-1e309", "5e-324", "1e-400", "1E+2", "123456789012345678901234567890"] as const),
];

/** Text that is inserted into JSON unchanged, such as numbers that JavaScript cannot represent, and duplicate keys. */
export type RawJson = { readonly rawJson: string };

/** Returns an unexpected JSON value. */
export function oddValue(dice: Dice): unknown {
  switch (dice.below(12)) {
    case 0:
      return null;
    case 1:
      return dice.oneIn(2);
    case 2:
      return [];
    case 3:
      return {};
    case 4:
      return [oddText(dice), null, 1];
    case 5:
      return { rawJson: `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}` };
    case 6:
      return { rawJson: nested(dice) };
    case 7:
      return { rawJson: `{${JSON.stringify(oddText(dice))}:1,"id":"a","id":"b"}` };
    case 8:
    case 9:
      return { rawJson: dice.pick(oddNumbers) };
    default:
      return oddText(dice);
  }
}

function nested(dice: Dice): string {
  const depth = dice.pick([2, 50, 200, 600, 3_000]);
  return dice.oneIn(2) ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}

/** Returns a copy of a value with one of its parts replaced, removed, duplicated or converted. */
export function mutated(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value) && value.length > 0 && !dice.oneIn(5)) return mutatedList(value, dice);
  if (isPlain(value) && !dice.oneIn(8)) return mutatedObject(value, dice);
  return dice.oneIn(4) ? rewrapped(value, dice) : oddValue(dice);
}

function mutatedList(list: readonly unknown[], dice: Dice): unknown {
  const at = dice.below(list.length);
  switch (dice.below(6)) {
    case 0:
      return list.toSpliced(at, 1);
    case 1:
      return [...list, list[at]];
    case 2:
      return Array.from({ length: dice.pick([10, 300]) }, () => list[at]);
    default:
      return list.with(at, mutated(list[at], dice));
  }
}

function mutatedObject(object: Readonly<Record<string, unknown>>, dice: Dice): unknown {
  const entries = Object.entries(object);
  const [key = "", value] = dice.pick(entries) ?? [];
  const without = () => Object.fromEntries(entries.filter(([other]) => other !== key));
  switch (dice.below(8)) {
    case 0:
      return without();
    case 1:
      return Object.fromEntries([...entries, [oddText(dice), oddValue(dice)]]);
    case 2:
      return { ...without(), [key]: dice.pick(entries)?.[1] };
    default:
      return Object.fromEntries([...entries.filter(([other]) => other !== key), [key, mutated(value, dice)]]);
  }
}

function rewrapped(value: unknown, dice: Dice): unknown {
  const other = dice.pick([[value], { value }, JSON.stringify(value), [[value, value]], { 0: value }]);
  return other ?? null;
}

/** Serializes a value that may contain raw JSON. */
export function writeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (!isPlain(value)) return JSON.stringify(value) ?? "null";
  if (typeof value["rawJson"] === "string") return value["rawJson"];
  return `{${Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .map(([key, child]) => `${JSON.stringify(key)}:${writeJson(child)}`)
    .join(",")}}`;
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
