import type { Value } from "./values.ts";

/** Every comparison operator, spelled as flows store it. */
export const comparisonOperators = [
  "Equal to",
  "Not equal",
  "Contains",
  "Does not contain",
  "Greater than",
  "Less than",
  "Greater or equal to",
  "Less or equal to",
  "Is set",
  "Is empty",
  "Starts with",
  "Ends with",
  "Matches regex",
  "Does not match regex",
] as const;

export type ComparisonOperator = (typeof comparisonOperators)[number];

/** Whether a text matches a pattern as an author wrote it; undefined where the pattern cannot be run. */
export type TestPattern = (pattern: string, text: string) => boolean | undefined;

/**
 * Compares a variable's value with another value. Lists are compared element by element, two lists by all pairs: with
 * an empty list "every" pair holds, and "some" pair does not.
 */
export function compare(operator: ComparisonOperator, input: Value, value: Value, testPattern: TestPattern): boolean {
  switch (operator) {
    case "Equal to":
      return isEveryEqual(composed(input), composed(value));
    case "Not equal":
      return isNoneEqual(composed(input), composed(value));
    case "Contains":
      return Array.isArray(input)
        ? hasElement(composed(input), composed(value))
        : somePair(folded(input), folded(value), includes);
    case "Does not contain":
      if (Array.isArray(input)) return isNoneEqual(composed(input), composed(value));
      return everyPair(folded(input), folded(value), (a, b) => !includes(a, b));
    case "Greater than":
      return compareSizes(input, value, (a, b) => a > b);
    case "Less than":
      return compareSizes(input, value, (a, b) => a < b);
    case "Greater or equal to":
      return compareSizes(input, value, (a, b) => a >= b);
    case "Less or equal to":
      return compareSizes(input, value, (a, b) => a <= b);
    case "Is set":
      return isSet(input);
    case "Is empty":
      return !isSet(input);
    case "Starts with":
      return everyPair(folded(input), folded(value), (a, b) => a !== null && b !== null && a.startsWith(b));
    case "Ends with":
      return everyPair(folded(input), folded(value), (a, b) => a !== null && b !== null && a.endsWith(b));
    case "Matches regex":
      return somePair(said(input), said(value), (a, b) => a !== null && b !== null && testPattern(b, a) === true);
    case "Does not match regex":
      // False, too, where a side is empty or the pattern cannot be run: then nothing is known of the text.
      return everyPair(said(input), said(value), (a, b) => a !== null && b !== null && testPattern(b, a) === false);
    default:
      return operator satisfies never;
  }
}

/** The size of a text in comparisons: its number (never with a leading plus), else its instant, else its length. */
export function magnitude(text: string): number {
  const number = text.startsWith("+") ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  // As lenient as in V8 ("Hello 5" is a day in 2001), which tests check on Bun. The process runs in UTC, and so does a
  // text without a zone.
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text.length : instant;
}

type Element = string | null;

function elementsOf(value: Value): readonly Element[] {
  return Array.isArray(value) ? value : [value];
}

/** Elements in one Unicode form, so that texts that look equal are equal. */
function composed(value: Value): readonly Element[] {
  return elementsOf(value).map((element) => element?.normalize() ?? null);
}

/** Elements without differences in case, blanks at the edges and Unicode form; empty ones as null. */
function folded(value: Value): readonly Element[] {
  return said(value).map((element) => element?.toLowerCase().trim().normalize() ?? null);
}

function said(value: Value): readonly Element[] {
  return elementsOf(value).map((element) => element || null);
}

function everyPair(
  inputs: readonly Element[],
  values: readonly Element[],
  holds: (a: Element, b: Element) => boolean,
): boolean {
  return inputs.every((input) => values.every((value) => holds(input, value)));
}

function somePair(
  inputs: readonly Element[],
  values: readonly Element[],
  holds: (a: Element, b: Element) => boolean,
): boolean {
  return inputs.some((input) => values.some((value) => holds(input, value)));
}

function includes(text: Element, part: Element): boolean {
  return text !== null && part !== null && text.includes(part);
}

/** Whether all pairs are equal, without looking at each: two lists of 10,000 have too many. */
function isEveryEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return inputs.length === 0 || values.length === 0 || new Set([...inputs, ...values]).size === 1;
}

function isNoneEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return new Set(inputs).isDisjointFrom(new Set(values));
}

/**
 * Whether the lists share an element. Flows depend on a quirk: a text and a null count as a match, so a list with a
 * null contains any text, and a list with a text contains null.
 */
function hasElement(inputs: readonly Element[], values: readonly Element[]): boolean {
  const isText = (element: Element): boolean => element !== null;
  const isMixed = (some: readonly Element[], others: readonly Element[]) => some.includes(null) && others.some(isText);
  if (isMixed(inputs, values) || isMixed(values, inputs)) return true;
  return !isNoneEqual(inputs.filter(isText), values.filter(isText));
}

function isSet(value: Value): boolean {
  return value !== null && value.length > 0;
}

/**
 * Compares two texts by magnitude, and lists by their length, beside which a text is a number. False where a side is
 * null.
 */
function compareSizes(input: Value, value: Value, holds: (a: number, b: number) => boolean): boolean {
  if (input === null || value === null) return false;
  const areTexts = !Array.isArray(input) && !Array.isArray(value);
  const sizeOf = (side: string | Element[]): number => {
    if (Array.isArray(side)) return side.length;
    return areTexts ? magnitude(side) : Number(side);
  };
  return holds(sizeOf(input), sizeOf(value));
}
