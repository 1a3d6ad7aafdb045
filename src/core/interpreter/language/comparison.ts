import type { Value } from "./values.ts";

/** Returns whether a text matches a pattern that an author wrote, or undefined if the pattern cannot be run. */
export type TestPattern = (pattern: string, text: string) => boolean | undefined;

/** The complete definition of a comparison operator. */
export type Operator = {
  /**
   * Returns whether a comparison of a variable's value with another value is true. Most operators compare all pairs of
   * elements of two lists. If a list is empty, operators that must hold for every pair are true, and operators that
   * must hold for one pair are false.
   */
  readonly holds: (input: Value, value: Value, testPattern: TestPattern) => boolean;
  /**
   * Whether the cost of comparing two lists grows with the sum of their lengths (`elements`) or with their product
   * (`pairs`). The product is charged to the step. A test measures the cost.
   */
  readonly cost: "elements" | "pairs";
  /**
   * How the operator filters rows of Google Sheets. `same`: like `holds`. `none`: the operator is not offered for rows.
   * A function overrides `holds`.
   */
  readonly rows: "same" | "none" | ((cell: string, value: string) => boolean);
  /** The sign that is displayed instead of the operator's name. Absent if the operator is displayed in words. */
  readonly sign?: string;
  /** The bound that the operator sets. The linter uses bounds to find comparisons that exclude each other. */
  readonly bound?: { readonly side: "lower" | "upper"; readonly isInclusive: boolean };
};

/** All comparison operators, spelled as stored in flows. */
const operators = {
  "Equal to": {
    holds: (input, value) => isEveryEqual(composed(input), composed(value)),
    cost: "elements",
    rows: "same",
    sign: "=",
  },
  "Not equal": {
    holds: (input, value) => isNoneEqual(composed(input), composed(value)),
    cost: "elements",
    rows: "same",
    sign: "≠",
  },
  Contains: {
    holds: (input, value) =>
      Array.isArray(input)
        ? hasElement(composed(input), composed(value))
        : somePair(folded(input), folded(value), includes),
    cost: "elements",
    rows: "same",
  },
  "Does not contain": {
    holds: lacks,
    cost: "elements",
    // Unlike in conditions, the result is false if either side is empty.
    rows: (cell, value) => cell !== "" && value !== "" && lacks(cell, value),
  },
  "Greater than": {
    holds: (input, value) => compareSizes(input, value, (a, b) => a > b),
    cost: "elements",
    rows: (cell, value) => Number.parseFloat(cell) > Number.parseFloat(value),
    sign: ">",
    bound: { side: "lower", isInclusive: false },
  },
  "Less than": {
    holds: (input, value) => compareSizes(input, value, (a, b) => a < b),
    cost: "elements",
    rows: (cell, value) => Number.parseFloat(cell) < Number.parseFloat(value),
    sign: "<",
    bound: { side: "upper", isInclusive: false },
  },
  "Greater or equal to": {
    holds: (input, value) => compareSizes(input, value, (a, b) => a >= b),
    cost: "elements",
    rows: "none",
    sign: "≥",
    bound: { side: "lower", isInclusive: true },
  },
  "Less or equal to": {
    holds: (input, value) => compareSizes(input, value, (a, b) => a <= b),
    cost: "elements",
    rows: "none",
    sign: "≤",
    bound: { side: "upper", isInclusive: true },
  },
  "Is set": { holds: isSet, cost: "elements", rows: "same" },
  "Is empty": { holds: (input) => !isSet(input), cost: "elements", rows: "same" },
  "Starts with": {
    holds: (input, value) =>
      everyPair(folded(input), folded(value), (a, b) => a !== null && b !== null && a.startsWith(b)),
    cost: "pairs",
    rows: "same",
  },
  "Ends with": {
    holds: (input, value) =>
      everyPair(folded(input), folded(value), (a, b) => a !== null && b !== null && a.endsWith(b)),
    cost: "pairs",
    rows: "same",
  },
  "Matches regex": {
    holds: (input, value, testPattern) =>
      somePair(said(input), said(value), (a, b) => a !== null && b !== null && testPattern(b, a) === true),
    cost: "pairs",
    rows: "none",
  },
  "Does not match regex": {
    // Also false if an element is empty or the pattern cannot be run, because the comparison then says nothing about
    // the text.
    holds: (input, value, testPattern) =>
      everyPair(said(input), said(value), (a, b) => a !== null && b !== null && testPattern(b, a) === false),
    cost: "pairs",
    rows: "none",
  },
} as const satisfies Readonly<Record<string, Operator>>;

export type ComparisonOperator = keyof typeof operators;

export const comparisonOperators: readonly ComparisonOperator[] = Object.keys(operators).filter(isComparisonOperator);

export function isComparisonOperator(name: string): name is ComparisonOperator {
  return Object.hasOwn(operators, name);
}

export function operatorOf(name: ComparisonOperator): Operator {
  return operators[name];
}

/** Returns the operator with this name, or undefined for an unknown name. */
export function storedOperator(name: string | undefined): Operator | undefined {
  return name !== undefined && isComparisonOperator(name) ? operators[name] : undefined;
}

export function compare(operator: ComparisonOperator, input: Value, value: Value, testPattern: TestPattern): boolean {
  return operatorOf(operator).holds(input, value, testPattern);
}

function lacks(input: Value, value: Value): boolean {
  if (Array.isArray(input)) return isNoneEqual(composed(input), composed(value));
  return everyPair(folded(input), folded(value), (a, b) => !includes(a, b));
}

/**
 * Returns the magnitude of a text for comparisons: its number (unless it starts with a plus sign), otherwise its date
 * in milliseconds, otherwise its length.
 */
export function magnitude(text: string): number {
  const number = text.startsWith("+") ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  // The date parser is as lenient as V8's: "Hello 5" is a day in 2001. Tests verify this for Bun. The process runs in
  // UTC, so a text without a time zone is read as UTC.
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text.length : instant;
}

type Element = string | null;

function elementsOf(value: Value): readonly Element[] {
  return Array.isArray(value) ? value : [value];
}

/** Normalises elements to one Unicode form, so that texts that look equal are equal. */
function composed(value: Value): readonly Element[] {
  return elementsOf(value).map((element) => element?.normalize() ?? null);
}

/** Removes differences in case, surrounding whitespace and Unicode form. Empty elements become null. */
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

/**
 * Whether all pairs are equal. Pairs are not compared individually because two lists of 10,000 elements have too many
 * pairs.
 */
function isEveryEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return inputs.length === 0 || values.length === 0 || new Set([...inputs, ...values]).size === 1;
}

function isNoneEqual(inputs: readonly Element[], values: readonly Element[]): boolean {
  return new Set(inputs).isDisjointFrom(new Set(values));
}

/**
 * Whether the lists share an element. Flows depend on a quirk: a text matches null, so a list with a null contains any
 * text, and a list with a text contains null.
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
 * Compares two texts by magnitude and two lists by length. In a comparison with a list, a text counts as a number.
 * Returns false if either side is null.
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
