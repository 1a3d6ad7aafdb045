import { type Clock, pause, systemClock } from "../../platform/concurrency/clock.ts";
import { FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch.ts";

/** A response, or the reason why there is none. */
export type CallResult = OutgoingResponse | FailedCall | RefusedCall;

/** The pause before the first retry; the pause doubles with each retry. */
const firstRetryPauseMs = 300;

type Retrying = {
  readonly retries: number;
  /** The time on the clock at which all tries end. */
  readonly deadline: number;
  readonly mayGoOn?: (() => boolean) | undefined;
  readonly clock?: Clock | undefined;
};

/**
 * Makes a call, and repeats it after a temporary failure. The claim may be lost during a pause: no further request is
 * sent after that.
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

/** The statuses of a client's request after which the same one may succeed later. */
const passingRequests = new Set([408, 413, 429]);
/** A server with one of these statuses will never support the request. */
const lastingErrors = new Set([501, 505]);

/**
 * Whether the same call may succeed later, by the status of its answer. HTTP blocks and all providers use this one
 * list.
 */
export function isPassingStatus(status: number): boolean {
  return passingRequests.has(status) || (status >= 500 && !lastingErrors.has(status));
}

function isRetryable(result: CallResult): boolean {
  if (result instanceof RefusedCall) return false;
  if (result instanceof FailedCall) return result.kind === "network";
  // An instance without room for one call does not have room for three of them.
  if (result.isOwn && result.status === 503) return false;
  return isPassingStatus(result.status);
}
