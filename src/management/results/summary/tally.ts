import { blocks } from "../../../core/blocks/index.ts";
import { textAt, valueAt } from "../../../core/interpreter/flow.ts";
import { limits } from "../../../limits/index.ts";
import { dayReader } from "./days.ts";
import type { SummaryColumn } from "./summary-columns.ts";

/**
 * A value of a column, and the number of results with this value. Null represents all values that are not counted
 * separately.
 */
export type ValueCount = { readonly value: string | null; readonly results: number };

/** The summary of one column. Its fields depend on the column's kind. */
export type ColumnSummary = Pick<SummaryColumn, "id" | "source" | "title" | "groupTitle" | "blockType"> & {
  readonly kind: "choices" | "ratings" | "numbers" | "dates" | "texts";
  /** The number of results with a value. */
  readonly answered: number;
  /** Choices, most frequent first, or ratings in the order of the scale. */
  readonly values?: ValueCount[];
  readonly numbers?: {
    readonly least: number;
    readonly most: number;
    readonly mean: number;
    readonly median: number;
  };
  readonly nps?: {
    readonly promoters: number;
    readonly passives: number;
    readonly detractors: number;
    readonly score: number;
  };
  readonly days?: { readonly day: string; readonly results: number }[];
};

/** Counts the values of one column, one page of results at a time. */
export type Tally = {
  /** Adds the values of a number of results. A value is null if its text was not read. */
  add(values: readonly (string | null)[], results: number): void;
  sum(): ColumnSummary;
};

export function createTally(column: SummaryColumn): Tally {
  const counts = new Map<string, number>();
  const valuesIn = readerOf(column);
  let answered = 0;
  let hasWords = false;
  let isTooVaried = false;
  const count = (value: string, results: number): void => {
    const isKept = counts.has(value) || counts.size < mostValues || column.measured === "numbers";
    const key = isKept || column.measured === "guessed" ? value : "";
    counts.set(key, (counts.get(key) ?? 0) + results);
    hasWords ||= !isNumber(key);
  };
  return {
    add(values, results) {
      const filled = values.filter((text) => text !== "");
      if (filled.length > 0) answered += results;
      for (const text of filled) {
        if (text === null || isTooVaried) continue;
        for (const value of valuesIn(text)) count(value, results);
        // A variable with too many different texts is not summarized as choices, so its values are dropped.
        isTooVaried = column.measured === "guessed" && hasWords && counts.size > mostValues;
        if (isTooVaried) counts.clear();
      }
    },
    sum() {
      const { id, source, title, groupTitle, blockType } = column;
      const known = { id, source, title, groupTitle, blockType, answered };
      return { ...known, ...summed(column, counts) };
    },
  };
}

const mostValues = limits.summaries.values;

type Counts = ReadonlyMap<string, number>;
type Summed = Omit<ColumnSummary, "id" | "source" | "title" | "groupTitle" | "blockType" | "answered">;

function summed(column: SummaryColumn, counts: Counts): Summed {
  switch (column.measured) {
    case "choices":
      return { kind: "choices", values: byFrequency(counts) };
    case "ratings":
      return { kind: "ratings", ...ratingsOf(column, counts) };
    case "numbers":
      return { kind: "numbers", ...numbersOf(counts) };
    case "dates":
      return { kind: "dates", days: daysOf(counts) };
    case "texts":
      return { kind: "texts" };
    case "guessed":
      return guessed(counts);
    default:
      return column.measured satisfies never;
  }
}

/** Summarizes a variable by its values: as numbers, as choices if some texts recur, or as other texts. */
function guessed(counts: Counts): Summed {
  if (counts.size > 0 && areNumbers(counts)) return { kind: "numbers", ...numbersOf(counts) };
  const comesAgain = [...counts.values()].some((results) => results > 1);
  return comesAgain ? { kind: "choices", values: byFrequency(counts) } : { kind: "texts" };
}

