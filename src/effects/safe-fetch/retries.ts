import { FailedCall, type OutgoingResponse, RefusedCall } from "./safe-fetch.ts";

/** A response, or the reason why there is none. */
export type CallResult = OutgoingResponse | FailedCall | RefusedCall;

/** The pause before the first retry; it doubles with each. */
const firstRetryPauseMs = 300;

type Retrying = {
  readonly retries: number;
  /** Of all tries, by the clock of `performance.now`. */
  readonly deadline: number;
  readonly mayGoOn?: (() => boolean) | undefined;
};

/** Makes a call, again after a failure that may pass. The claim may be lost during a pause: then no further request is sent. */
export async function withRetries(
  call: (timeoutMs: number) => Promise<OutgoingResponse>,
  { retries, deadline, mayGoOn }: Retrying,
): Promise<CallResult> {
  for (let attempt = 0; ; attempt++) {
    const result = await call(deadline - performance.now()).catch(asResult);
    const pauseMs = firstRetryPauseMs * 2 ** attempt;
    const isLast = attempt >= retries || performance.now() + pauseMs >= deadline;
    if (isLast || !isRetryable(result)) return result;
    await Bun.sleep(pauseMs);
    if (mayGoOn?.() === false) return result;
  }
}

function asResult(error: unknown): FailedCall | RefusedCall {
  if (error instanceof FailedCall || error instanceof RefusedCall) return error;
  throw error;
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
