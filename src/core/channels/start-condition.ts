import { isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import { storedOperator, type TestPattern } from "../interpreter/language/comparison.ts";

/** Whether a bot responds to a first message. `any` means that the bot has no condition. */
export type StartVerdict = "any" | "holds" | "fails";

/**
 * Evaluates a bot's start condition for the text of a first message. Comparisons without a known operator or without a
 * value are ignored. A condition without any other comparison is treated as absent. If the message has no text, the
 * condition fails.
 */
export function judgeStart(condition: unknown, text: string | undefined, testPattern: TestPattern): StartVerdict {
  const comparisons = comparisonsIn(condition);
  if (comparisons.length === 0) return "any";
  if (text === undefined) return "fails";
  const holds = ({ operator, value }: Comparison): boolean => operator.holds(text, value, testPattern);
  const isHeld = textAt(condition, "logicalOperator") === "OR" ? comparisons.some(holds) : comparisons.every(holds);
  return isHeld ? "holds" : "fails";
}

type Comparison = { readonly operator: NonNullable<ReturnType<typeof storedOperator>>; readonly value: string };

function comparisonsIn(condition: unknown): Comparison[] {
  const stored = valueAt(condition, "comparisons");
  if (!Array.isArray(stored)) return [];
  return stored.filter(isJsonObject).flatMap((comparison) => {
    const operator = storedOperator(textAt(comparison, "comparisonOperator"));
    const value = textAt(comparison, "value") ?? "";
    return operator && value !== "" ? [{ operator, value }] : [];
  });
}
