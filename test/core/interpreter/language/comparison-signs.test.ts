import { expect, test } from "bun:test";
import { comparisonOperators, operatorOf } from "../../../../src/core/interpreter/language/comparison.ts";
import { signsOfOperators } from "../../../../src/core/interpreter/language/comparison-signs.ts";

test("the list of signs contains exactly the operators that have a sign", () => {
  const signs = signsOfOperators();

  expect(Object.keys(signs)).not.toEqual([]);
  expect(signs["Equal to"]).toBe("=");
  for (const name of comparisonOperators) expect(signs[name]).toBe(operatorOf(name).sign);
});
