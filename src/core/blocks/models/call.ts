import { limits } from "../../../limits/index.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import type { ModelEffect, ModelFailure, ModelMessage, ModelPlace } from "../../interpreter/program/model.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import type { CallOptions, PlaceOptions } from "./chat-options.ts";

type Asked = { readonly view: View; readonly context: string };

/** Returns the model and server for a call, or the reason why no call can be made. */
export function placeOf(
  { type }: Pick<BlockBase, "type">,
  options: PlaceOptions,
  { view, context }: Asked,
): ModelPlace | { readonly problem: StepLog } {
  const model = view.text(options.model).trim();
  if (model === "") return { problem: { description: "No model provided", context } };
  const credentialsId = view.text(options.credentialsId);
  if (credentialsId === "") return { problem: missingCredentials({ type }) };
  const [baseUrl, apiVersion] = [view.text(options.baseUrl), view.text(options.apiVersion)];
  const seconds = Math.min(Math.max(options.timeout ?? limits.models.seconds, 1), limits.models.mostSeconds);
  return {
    credentialsType: type,
    credentialsId,
    ...(baseUrl !== "" && { baseUrl }),
    ...(apiVersion !== "" && { apiVersion }),
    model,
    timeoutMs: seconds * 1_000,
  };
}

/** Returns the model call described by a block's options, or the reason why no call can be made. */
export function callOf(
  block: Pick<BlockBase, "type">,
  options: CallOptions,
  { view, messages, context }: Asked & { messages: readonly ModelMessage[] },
): { readonly effect: ModelEffect; readonly logs: readonly StepLog[] } | { readonly problem: StepLog } {
  const place = placeOf(block, options, { view, context });
  if ("problem" in place) return place;
  const temperature = numberIn(options.temperature, view);
  const isWarm = temperature !== undefined && temperature >= 0 && temperature <= 2;
  const maxTokens = numberIn(options.maxTokens, view);
  const isCount =
    maxTokens !== undefined && Number.isInteger(maxTokens) && maxTokens >= 1 && maxTokens <= limits.models.mostTokens;
  const fallbacks = (options.fallbacks ?? []).slice(0, limits.models.fallbacks).map((fallback) => ({
    credentialsType: fallback.type ?? block.type,
    credentialsId: view.text(fallback.credentialsId),
    model: view.text(fallback.model).trim(),
  }));
  const { timeoutMs, ...where } = place;
  const effect: ModelEffect = {
    kind: "model",
    ...where,
    messages,
    ...(isWarm && { temperature }),
    ...(maxTokens !== undefined && { maxTokens: isCount ? maxTokens : limits.models.tokens }),
    ...(fallbacks.length > 0 && { fallbacks }),
    timeoutMs,
  };
  const isWrong = temperature !== undefined && !isWarm;
  const logs = isWrong ? [info("The temperature is not a number from 0 to 2, so it was left out", context)] : [];
  return { effect, logs };
}

/** Returns the number in a field. Returns NaN for text that is not a number, and undefined for an empty field. */
function numberIn(option: number | string | undefined, view: View): number | undefined {
  const text = typeof option === "string" ? view.text(option).trim() : option;
  return text === undefined || text === "" ? undefined : Number(text);
}

export function goOn(
  block: BlockBase,
  { writes = [], logs }: { writes?: readonly Write[]; logs: readonly StepLog[] },
): Outcome {
  return { ...continueAfter(block), writes, ...(logs.length > 0 && { logs }) };
}

export function failedCall(block: BlockBase, logs: readonly StepLog[]): Outcome {
  return { ...goOn(block, { logs }), failed: {} };
}

/**
 * Writes the value of a call. If there is no value, the variable is cleared so that an earlier value is not mistaken
 * for the current one.
 */
export function writeOrEmpty(
  block: BlockBase,
  variableId: string | undefined,
  result: { readonly value: string } | { readonly log: StepLog },
): Outcome {
  if ("value" in result)
    return goOn(block, { writes: variableId ? [{ variableId, value: result.value }] : [], logs: [] });
  const outcome = goOn(block, { writes: variableId ? [{ variableId, value: null }] : [], logs: [result.log] });
  return result.log.status === "info" ? outcome : { ...outcome, failed: {} };
}

/** Returns the log entry for a report without a value. */
export function reportLog(block: BlockBase, report: Report, context: string): StepLog {
  return "failure" in report &&
    report.kind !== "call" &&
    report.kind !== "sheet" &&
    report.kind !== "qrCode" &&
    report.kind !== "gmail"
    ? failureLog(block, report.failure, context)
    : info(refusalOf(report), context);
}

export function failureLog(block: BlockBase, { reason, status, details }: ModelFailure, context: string): StepLog {
  if (reason === "credentials") return { ...missingCredentials(block), ...(details && { details }) };
  const allDetails = [...(status === undefined ? [] : [`status ${status}`]), ...(details ? [details] : [])].join(": ");
  const named = { reason: `model.${reason.replaceAll(" ", "_")}` } as const;
  return { description: sentences[reason], ...(allDetails && { details: allDetails }), context, ...named };
}

const sentences: Readonly<Record<Exclude<ModelFailure["reason"], "credentials">, string>> = {
  address: "The model was not called, because its address is not allowed",
  key: "The provider rejected the key",
  credit: "The account at the provider has no credit",
  model: "The provider does not have this model",
  requests: "The provider received too many requests from this account",
  overloaded: "The provider is overloaded or not available",
  "too long": "The conversation is too long for the model",
  spent: "The model used all its tokens before it answered: increase the limit",
  withheld: "The provider withheld the answer",
  unreachable: "The provider cannot be reached",
  time: "The model took too long",
  refused: "The provider rejected the request",
  unreadable: "The provider's response cannot be read",
  empty: "The model's answer is empty",
  busy: "The model was not called, because too many calls of models are running",
  budget: "The model was not called, because the budget for models is used up",
  file: "The file cannot be read",
};

/** Returns the reason why a model effect has no report from the model. */
export function refusalOf(report: Report): string {
  return report.kind === "refused" ? report.reason : "The model was not called";
}

export function missingCredentials({ type }: Pick<BlockBase, "type">): StepLog {
  return { description: `Could not find credentials for block ${type}`, reason: "credentials" };
}

export function info(description: string, context: string): StepLog {
  return { status: "info", description, context };
}
