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
 * Compares what a variable holds with another value. Operators on texts are lifted over lists, all pairs where both are
 * lists: "every" pair of an empty list holds, "some" pair does not.
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
      // An empty side and a pattern that cannot be run are false here too: neither says anything about the text.
      return everyPair(said(input), said(value), (a, b) => a !== null && b !== null && testPattern(b, a) === false);
    default:
      return operator satisfies never;
  }
}

/**
 * What a text counts as when it is compared by size: its number, else the instant it names, else its length. A leading
 * plus never makes a number.
 */
export function magnitude(text: string): number {
  const number = text.startsWith("+") ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  // As lenient as V8's ("Hello 5" is a day in 2001): the tests hold Bun to that. The process runs in UTC, so a text
  // without a zone is UTC.
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text.length : instant;
}

type Element = string | null;

function elementsOf(value: Value): readonly Element[] {
  return Array.isArray(value) ? value : [value];
}

/** Elements that are equal when they look equal, however their accents were typed. */
function composed(value: Value): readonly Element[] {
  return elementsOf(value).map((element) => element?.normalize() ?? null);
}

/** Elements without the differences that `Contains` and its like pass over; empty ones as nothing. */
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

/** Whether all pairs are equal. Two lists of 10,000 make too many pairs to look at each. */
function isEveryEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return inputs.length === 0 || values.length === 0 || new Set([...inputs, ...values]).size === 1;
}

/** Whether no pair is equal. */
function isNoneEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return new Set(inputs).isDisjointFrom(new Set(values));
}

/**
 * Whether some element of the first list is one of the second. Flows depend on a quirk: a pair that is not two texts
 * counts where it differs, so a list with a null contains any text, and a list with a text contains null.
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

/** Texts by magnitude; beside a list, a text is a number and the list its length. Nothing compares with nothing. */
function compareSizes(input: Value, value: Value, holds: (a: number, b: number) => boolean): boolean {
  if (input === null || value === null) return false;
  const areTexts = !Array.isArray(input) && !Array.isArray(value);
  const sizeOf = (side: string | Element[]): number => {
    if (Array.isArray(side)) return side.length;
    return areTexts ? magnitude(side) : Number(side);
  };
  return holds(sizeOf(input), sizeOf(value));
}
