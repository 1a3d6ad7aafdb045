import { type Clock, pause, systemClock } from "../../platform/concurrency/clock.ts";
import { FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch.ts";

/** A response, or the reason why there is no response. */
export type CallResult = OutgoingResponse | FailedCall | RefusedCall;

/** The pause before the first retry, which doubles with each further retry. */
const firstRetryPauseMs = 300;

type Retrying = {
  readonly retries: number;
  /** The clock time at which all attempts end. */
  readonly deadline: number;
  readonly mayGoOn?: (() => boolean) | undefined;
  readonly clock?: Clock | undefined;
};

/**
 * Makes a call and repeats it after a temporary failure. If the step's claim is lost during a pause, no further request
 * is sent.
 */
export async function withRetries(
  call: (timeoutMs: number) => Promise<OutgoingResponse>,
  { retries, deadline, mayGoOn, clock = systemClock }: Retrying,
): Promise<CallResult> {
  for (let attempt = 0; ; attempt++) {
    const result = await call(deadline - clock.now()).catch(asResult);
    const pauseMs = firstRetryPauseMs * 2 ** attempt;
    const isLast = attempt >= retries || clock.now() + pauseMs >= deadline;
    if (isLast || !isRetryable(result)) return result;
    await pause(clock, pauseMs);
    if (mayGoOn?.() === false) return result;
  }
}

function asResult(error: unknown): FailedCall | RefusedCall {
  if (error instanceof FailedCall || error instanceof RefusedCall) return error;
  throw error;
}

/** Client error statuses after which a repeated request may succeed. */
const passingRequests = new Set([408, 413, 429]);
/** Server error statuses that are permanent. */
const lastingErrors = new Set([501, 505]);

/** Whether a repeated call may succeed, based on the status of the response. */
export function isPassingStatus(status: number): boolean {
  return passingRequests.has(status) || (status >= 500 && !lastingErrors.has(status));
}

function isRetryable(result: CallResult): boolean {
  if (result instanceof RefusedCall) return false;
  if (result instanceof FailedCall) return result.kind === "network";
  // An instance without capacity for one call has no capacity for retries.
  if (result.isOwn && result.status === 503) return false;
  return isPassingStatus(result.status);
}
