import { expect, test } from "bun:test";
import { comparisonOperators } from "../../../../src/core/interpreter/language/comparison.ts";
import { matchesRow, rowOperators } from "../../../../src/core/interpreter/language/row-filter.ts";
import { readText } from "../../../support/tidy/project.ts";
import vectors from "./row-filter-vectors.json";

test.each(vectors)("a cell matches a comparison exactly as documented: %p", ({ cell, operator, value, holds }) => {
  const comparisons = [{ column: "A", value, ...(operator !== null && { operator }) }];
  expect(matchesRow({ comparisons }, () => cell)).toBe(holds);
});

const two = [
  { column: "A", operator: "Equal to", value: "a" },
  { column: "B", operator: "Equal to", value: "b" },
];

test.each([
  ["AND", false],
  ["OR", true],
  ["and", true],
  [undefined, true],
])("the operator %p gives %p for two comparisons of which one matches", (logicalOperator, holds) => {
  const filter = { comparisons: two, ...(logicalOperator !== undefined && { logicalOperator }) };
  expect(matchesRow(filter, (column) => (column === "A" ? "a" : "x"))).toBe(holds);
});

test("a comparison with a missing column matches no row", () => {
  const comparisons = [{ column: "A", operator: "Not equal", value: "a" }];
  expect(matchesRow({ comparisons }, () => undefined)).toBe(false);
});

test("each row operator has a test vector and documentation", () => {
  const page = readText("docs/tables.md");
  const others = comparisonOperators.filter((name) => !rowOperators.includes(name));

  expect(rowOperators.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(rowOperators.filter((name) => !vectors.some(({ operator }) => operator === name))).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
  for (const operator of others)
    for (const cell of ["", "1", "a"])
      expect(matchesRow({ comparisons: [{ column: "A", operator, value: "1" }] }, () => cell)).toBe(false);
});
