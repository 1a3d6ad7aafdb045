import { type Clock, pause, systemClock } from "../../platform/concurrency/clock.ts";
import { FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch.ts";

/** A response, or the reason why there is none. */
export type CallResult = OutgoingResponse | FailedCall | RefusedCall;

/** The pause before the first retry; it doubles with each. */
const firstRetryPauseMs = 300;

type Retrying = {
  readonly retries: number;
  /** The deadline of all tries, by the clock. */
  readonly deadline: number;
  readonly mayGoOn?: (() => boolean) | undefined;
  readonly clock?: Clock | undefined;
};

/**
 * Makes a call, again after a failure that may pass. The claim may be lost during a pause: then no further request is
 * sent.
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
/** A server that says these will never know the request. */
const lastingErrors = new Set([501, 505]);

/**
 * Whether the same call may succeed later, by the status of its answer. The one list for HTTP blocks and all providers.
 */
export function isPassingStatus(status: number): boolean {
  return passingRequests.has(status) || (status >= 500 && !lastingErrors.has(status));
}

function isRetryable(result: CallResult): boolean {
  if (result instanceof RefusedCall) return false;
  if (result instanceof FailedCall) return result.kind === "network";
  // An instance without room for one call has less for the same call three times.
  if (result.isOwn && result.status === 503) return false;
  return isPassingStatus(result.status);
}
