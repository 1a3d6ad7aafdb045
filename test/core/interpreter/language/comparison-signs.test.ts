import { expect, test } from "bun:test";
import { comparisonOperators, operatorOf } from "../../../../src/core/interpreter/language/comparison.ts";
import { signsOfOperators } from "../../../../src/core/interpreter/language/comparison-signs.ts";

test("signs are listed for the operators that have a sign, and for no others", () => {
  const signs = signsOfOperators();

  expect(Object.keys(signs)).not.toEqual([]);
  expect(signs["Equal to"]).toBe("=");
  for (const name of comparisonOperators) expect(signs[name]).toBe(operatorOf(name).sign);
});
