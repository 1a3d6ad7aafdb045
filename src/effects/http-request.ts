import type { Effect, Report } from "../interpreter/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch.ts";

/** The pause before the first retry; it doubles with each. */
const firstRetryPauseMs = 300;

type HttpEffect = Extract<Effect, { kind: "http" }>;
type HttpContext = Pick<EffectContext, "safeFetch" | "idempotencyKey" | "timeLeftMs" | "mayGoOn">;

/** The call of an HTTP block, with its retries. Whatever comes of it is a status and a body for the block. */
export async function performHttp(effect: HttpEffect, context: HttpContext): Promise<Report> {
  const { timeoutMs, retries } = effect;
  const deadline = performance.now() + Math.min(timeoutMs, context.timeLeftMs);
  for (let attempt = 0; ; attempt++) {
    const attempted = await call(effect, context, deadline - performance.now());
    const pauseMs = firstRetryPauseMs * 2 ** attempt;
    const isLast = attempt >= retries || performance.now() + pauseMs >= deadline;
    if (isLast || !mayPass(attempted)) return reportOf(attempted, timeoutMs);
    await Bun.sleep(pauseMs);
    if (context.mayGoOn?.() === false) return reportOf(attempted, timeoutMs);
  }
}

type Attempted = OutgoingResponse | FailedCall | RefusedCall;

async function call(
  effect: HttpEffect,
  { safeFetch, idempotencyKey }: HttpContext,
  timeoutMs: number,
): Promise<Attempted> {
  const { url, method, headers, body } = effect;
  const isRepeatable = method !== "POST" && method !== "PATCH";
  const hasKey = headers.some(([name]) => name.toLowerCase() === "idempotency-key");
  try {
    return await safeFetch({
      url,
      method,
      // A step taken up again after a crash sends the same key: the other side can tell that it is the same call.
      headers: isRepeatable || hasKey ? headers : [...headers, ["Idempotency-Key", idempotencyKey]],
      ...(body !== undefined && { body }),
      timeoutMs,
    });
  } catch (error) {
    if (error instanceof FailedCall || error instanceof RefusedCall) return error;
    throw error;
  }
}

/** Statuses that say: not now. */
const passing = new Set([408, 413, 429, 500, 502, 503, 504]);

function mayPass(attempted: Attempted): boolean {
  if (attempted instanceof RefusedCall) return false;
  return attempted instanceof FailedCall ? attempted.kind === "network" : passing.has(attempted.status);
}

function reportOf(attempted: Attempted, timeoutMs: number): Report {
  if (attempted instanceof RefusedCall) {
    return { kind: "http", statusCode: 400, error: { message: `Security validation failed: ${attempted.message}` } };
  }
  if (!(attempted instanceof FailedCall)) return { kind: "http", statusCode: attempted.status, text: attempted.text };
  if (attempted.kind === "timeout") {
    const seconds = Math.round(timeoutMs / 1_000);
    return { kind: "http", statusCode: 408, error: { message: `Request timed out. (${seconds}s)` } };
  }
  return { kind: "http", statusCode: 500, error: { description: `[${attempted.message}] The request failed` } };
}
