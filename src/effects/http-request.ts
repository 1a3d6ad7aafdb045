import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { withIdempotencyKey } from "./safe-fetch/idempotency-key.ts";
import { EndlessCall, FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch/safe-fetch.ts";
import { type FilledRequest, fillSecrets } from "./secret-values.ts";

/** The pause before the first retry; it doubles with each. */
const firstRetryPauseMs = 300;

type HttpEffect = Extract<Effect, { kind: "http" }>;
type HttpContext = Pick<
  EffectContext,
  "safeFetch" | "secrets" | "hops" | "idempotencyKey" | "timeLeftMs" | "mayGoOn" | "onHeaders"
>;

/** The call of an HTTP block, with its retries. Every outcome becomes a status and a body for the block. */
export async function performHttp(effect: HttpEffect, context: HttpContext): Promise<Report> {
  const { timeoutMs, retries } = effect;
  const filled = await fillSecrets(effect, context.secrets);
  if ("refusal" in filled) return refusedReport(filled.refusal);
  const deadline = performance.now() + Math.min(timeoutMs, context.timeLeftMs);
  for (let attempt = 0; ; attempt++) {
    const result = await call({ ...filled, method: effect.method }, context, deadline - performance.now());
    const pauseMs = firstRetryPauseMs * 2 ** attempt;
    const isLast = attempt >= retries || performance.now() + pauseMs >= deadline;
    if (isLast || !isRetryable(result)) return masked(reportOf(result, timeoutMs), filled.mask);
    await Bun.sleep(pauseMs);
    if (context.mayGoOn?.() === false) return masked(reportOf(result, timeoutMs), filled.mask);
  }
}

type HttpReport = Extract<Report, { kind: "http" }>;
type CallResult = OutgoingResponse | FailedCall | RefusedCall;

async function call(
  request: FilledRequest & Pick<HttpEffect, "method">,
  { safeFetch, hops, idempotencyKey, onHeaders }: HttpContext,
  timeoutMs: number,
): Promise<CallResult> {
  const { url, method, headers, body, secretHeaders, isBodySecret, mask } = request;
  try {
    return await safeFetch({
      url,
      method,
      headers: withIdempotencyKey({ method, headers }, idempotencyKey),
      ...(body !== undefined && { body }),
      secretHeaders,
      isBodySecret,
      timeoutMs,
      hops,
      ...(onHeaders && { onHeaders: (came) => onHeaders(came.map(([name, value]) => [name, mask(value)])) }),
    });
  } catch (error) {
    if (error instanceof FailedCall || error instanceof RefusedCall) return error;
    throw error;
  }
}

/** Statuses after which the same call may succeed later. */
const retryableStatuses = new Set([408, 413, 429, 500, 502, 503, 504]);

function isRetryable(result: CallResult): boolean {
  if (result instanceof RefusedCall) return false;
  if (result instanceof FailedCall) return result.kind === "network";
  // An instance without room for one call has less for the same call three times.
  if (result.isOwn && result.status === 503) return false;
  return retryableStatuses.has(result.status);
}

const refusalStart = "Security validation failed: ";

function refusedReport(reason: string): HttpReport {
  return { kind: "http", statusCode: 400, error: { message: `${refusalStart}${reason}` } };
}

/** `refused`: by this service, which sent nothing, or not all of it; `unreachable`: there was no response, or an unusable one. */
export type HttpOutcome = "answered" | "refused" | "unreachable" | "timedOut";

/** The origin of a call's status, and, if this service refused the call, the reason. */
export function outcomeOf(report: HttpReport): { readonly outcome: HttpOutcome; readonly reason?: string } {
  if ("text" in report) return { outcome: "answered" };
  if (report.statusCode === 408) return { outcome: "timedOut" };
  if (report.statusCode === 500) return { outcome: "unreachable" };
  const said = report.error["message"] ?? "";
  return { outcome: "refused", reason: said.startsWith(refusalStart) ? said.slice(refusalStart.length) : said };
}

function masked(report: HttpReport, mask: FilledRequest["mask"]): Report {
  if ("text" in report) return { ...report, text: mask(report.text) };
  const error = Object.fromEntries(Object.entries(report.error).map(([name, text]) => [name, mask(text)]));
  return { ...report, error };
}

function reportOf(result: CallResult, timeoutMs: number): HttpReport {
  if (result instanceof EndlessCall) return { kind: "http", statusCode: 508, error: { message: result.message } };
  if (result instanceof RefusedCall) return refusedReport(result.message);
  if (!(result instanceof FailedCall)) return { kind: "http", statusCode: result.status, text: result.text };
  if (result.kind === "timeout") {
    const seconds = Math.round(timeoutMs / 1_000);
    return { kind: "http", statusCode: 408, error: { message: `Request timed out. (${seconds}s)` } };
  }
  return { kind: "http", statusCode: 500, error: { description: `[${result.message}] The request failed` } };
}
