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
    ["without comparisons", {}, false],
    ["with an empty list of comparisons", { comparisons: [] }, false],
    ["with an empty list of comparisons, any of them", { logicalOperator: "OR", comparisons: [] }, false],
    ["of one that holds and one that does not, any of them", { logicalOperator: "OR", comparisons: [no, yes] }, true],
    ["of one that holds and one that does not, all of them", { logicalOperator: "AND", comparisons: [no, yes] }, false],
    ["of one that holds and one that does not", { comparisons: [yes, no] }, false],
    ["of two that hold", { comparisons: [yes, yes] }, true],
    ["of two that do not hold, any of them", { logicalOperator: "OR", comparisons: [no, no] }, false],
    ["without an operator", { comparisons: [{ variableId: "vS", value: "Hello World" }] }, false],
    ["with an unknown operator", { comparisons: [comparison("S", "Resembles", "Hello World")] }, false],
    ["with the name of something else for an operator", { comparisons: [comparison("S", "constructor", "x")] }, false],
    ["without a variable", { comparisons: [{ comparisonOperator: "Is empty" }] }, false],
    ["with an empty variable id", { comparisons: [{ variableId: "", comparisonOperator: "Is empty" }] }, false],
    ["about a variable that does not exist", { comparisons: [comparison("Gone", "Is empty")] }, true],
    [
      "about a variable named like a method",
      { comparisons: [{ variableId: "__proto__", comparisonOperator: "Is empty" }] },
      true,
    ],
    ["with inline code for its value", { comparisons: [comparison("Num", "Equal to", "{{={{Num}} * 1=}}")] }, true],
    ["with inline code that gives a list", { comparisons: [comparison("S", "Equal to", "{{={{L}}=}}")] }, false],
  ] as const)("a condition has the documented outcome: %s", (_, condition, holds) => {
    expect(evaluateCondition(condition, view).holds).toBe(holds);
  });
});

describe("an unusable pattern", () => {
  const entry = {
    context: "Condition",
    description: "The regular expression is invalid or takes too long, so the comparison is false",
  };

  test.each([["Matches regex"], ["Does not match regex"]])("%s does not match, and is logged", (operator) => {
    expect(evaluateCondition({ comparisons: [comparison("S", operator, "(")] }, view)).toEqual({
      holds: false,
      logs: [{ ...entry, details: "(" }],
    });
  });

  test("an unusable pattern is logged once per list", () => {
    expect(evaluateCondition({ comparisons: [comparison("L", "Matches regex", "(")] }, view).logs).toEqual([
      { ...entry, details: "(" },
    ]);
  });

  test("an unusable pattern may come from a variable", () => {
    expect(
      evaluateCondition({ comparisons: [comparison("S", "Does not match regex", "{{Quote}}")] }, view).logs,
    ).toEqual([{ ...entry, details: "(" }]);
  });

  test("an unusable pattern is stopped if it never ends", () => {
    const slow = viewWith({ Text: `${"a".repeat(40)}!` });
    expect(evaluateCondition({ comparisons: [comparison("Text", "Matches regex", "^(a+)+$")] }, slow).logs).toEqual([
      { ...entry, details: "^(a+)+$" },
    ]);
  });

  test("a valid pattern is not logged", () => {
    expect(evaluateCondition({ comparisons: [comparison("S", "Matches regex", "/hello/i")] }, view)).toEqual({
      holds: true,
      logs: [],
    });
  });
});
