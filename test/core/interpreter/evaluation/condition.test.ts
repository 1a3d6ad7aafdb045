import { describe, expect, test } from "bun:test";
import { evaluateCondition } from "../../../../src/core/interpreter/evaluation/condition.ts";
import { viewWith } from "../../blocks/logic-flow.ts";

const view = viewWith({ S: "Hello World", Num: "10", L: ["a", "b"], Quote: "(" });

const comparison = (variable: string, comparisonOperator: string, value?: string) => ({
  variableId: `v${variable}`,
  comparisonOperator,
  ...(value !== undefined && { value }),
});
const no = comparison("S", "Equal to", "x");
const yes = comparison("Num", "Equal to", "10");

describe("a condition", () => {
  test.each([
    ["no comparisons", {}, false],
    ["an empty list of comparisons", { comparisons: [] }, false],
    ["OR with an empty list of comparisons", { logicalOperator: "OR", comparisons: [] }, false],
    ["OR with one matching comparison of two", { logicalOperator: "OR", comparisons: [no, yes] }, true],
    ["AND with one matching comparison of two", { logicalOperator: "AND", comparisons: [no, yes] }, false],
    ["one matching comparison of two, without a logical operator", { comparisons: [yes, no] }, false],
    ["two matching comparisons", { comparisons: [yes, yes] }, true],
    ["OR with two comparisons that do not match", { logicalOperator: "OR", comparisons: [no, no] }, false],
    ["a comparison without an operator", { comparisons: [{ variableId: "vS", value: "Hello World" }] }, false],
    ["an unknown operator", { comparisons: [comparison("S", "Resembles", "Hello World")] }, false],
    ["an operator named like a built-in property", { comparisons: [comparison("S", "constructor", "x")] }, false],
    ["a comparison without a variable", { comparisons: [{ comparisonOperator: "Is empty" }] }, false],
    ["an empty variable id", { comparisons: [{ variableId: "", comparisonOperator: "Is empty" }] }, false],
    ["a missing variable", { comparisons: [comparison("Gone", "Is empty")] }, true],
    [
      "a variable named like a built-in property",
      { comparisons: [{ variableId: "__proto__", comparisonOperator: "Is empty" }] },
      true,
    ],
    ["inline code as the value", { comparisons: [comparison("Num", "Equal to", "{{={{Num}} * 1=}}")] }, true],
    ["inline code that returns a list", { comparisons: [comparison("S", "Equal to", "{{={{L}}=}}")] }, false],
  ] as const)("a condition has the documented outcome: %s", (_, condition, holds) => {
    expect(evaluateCondition(condition, view).holds).toBe(holds);
  });
});

describe("an unusable pattern", () => {
  const entry = {
    context: "Condition",
    description: "The regular expression is invalid or takes too long, so the comparison is false",
  };

  test.each([["Matches regex"], ["Does not match regex"]])(
    "an unusable pattern with the operator %s does not match, and is logged",
    (operator) => {
      expect(evaluateCondition({ comparisons: [comparison("S", operator, "(")] }, view)).toEqual({
        holds: false,
        logs: [{ ...entry, details: "(" }],
      });
    },
  );

  test("an unusable pattern is logged once for a list of several elements", () => {
    expect(evaluateCondition({ comparisons: [comparison("L", "Matches regex", "(")] }, view).logs).toEqual([
      { ...entry, details: "(" },
    ]);
  });

  test("an unusable pattern may come from a variable", () => {
    expect(
      evaluateCondition({ comparisons: [comparison("S", "Does not match regex", "{{Quote}}")] }, view).logs,
    ).toEqual([{ ...entry, details: "(" }]);
  });

  test("a pattern that would never finish is stopped and logged", () => {
    const slow = viewWith({ Text: `${"a".repeat(40)}!` });
    expect(evaluateCondition({ comparisons: [comparison("Text", "Matches regex", "^(a+)+$")] }, slow).logs).toEqual([
      { ...entry, details: "^(a+)+$" },
    ]);
  });

  test("a valid pattern matches without a log entry", () => {
    expect(evaluateCondition({ comparisons: [comparison("S", "Matches regex", "/hello/i")] }, view)).toEqual({
      holds: true,
      logs: [],
    });
  });
});
