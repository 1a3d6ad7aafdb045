import { textAt, valueAt } from "../../interpreter/flow.ts";
import { computesWithVariables } from "../../interpreter/language/code-like.ts";
import { type ExpressionFault, expressionFault } from "../../interpreter/language/expression-faults.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const expressionFails: Rule = {
  name: "expression_fails",
  severity: "warning",
  about:
    "The expression of a `Set variable` block is code that always fails: a value is missing next to an operator, a bracket or a quote is not closed, or a name is unknown. The variable then gets the text of the expression. The rule also reports variables that are only separated by commas, because the expression returns only the last variable, and variables in quotes, because they return their id instead of their value. Without running an expression, the rule checks it if it is marked as code, or if it has an operator or a call next to a variable. A text of several words with variables is not code, because its author wants the text.",
  advice: "Correct the expression. Variables have double brackets around their names.",
  *find({ flow, blocks }) {
    const names = new Set(flow.variables.map(({ name }) => name));
    for (const linted of blocks) {
      const { block } = linted;
      const expression = block.type === "Set variable" ? textAt(block, "options", "expressionToEvaluate") : undefined;
      if (expression === undefined || (textAt(block, "options", "type") ?? "Custom") !== "Custom") continue;
      const fault = expressionFault(expression);
      const isMarked = valueAt(block, "options", "isCode") === true;
      const isMeant = isMarked || computesWithVariables(expression);
      if (!fault || (!isMeant && fault.kind !== "comma" && fault.kind !== "quoted")) continue;
      if (!isMarked && fault.kind !== "comma" && fault.kind !== "quoted" && isProse(expression)) continue;
      // A visitor's browser defines more names than the sandbox.
      if (fault.kind === "unknown_name" && valueAt(block, "options", "isExecutedOnClient") === true) continue;
      yield {
        ...placeIn(linted, "options.expressionToEvaluate"),
        message: messageOf(fault, names),
        ...(fault.kind === "comma" && { advice: commaAdvice }),
        ...(fault.kind === "quoted" && { advice: quotedAdvice }),
      };
    }
  },
};

const commaAdvice = "Join the values: put them into a list and call `join` on it.";

const quotedAdvice = 'Join the text and the value, as in "Hello " + {{Name}}.';

/** Whether two words that are not keywords are adjacent, which occurs in sentences but never in code. */
function isProse(expression: string): boolean {
  const words = expression
    .replaceAll(/\{\{[^{}]*\}\}/g, ";")
    .matchAll(/(?<![\p{L}\p{N}_$.])(\p{L}{2,})[ \t]+(?=(\p{L}{2,})(?![\p{L}\p{N}_$(]))/gu);
  return [...words].some(([, one = "", other = ""]) => !codeWords.has(one) && !codeWords.has(other));
}

const codeWords = new Set(
  "as async await case catch class const default delete do else extends finally for from function if in instanceof let new of return static switch throw try typeof var void while yield".split(
    " ",
  ),
);

function messageOf(fault: ExpressionFault, names: ReadonlySet<string>): string {
  switch (fault.kind) {
    case "unclosed":
      return "A bracket or a quote in this expression is not closed, so the expression is treated as text.";
    case "missing_value":
      return `A value is missing next to "${fault.operator}", so the expression is treated as text.`;
    case "unknown_name":
      return names.has(fault.name)
        ? `"${fault.name}" has no brackets around it and is not a variable, so the expression is treated as text.`
        : `"${fault.name}" is an unknown name, so the expression is treated as text.`;
    case "unread_variable":
      return `"${fault.name}" only occurs within a text and has no value, so the expression is treated as text.`;
    case "comma":
      return "If values are separated by commas, only the last value is used.";
    case "quoted":
      return `"${fault.name}" is in quotes, where a variable returns its id instead of its value.`;
    default:
      return fault satisfies never;
  }
}
