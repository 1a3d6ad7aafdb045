import { limits } from "../../limits/index.ts";
import { parseUntrustedJson } from "../interpreter/language/untrusted-json.ts";
import type { BlockBase } from "../interpreter/program/block.ts";
import type { CallEffect, CallFailure, CallRequest } from "../interpreter/program/call.ts";
import type { Report } from "../interpreter/program/effect.ts";
import type { Outcome, StepLog } from "../interpreter/program/outcome.ts";
import { failedWith, logged } from "./logged.ts";

/** Creates a call to the service of the block's type. GET requests are retried, because they are safe to repeat. */
export function serviceCall({ type }: BlockBase, credentialsId: string, request: CallRequest): CallEffect {
  return {
    ...{ kind: "call", credentialsType: type, credentialsId, request },
    retries: request.method === "GET" ? limits.outgoing.retries : 0,
    timeoutMs: limits.outgoing.serviceSeconds * 1_000,
  };
}

/**
 * Returns the JSON of a successful response, or the outcome with which the block continues. `name` is the service's
 * name.
 */
export function answerOf(
  block: BlockBase,
  report: Report,
  name: string,
): { readonly json: unknown } | { readonly instead: Outcome } {
  const context = `While calling ${name}`;
  const failed = (log: StepLog) => ({ instead: failedWith(block, { context, ...log }) });
  if (report.kind === "refused") {
    return { instead: logged(block, { status: "info", description: report.reason, context }) };
  }
  if (report.kind !== "call") return failed({ description: `${name} was not called` });
  if ("failure" in report) return failed(serviceFailureLog(block, report.failure, { service: name, context }));
  const { status, text, sentence } = report;
  if (status < 200 || status >= 300) {
    const details = `status ${status}${sentence === undefined ? "" : `: ${sentence}`}`;
    return failed({ description: `${name} rejected the request`, details, reason: `http.${status}` });
  }
  const json = parseUntrustedJson(text);
  return json ? { json: json.value } : failed({ description: `The response of ${name} cannot be read` });
}

export function serviceFailureLog(
  { type }: { readonly type: string },
  { reason, status, details }: CallFailure,
  { service, context }: { readonly service: string; readonly context: string },
): StepLog {
  const said = details === undefined ? {} : { details };
  if (reason === "credentials" && status === undefined) {
    return { description: `Could not find credentials for block ${type}`, ...said, context, reason };
  }
  const isKey = reason === "credentials" || reason === "budget";
  return {
    description: `${service} ${sentences[reason]}`,
    ...said,
    context,
    reason: isKey ? reason : `http.${status ?? "unanswered"}`,
  };
}

const sentences: Readonly<Record<CallFailure["reason"], string>> = {
  credentials: "rejects the credentials",
  address: "was not called, because its address is not allowed",
  busy: "was not called, because too many calls are waiting",
  time: "did not respond in time",
  unreachable: "cannot be reached",
  unreadable: "sent a response that cannot be read",
  status: "rejected the request",
  refused: "was not called",
  budget: "was not called, because the budget is used up",
  file: "was not called, because a file cannot be read",
};
