import { describe, expect, test } from "bun:test";
import { conditionSchema, evaluateCondition } from "../../../../src/core/interpreter/evaluation/condition.ts";
import { readKnown } from "../../../../src/core/interpreter/schemas/schema.ts";
import { viewWith } from "../../blocks/logic-flow.ts";
import vectors from "./condition-vectors.json";

const view = viewWith(vectors.variables);

describe("a comparison", () => {
  for (const { vector, variable, operator: comparisonOperator, holds, ...rest } of vectors.comparisons) {
    const value = "value" in rest ? rest.value : undefined;
    test(`${vector ?? "more"}: ${variable} ${comparisonOperator} ${JSON.stringify(value) ?? "nothing"} gives ${holds}`, () => {
      const comparison = { variableId: `v${variable}`, comparisonOperator, ...(value !== undefined && { value }) };
      expect(evaluateCondition({ comparisons: [comparison] }, view).holds).toBe(holds);
    });
  }
});

describe("a condition", () => {
  test.each(vectors.conditions)("$vector: $is gives $holds", ({ condition, holds }) => {
    expect(evaluateCondition(readKnown(conditionSchema, condition) ?? {}, view).holds).toBe(holds);
  });
});
