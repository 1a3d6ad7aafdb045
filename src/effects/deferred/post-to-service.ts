import type { CredentialsKind } from "../../core/credentials/kind.ts";
import type { CallReport } from "../../core/interpreter/program/call.ts";
import { limits } from "../../limits/index.ts";
import { callService } from "../providers/service-call.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { isPassingStatus } from "../safe-fetch/retries.ts";
import type { CallEnd, DeferredWorld } from "./deferred-service.ts";

/** Posts JSON to a service once. Retries are left to the queue. */
export function postToService(
  kind: CredentialsKind,
  { safeFetch, providers, workspaceId, credentials: data }: DeferredWorld,
  { path, body }: { readonly path: string; readonly body: unknown },
): Promise<CallReport> {
  const call = { kind, data, request: { method: "POST", path, body }, retries: 0 } as const;
  const timeoutMs = limits.deferredCalls.deliveryMs;
  return callService({ ...call, timeoutMs }, { safeFetch, providers, hops: { ...noHops, workspaceId } });
}

/** Whether the service responded with a success status. */
export function isSuccess(report: CallReport): boolean {
  return "status" in report && report.status >= 200 && report.status < 300;
}

/** Returns the outcome of a call that the service did not accept. */
export function failedEnd(name: string, report: CallReport): CallEnd {
  const description = `Event not sent to ${name}`;
  if ("failure" in report) {
    const { reason, details = reason } = report.failure;
    const isRetryable = reason !== "address" && reason !== "credentials";
    const failure = reason === "credentials" ? reason : "http.unanswered";
    return { kind: "failed", description, reason: details, isRetryable, failure };
  }
  const { status, sentence } = report;
  const said = isSuccess(report) ? "its response cannot be read" : sentence;
  return {
    kind: "failed",
    description,
    reason: said === undefined ? `${name} answered ${status}` : `${name} answered ${status}: ${said}`,
    // A rejected key is retried because an author may correct the key.
    isRetryable: status < 400 || isPassingStatus(status) || status === 401 || status === 403,
    failure: `http.${status}`,
  };
}
