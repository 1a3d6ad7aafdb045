import { credentialsKinds } from "../core/credentials/index.ts";
import type { CallEffect, CallReport } from "../core/interpreter/program/call.ts";
import type { EffectContext } from "./effect-context.ts";
import { callService } from "./providers/service-call.ts";
import { BusyCall } from "./safe-fetch/safe-fetch-exchange.ts";

type CallContext = Pick<
  EffectContext,
  "safeFetch" | "hops" | "providers" | "mayGoOn" | "credentials" | "idempotencyKey" | "timeLeftMs"
>;

/** Calls a service with its credentials. A failed call is returned as a report. */
export async function performCall(
  { credentialsType: type, credentialsId, request, retries, timeoutMs, isKeyed }: CallEffect,
  context: CallContext,
): Promise<CallReport> {
  const kind = credentialsKinds.get(type);
  const data = await context.credentials?.find({ type, credentialsId });
  if (!kind?.service || data === undefined) return { kind: "call", failure: { reason: "credentials" } };
  if (data === "unreadable") {
    const details = "No key of this instance decrypts the credentials: enter them again";
    return { kind: "call", failure: { reason: "credentials", details } };
  }
  await context.credentials?.noteUse({ credentialsId });
  const deadline = performance.now() + context.timeLeftMs;
  const call = async (): Promise<CallReport> => {
    const leftMs = deadline - performance.now();
    // The call timed out while it was queued.
    if (leftMs <= 0) return { kind: "call", failure: { reason: "time" } };
    const bounded = { retries, timeoutMs: Math.min(timeoutMs, leftMs) };
    return callService({ kind, data, request, ...bounded, ...(isKeyed && { key: context.idempotencyKey }) }, context);
  };
  const report = await (context.providers?.calls?.run(credentialsId, call) ?? call()).catch(asBusy);
  if (!("failure" in report) && report.status === keyRefused) {
    const problem = report.sentence || `${kind.name} rejects the key`;
    await context.credentials?.noteProblem?.({ credentialsId, problem });
  }
  return report;
}

function asBusy(error: unknown): CallReport {
  if (error instanceof BusyCall) return { kind: "call", failure: { reason: "busy", details: error.message } };
  throw error;
}

/** The status for an invalid key. Services answer 403 if a valid key lacks a permission. */
const keyRefused = 401;
