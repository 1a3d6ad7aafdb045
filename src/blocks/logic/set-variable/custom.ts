import type { BlockBase } from "../../../interpreter/block.ts";
import { evaluateExpression } from "../../../interpreter/expression.ts";
import { continueAfter, type Outcome } from "../../../interpreter/outcome.ts";
import type { RecordedFetch } from "../../../interpreter/script.ts";
import type { View } from "../../../interpreter/view.ts";
import { fetchForScript } from "../script-fetches.ts";
import type { SetVariableOptions } from "./options.ts";

/** Sets a variable to the value of an expression: see `evaluateExpression`. A failure is reported only where `isCode` is set. */
export function evaluateCustom(
  block: BlockBase & { readonly options: SetVariableOptions; readonly variableId: string },
  view: View,
  fetched: readonly RecordedFetch[],
): Outcome {
  const { expressionToEvaluate, isCode, saveErrorInVariableId } = block.options;
  const outcome = evaluateExpression(expressionToEvaluate, view, fetched);
  if (outcome.kind === "fetch") return fetchForScript(outcome, fetched);
  const writes = [{ variableId: block.variableId, value: outcome.value }];
  if (outcome.kind === "evaluated" || !isCode) return { ...continueAfter(block), writes };
  const { error } = outcome;
  const saved = saveErrorInVariableId ? [{ variableId: saveErrorInVariableId, value: error.description }] : [];
  return { ...continueAfter(block), writes: [...writes, ...saved], logs: [error] };
}
