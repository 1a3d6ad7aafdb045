import { type Failure, textInsteadLog } from "../../../interpreter/evaluation/code-errors.ts";
import { evaluateExpression } from "../../../interpreter/evaluation/expression.ts";
import { computesWithVariables } from "../../../interpreter/language/code-like.ts";
import type { RecordedFetch } from "../../../interpreter/language/script.ts";
import type { BlockBase } from "../../../interpreter/program/block.ts";
import { continueAfter, type Outcome } from "../../../interpreter/program/outcome.ts";
import type { View } from "../../../interpreter/program/view.ts";
import { fetchForScript } from "../script-fetches.ts";
import type { SetVariableOptions } from "./options.ts";

/**
 * Sets a variable to the value of an expression (see `evaluateExpression`). A failure is logged only if the author
 * meant to compute a value: `isCode` is set, or an operator or a call is next to a variable.
 */
export function evaluateCustom(
  block: BlockBase & { readonly options: SetVariableOptions; readonly variableId: string },
  view: View,
  fetched: readonly RecordedFetch[],
): Outcome {
  const { expressionToEvaluate, isCode, saveErrorInVariableId } = block.options;
  const outcome = evaluateExpression(expressionToEvaluate, view, fetched);
  if (outcome.kind === "fetch") return fetchForScript(outcome, fetched);
  const writes = [{ variableId: block.variableId, value: outcome.value }];
  if (outcome.kind === "evaluated") return { ...continueAfter(block), writes };
  const logs = textInsteadLogs(block, view, outcome);
  if (!isCode) return { ...continueAfter(block), writes, logs };
  const { error } = outcome;
  const saved = saveErrorInVariableId ? [{ variableId: saveErrorInVariableId, value: error.description }] : [];
  // If `isCode` is set, the error is also sent to visitors' clients, as in earlier releases, but without the code.
  const reported = logs.map(({ forAuthors, textInsteadAt }) => ({
    ...error,
    forAuthors,
    textInsteadAt,
    reason: "script" as const,
  }));
  return { ...continueAfter(block), writes: [...writes, ...saved], logs: reported };
}

/**
 * Returns the log entry for an expression that was stored as text. Returns no entry if the author may have intended
 * plain text.
 */
export function textInsteadLogs(
  { id, options: { expressionToEvaluate = "", isCode } }: BlockBase & { readonly options: SetVariableOptions },
  { program }: View,
  failure: Failure,
) {
  if (!isCode && !computesWithVariables(expressionToEvaluate)) return [];
  return [{ ...textInsteadLog({ program, blockId: id }, expressionToEvaluate, failure), context: "Set variable" }];
}
