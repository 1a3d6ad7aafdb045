import { storedOperator } from "../../interpreter/language/comparison.ts";
import type { StoredComparison, StoredCondition } from "../conditions.ts";
import { eachCondition } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const conditionNeverHolds: Rule = {
  name: "condition_never_holds",
  severity: "warning",
  about:
    "A condition is false for all values of the variables: it has no comparison, a comparison has no variable or no operator, or two comparisons exclude each other. With `OR`, one comparison that can be true is enough.",
  advice: "Complete the comparison, or remove the condition.",
  *find(linted) {
    for (const { condition, place } of eachCondition(linted)) {
      const reason = whyNever(condition);
      if (reason !== undefined) yield { ...place, message: `This condition is never true: ${reason}.` };
    }
  },
};

function whyNever({ isOr, comparisons }: StoredCondition): string | undefined {
  if (comparisons.length === 0) return "it has no comparison";
  const whole = comparisons.filter((comparison) => comparison !== undefined);
  if (whole.length === 0 || (!isOr && whole.length < comparisons.length))
    return "a comparison has no variable or no operator";
  if (isOr) return undefined;
  const byVariable = Map.groupBy(whole, ({ variableId }) => variableId);
  return [...byVariable.values()].some(excludeEachOther) ? "two of its comparisons exclude each other" : undefined;
}

function excludeEachOther(comparisons: readonly StoredComparison[]): boolean {
  const operators = new Set(comparisons.map(({ operator }) => operator));
  if (operators.has("Is set") && operators.has("Is empty")) return true;
  const bounds = comparisons.flatMap(({ operator, value = "" }) => {
    const bound = storedOperator(operator)?.bound;
    return bound && /^-?\d+(\.\d+)?$/.test(value) ? [{ ...bound, at: Number(value) }] : [];
  });
  const upper = bounds.filter(({ side }) => side === "upper");
  return bounds
    .filter(({ side }) => side === "lower")
    .some((low) =>
      upper.some((high) => low.at > high.at || (low.at === high.at && !(low.isInclusive && high.isInclusive))),
    );
}
