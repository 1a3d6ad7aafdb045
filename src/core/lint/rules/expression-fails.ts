import { textAt, valueAt } from "../../interpreter/flow.ts";
import { computesWithVariables } from "../../interpreter/language/code-like.ts";
import { type ExpressionFault, expressionFault } from "../../interpreter/language/expression-faults.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const expressionFails: Rule = {
  name: "expression_fails",
  severity: "warning",
  about:
    "The expression of a `Set variable` block is code that always fails: a value is missing beside an operator, a bracket or a quote is not closed, or a name is unknown. The variable gets the expression's text instead. Variables that are separated only by commas are code, too, and the last one is used. A variable within quotes in code gives its id instead of its value. The rule checks expressions that are marked as code, or that have an operator or a call next to a variable, without running them. A text of several words with variables in it is no code: the text is what its author wants.",
  advice: "Complete the expression; variables have double brackets around their names.",
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

/** Whether two words are adjacent, which occurs in sentences but never in code. */
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
      return "A bracket or a quote of this expression is not closed: the expression is a text.";
    case "missing_value":
      return `A value is missing beside "${fault.operator}": the expression is a text.`;
    case "unknown_name":
      return names.has(fault.name)
        ? `"${fault.name}" has no brackets around it, so it is no variable here: the expression is a text.`
        : `"${fault.name}" is an unknown name: the expression is a text.`;
    case "unread_variable":
      return `"${fault.name}" is mentioned within a text alone and has no value there: the expression is a text.`;
    case "comma":
      return "Of values with commas between them only the last one counts.";
    case "quoted":
      return `"${fault.name}" is within quotes, where a variable gives its id and not its value.`;
    default:
      return fault satisfies never;
  }
}
