import { type ComparisonOperator, compare } from "./comparison.ts";

/** Comparisons of a row's cells with texts: all must hold, or any. One without a column is none. */
export type RowFilter = {
  readonly logicalOperator?: string;
  readonly comparisons: readonly RowComparison[];
};

type RowComparison = { readonly column: string; readonly operator?: string; readonly value: string };

/**
 * Whether a row matches. `cellOf` gives undefined for a column that the table does not have: such a comparison never
 * holds.
 */
export function matchesRow(filter: RowFilter, cellOf: (column: string) => string | undefined): boolean {
  const holds = ({ column, operator, value }: RowComparison): boolean => {
    const cell = cellOf(column);
    const test = tests.get(operator ?? "");
    return cell !== undefined && test?.(cell, value) === true;
  };
  // Any other word than AND means any, as the flow language has it.
  return filter.logicalOperator === "AND" ? filter.comparisons.every(holds) : filter.comparisons.some(holds);
}

type Test = (cell: string, value: string) => boolean;

/** As conditions compare texts. */
function as(operator: ComparisonOperator): [string, Test] {
  return [operator, (cell, value) => compare(operator, cell, value, () => false)];
}

/** The operators for cells, spelled as flows store them. The other operators of conditions never hold. */
export const rowOperators = [
  "Equal to",
  "Not equal",
  "Contains",
  "Does not contain",
  "Greater than",
  "Less than",
  "Is set",
  "Is empty",
  "Starts with",
  "Ends with",
] as const;

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  as("Equal to"),
  as("Not equal"),
  as("Contains"),
  // False where a side is empty, unlike in conditions.
  ["Does not contain", (cell, value) => cell !== "" && value !== "" && compare("Does not contain", cell, value, never)],
  ["Greater than", (cell, value) => Number.parseFloat(cell) > Number.parseFloat(value)],
  ["Less than", (cell, value) => Number.parseFloat(cell) < Number.parseFloat(value)],
  as("Is set"),
  as("Is empty"),
  as("Starts with"),
  as("Ends with"),
]);

function never(): boolean {
  return false;
}
