import type { Value } from "./values.ts";

/** Whether a text matches a pattern as an author wrote it; undefined if the pattern cannot be run. */
export type TestPattern = (pattern: string, text: string) => boolean | undefined;

/** The whole definition of an operator. Conditions, filters of tables, the linter and the builder derive from it. */
export type Operator = {
  /**
   * Whether a variable's value passes this comparison with another value. Lists are compared element by element, two
   * lists by all pairs: with an empty list "every" pair holds, and "some" pair does not.
   */
  readonly holds: (input: Value, value: Value, testPattern: TestPattern) => boolean;
  /**
   * The cost of comparing two lists: it grows with the sum of their lengths, or with their product, which is charged to
   * the step. A test counts it.
   */
  readonly cost: "elements" | "pairs";
  /**
   * The rows of Google Sheets that a filter with this operator returns: as `holds` decides for a cell, as this function
   * decides, or none, so that the operator is not offered.
   */
  readonly rows: "same" | "none" | ((cell: string, value: string) => boolean);
  /** The operator's sign in the row of a block; absent: the operator is written in words. */
  readonly sign?: string;
  /** The bound that the operator sets, by which the linter finds comparisons that exclude each other. */
  readonly bound?: { readonly side: "lower" | "upper"; readonly isInclusive: boolean };
};

/** Every comparison operator, spelled as flows store it. */
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
    // False where a side is empty, unlike in conditions.
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
    // Also false if a side is empty or the pattern cannot be run: the comparison then says nothing about the text.
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

/** The operator that a flow names. */
export function storedOperator(name: string | undefined): Operator | undefined {
  return name !== undefined && isComparisonOperator(name) ? operators[name] : undefined;
}

/** Compares a variable's value with another value. */
export function compare(operator: ComparisonOperator, input: Value, value: Value, testPattern: TestPattern): boolean {
  return operatorOf(operator).holds(input, value, testPattern);
}

function lacks(input: Value, value: Value): boolean {
  if (Array.isArray(input)) return isNoneEqual(composed(input), composed(value));
  return everyPair(folded(input), folded(value), (a, b) => !includes(a, b));
}

/** The size of a text in comparisons: its number (never with a leading plus), else its instant, else its length. */
export function magnitude(text: string): number {
  const number = text.startsWith("+") ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  // As lenient as V8 ("Hello 5" is a day in 2001); tests check this on Bun. The process runs in UTC, and a text without
  // a zone is read in UTC.
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

/** Elements without differences in case, blanks at the edges and Unicode form; empty elements as null. */
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

/** Whether all pairs are equal, without comparing each pair: two lists of 10,000 have too many. */
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
 * Compares two texts by magnitude, and lists by their length; compared with a list, a text is a number. False if a side
 * is null.
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