/**
 * Returns a function that converts an answer to the values for which it counts. The empty text represents any value
 * that is not counted separately.
 */
function readerOf({ measured, block }: SummaryColumn): (text: string) => readonly string[] {
  if (measured === "numbers") return (text) => (isNumber(text) ? [text] : []);
  if (measured === "dates") {
    const pattern = textAt(block?.options, "format");
    const day = dayReader(pattern === undefined || pattern === "" ? "dd/MM/yyyy" : pattern);
    return (text) => [day(text) ?? ""];
  }
  const counted = block && blocks.get(block.type)?.input?.countedValues?.(block);
  // A single choice that is no longer in the flow, or that came from a variable, is counted by its text.
  const isSeveral = valueAt(block?.options, "isMultipleChoice") === true;
  if (!counted) return (text) => [text];
  return (text) => counted(text).map((value) => (value === "" && !isSeveral ? text : value));
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function areNumbers(counts: Counts): boolean {
  return [...counts.keys()].every(isNumber);
}

function byFrequency(counts: Counts): ValueCount[] {
  const named = [...counts].filter(([value]) => value !== "");
  const values: ValueCount[] = named
    .map(([value, results]) => ({ value, results }))
    .toSorted((one, other) => other.results - one.results || (one.value < other.value ? -1 : 1));
  const others = counts.get("");
  return others === undefined ? values : [...values, { value: null, results: others }];
}

/** Summarizes ratings in the order of the scale. The NPS exists only for a scale from 0 or 1 to 10. */
function ratingsOf({ block }: SummaryColumn, counts: Counts): Pick<Summed, "values" | "numbers" | "nps"> {
  const values = sorted(counts);
  const said = values.map(({ value, results }) => ({ value: String(value), results }));
  const { length = 10, startsAt = 0 } = Object(block?.options);
  const total = values.reduce((sum, { results }) => sum + results, 0);
  const isNps = Number(length) === 10 && [0, 1].includes(Number(startsAt)) && total > 0;
  const among = (from: number, to: number) =>
    values.reduce((sum, { value, results }) => (value >= from && value <= to ? sum + results : sum), 0);
  const [promoters, passives, detractors] = [among(9, 10), among(7, 8), among(0, 6)];
  const score = Math.round(((promoters - detractors) / total) * 1_000) / 10;
  return { values: said, ...numbersOf(counts), ...(isNps && { nps: { promoters, passives, detractors, score } }) };
}

function numbersOf(counts: Counts): Pick<Summed, "numbers"> {
  const values = sorted(counts);
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) return {};
  const total = values.reduce((sum, { results }) => sum + results, 0);
  const sum = values.reduce((all, { value, results }) => all + value * results, 0);
  // The mean of the two middle values if the number of values is even.
  const median = (ranked(values, Math.floor((total - 1) / 2)) + ranked(values, Math.floor(total / 2))) / 2;
  return { numbers: { least: first.value, most: last.value, mean: sum / total, median } };
}

type NumberCount = { readonly value: number; readonly results: number };

/** Returns the numbers in ascending order. "7" and "07" count as the same number. */
function sorted(counts: Counts): readonly NumberCount[] {
  const numbers = new Map<number, number>();
  for (const [text, results] of counts) {
    if (isNumber(text)) numbers.set(Number(text), (numbers.get(Number(text)) ?? 0) + results);
  }
  return [...numbers].map(([value, results]) => ({ value, results })).toSorted((one, other) => one.value - other.value);
}

function ranked(values: readonly NumberCount[], rank: number): number {
  let rest = rank;
  for (const { value, results } of values) {
    if (rest < results) return value;
    rest -= results;
  }
  return Number.NaN;
}

/** Returns the latest days that are shown, oldest first. */
function daysOf(counts: Counts): NonNullable<Summed["days"]> {
  return [...counts]
    .filter(([day]) => day !== "")
    .map(([day, results]) => ({ day, results }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .slice(-limits.summaries.days);
}
