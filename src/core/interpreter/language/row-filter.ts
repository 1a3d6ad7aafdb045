import {
  type ComparisonOperator,
  comparisonOperators,
  type Operator,
  operatorOf,
  storedOperator,
} from "./comparison.ts";

/** Comparisons of a row's cells with texts, combined with AND or OR. */
export type RowFilter = {
  readonly logicalOperator?: string;
  readonly comparisons: readonly RowComparison[];
};

type RowComparison = { readonly column: string; readonly operator?: string; readonly value: string };

/**
 * Whether a row matches the filter. `cellOf` returns undefined for a column that does not exist in the table. A
 * comparison with such a column or with an unknown operator is false.
 */
export function matchesRow(filter: RowFilter, cellOf: (column: string) => string | undefined): boolean {
  const holds = ({ column, operator, value }: RowComparison): boolean => {
    const cell = cellOf(column);
    const known = storedOperator(operator);
    return cell !== undefined && known !== undefined && isShown(known, cell, value);
  };
  // Any operator other than AND means OR, as in the flow language.
  return filter.logicalOperator === "AND" ? filter.comparisons.every(holds) : filter.comparisons.some(holds);
}

function isShown({ rows, holds }: Operator, cell: string, value: string): boolean {
  if (rows === "same") return holds(cell, value, () => false);
  return rows !== "none" && rows(cell, value);
}

/**
 * The operators that support cells, spelled as stored in flows. Other operators of conditions are always false for
 * cells.
 */
export const rowOperators: readonly ComparisonOperator[] = comparisonOperators.filter(
  (name) => operatorOf(name).rows !== "none",
);
