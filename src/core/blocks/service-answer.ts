import { limits } from "../../limits/index.ts";
import { parseUntrustedJson } from "../interpreter/language/untrusted-json.ts";
import type { BlockBase } from "../interpreter/program/block.ts";
import type { CallEffect, CallFailure, CallRequest } from "../interpreter/program/call.ts";
import type { Report } from "../interpreter/program/effect.ts";
import type { FailureReason, Outcome, StepLog } from "../interpreter/program/outcome.ts";
import { failedWith, logged } from "./logged.ts";
import { missingCredentials } from "./models/call.ts";

/** The call of the service of this block's type. A request that may be made twice is tried again, as those of HTTP blocks are. */
export function serviceCall({ type }: BlockBase, credentialsId: string, request: CallRequest): CallEffect {
  return {
    ...{ kind: "call", credentialsType: type, credentialsId, request },
    retries: request.method === "GET" ? limits.outgoing.retries : 0,
    timeoutMs: limits.outgoing.serviceSeconds * 1_000,
  };
}

/** The JSON of an answer with success; otherwise how the block goes on. `name` is that of the service. */
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
  if ("failure" in report) return failed(failureLog(block, report.failure, name));
  const { status, text, sentence } = report;
  if (status < 200 || status >= 300) {
    const details = `status ${status}${sentence === undefined ? "" : `: ${sentence}`}`;
    return failed({ description: `${name} refused the request`, details, reason: `http.${status}` });
  }
  const json = parseUntrustedJson(text);
  return json ? { json: json.value } : failed({ description: `The answer of ${name} cannot be read` });
}

function failureLog(block: BlockBase, { reason, details }: CallFailure, name: string): StepLog {
  const more = details === undefined ? {} : { details };
  if (reason === "credentials") return { ...missingCredentials(block), ...more };
  const counted: FailureReason = unanswered.has(reason) ? "http.unanswered" : "block";
  return { description: `${name} ${sentences[reason]}`, ...more, reason: counted };
}

const unanswered: ReadonlySet<CallFailure["reason"]> = new Set(["busy", "time", "unreachable", "unreadable"]);

const sentences: Readonly<Record<Exclude<CallFailure["reason"], "credentials">, string>> = {
  address: "was not called, because its address is not allowed",
  busy: "was not called: too many calls are made here at the same time",
  time: "took too long",
  unreachable: "cannot be reached",
  unreadable: "gave an answer that cannot be read",
  status: "refused the request",
  refused: "refused the request",
  budget: "was not called: the budget is used up",
  file: "was called, but the file cannot be kept",
};
