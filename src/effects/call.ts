import { credentialsKinds } from "../core/credentials/index.ts";
import type { CallEffect, CallReport } from "../core/interpreter/program/call.ts";
import type { EffectContext } from "./effect-context.ts";
import { callService } from "./providers/service-call.ts";

type CallContext = Pick<
  EffectContext,
  "safeFetch" | "hops" | "providers" | "mayGoOn" | "credentials" | "idempotencyKey" | "timeLeftMs"
>;

/** The call of a service, signed under its credentials. Every outcome becomes a report. */
export async function performCall(
  { credentialsType: type, credentialsId, request, retries, timeoutMs, isKeyed }: CallEffect,
  context: CallContext,
): Promise<CallReport> {
  const kind = credentialsKinds.get(type);
  const data = await context.credentials?.find({ type, credentialsId });
  if (!kind?.service || data === undefined) return { kind: "call", failure: { reason: "credentials" } };
  if (data === "unreadable") {
    const details = "No key of this instance decrypts them: enter them again";
    return { kind: "call", failure: { reason: "credentials", details } };
  }
  await context.credentials?.noteUse({ credentialsId });
  const bounded = { retries, timeoutMs: Math.min(timeoutMs, context.timeLeftMs) };
  const call = { kind, data, request, ...bounded, ...(isKeyed && { key: context.idempotencyKey }) };
  const report = await callService(call, context);
  if (!("failure" in report) && report.status === keyRefused) {
    const problem = report.sentence || `${kind.name} refuses the key`;
    await context.credentials?.noteProblem?.({ credentialsId, problem });
  }
  return report;
}

/** With 403 services refuse one thing to a key that they accept. */
const keyRefused = 401;
