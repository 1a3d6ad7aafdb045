import {
  type ComparisonOperator,
  comparisonOperators,
  type Operator,
  operatorOf,
  storedOperator,
} from "./comparison.ts";

/** Comparisons of a row's cells with texts: all must hold, or any. A comparison without a column does not count. */
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
    const known = storedOperator(operator);
    return cell !== undefined && known !== undefined && isShown(known, cell, value);
  };
  // Any other word than AND means OR, as in the flow language.
  return filter.logicalOperator === "AND" ? filter.comparisons.every(holds) : filter.comparisons.some(holds);
}

function isShown({ rows, holds }: Operator, cell: string, value: string): boolean {
  if (rows === "same") return holds(cell, value, () => false);
  return rows !== "none" && rows(cell, value);
}

/** The operators for cells, spelled as flows store them. The other operators of conditions never hold. */
export const rowOperators: readonly ComparisonOperator[] = comparisonOperators.filter(
  (name) => operatorOf(name).rows !== "none",
);
