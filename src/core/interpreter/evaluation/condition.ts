import { Type } from "@sinclair/typebox";
import { comparisonOperators, storedOperator, type TestPattern } from "../language/comparison.ts";
import { singleReference } from "../language/template.ts";
import type { Value } from "../language/values.ts";
import type { StepLog } from "../program/outcome.ts";
import type { View } from "../program/view.ts";
import { option } from "../schemas/fields.ts";
import { matchesPattern } from "./expression.ts";

export const conditionSchema = Type.Object(
  {
    logicalOperator: Type.Optional(
      Type.Union([Type.Literal("AND"), Type.Literal("OR")], {
        title: "Logic",
        description: "Whether all comparisons must be true, or only one.",
        default: "AND",
      }),
    ),
    comparisons: Type.Optional(
      Type.Array(
        Type.Object({
          variableId: option.readVariable("Id of the variable to compare. Without it, the comparison is never true."),
          comparisonOperator: Type.Optional(
            Type.Union(
              comparisonOperators.map((operator) => Type.Literal(operator)),
              { title: "Comparison", description: "The operator. Without an operator, the comparison is never true." },
            ),
          ),
          value: Type.Optional(
            Type.String({
              description:
                "The value to compare with. If it is a single variable, it is replaced by the variable's value, which can be a list. The words `null` and `undefined` mean no value.",
              default: "",
            }),
          ),
        }),
        { description: "The comparisons and their logical operator." },
      ),
    ),
  },
  { description: "Comparisons. Without any comparisons, the condition is never true.", isCondition: true },
);

export type Condition = { readonly logicalOperator?: "AND" | "OR"; readonly comparisons?: readonly Comparison[] };

type Comparison = { readonly variableId?: string; readonly comparisonOperator?: string; readonly value?: string };

/**
 * Evaluates a condition with the variables of the running flow, and returns a log entry for each pattern that cannot be
 * run. A comparison that cannot be evaluated is false, and so is a condition without comparisons.
 */
export function evaluateCondition(
  { logicalOperator, comparisons = [] }: Condition,
  view: View,
): { holds: boolean; logs: readonly StepLog[] } {
  const logs = new Map<string, StepLog>();
  const testPattern: TestPattern = (pattern, text) => {
    const isMatch = matchesPattern(pattern, text, view.runScript);
    if (isMatch === undefined)
      logs.set(pattern, { context: "Condition", description: unusablePattern, details: pattern });
    return isMatch;
  };
  const holds = (comparison: Comparison): boolean => comparisonHolds(comparison, view, testPattern);
  const isHeld =
    logicalOperator === "OR" ? comparisons.some(holds) : comparisons.length > 0 && comparisons.every(holds);
  return { holds: isHeld, logs: [...logs.values()] };
}

const unusablePattern = "The regular expression is invalid or takes too long, so the comparison is false";

function comparisonHolds(
  { variableId, comparisonOperator, value }: Comparison,
  view: View,
  testPattern: TestPattern,
): boolean {
  const operator = storedOperator(comparisonOperator);
  if (!variableId || !operator) return false;
  view.templates.meter?.spend("comparisons", 1);
  const held = view.variables.get(variableId);
  const compared = comparedValue(value, view);
  if (operator.cost === "pairs" && Array.isArray(held) && Array.isArray(compared)) {
    view.templates.spend?.(held.length * compared.length);
  }
  return operator.holds(held, compared, testPattern);
}

function comparedValue(value: string | undefined, view: View): Value {
  if (value === undefined) return "";
  if (value === "undefined" || value === "null") return null;
  const name = singleReference(value);
  const held = name === undefined ? undefined : view.variables.byName(name);
  return held ?? view.text(value);
}
