import type { ModelFailure } from "../interpreter/model.ts";
import { limits } from "../limits.ts";
import { sentenceIn, sentenceOf } from "./ask-provider.ts";
import { FailedCall, RefusedCall } from "./safe-fetch.ts";
import { BusyCall } from "./safe-fetch-exchange.ts";

/** One try that gave no answer. */
export type FailedTry = {
  readonly kind: "failed";
  readonly failure: ModelFailure;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
};

/** What an error of a library says. The error itself holds the prompt. */
export function failedTry(error: unknown): FailedTry {
  const call = inCauses(error, (one) => one instanceof RefusedCall || one instanceof FailedCall);
  if (call instanceof RefusedCall) return failed("address", { details: call.message });
  if (call instanceof BusyCall) return failed("busy", {});
  if (call instanceof FailedCall) {
    if (call.kind === "timeout") return failed("time", { isRetryable: true });
    // An answer that is none of a model: the same call would come to the same.
    const isAnswer = call.kind === "answer";
    return failed(isAnswer ? "unreadable" : "unreachable", { details: call.message, isRetryable: !isAnswer });
  }
  const answer = inCauses(error, (one) => one instanceof Error && "statusCode" in one);
  if (isApiError(answer)) return failedAnswer(answer);
  // A stream that cannot be read, or an error in it: it may be told as a text, or as an object with a message.
  const said =
    typeof error === "string" ? sentenceIn(error) : sentenceOf(error instanceof Error ? { ...error } : error);
  return failed("unreadable", { details: said, isRetryable: true });
}

type ApiError = { statusCode?: number; responseBody?: string; responseHeaders?: Record<string, string> };

function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && "statusCode" in error;
}

export function failedAnswer({ statusCode: status = 0, responseBody = "", responseHeaders }: ApiError): FailedTry {
  if (status >= 200 && status < 300) return failed("unreadable", { isRetryable: true });
  const details = sentenceIn(responseBody);
  const isTooLong = status === 413 || (status === 400 && saysTooLong(details));
  const reason = isTooLong ? "too long" : (reasons.get(status) ?? (status >= 500 ? "overloaded" : "refused"));
  const isRetryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const seconds = Number(responseHeaders?.["retry-after"]);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return failed(reason, {
    status,
    details,
    isRetryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** That it is the conversation that is too long, and not the answer that was asked for. */
function saysTooLong(details: string): boolean {
  if (/max_(?:completion_|output_)?tokens/i.test(details)) return false;
  return /context|too long|too large for model|reduce the length|maximum.{0,40}tokens/i.test(details);
}

const reasons = new Map<number, ModelFailure["reason"]>([
  [401, "key"],
  [402, "credit"],
  [403, "key"],
  [404, "model"],
  [408, "time"],
  [429, "requests"],
]);

export function failed(
  reason: ModelFailure["reason"],
  more: { status?: number; details?: string; isRetryable?: boolean; retryAfterMs?: number },
): FailedTry {
  const { status, details, isRetryable = false, retryAfterMs } = more;
  return {
    kind: "failed",
    failure: { reason, ...(status !== undefined && { status }), ...(details && { details }) },
    isRetryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** How long to wait before the next try; undefined where there is none. */
export function pauseAfter(tried: FailedTry, attempt: number): number | undefined {
  const pauseMs = limits.models.pausesMs[attempt];
  if (!tried.isRetryable || pauseMs === undefined) return undefined;
  return Math.min(Math.max(pauseMs, tried.retryAfterMs ?? 0), limits.models.retryAfterMs);
}

/** The first error among this one and its causes that `is` finds. */
function inCauses(error: unknown, is: (error: unknown) => boolean): unknown {
  let here = error;
  for (let depth = 0; depth < 8 && here !== undefined && here !== null; depth++) {
    if (is(here)) return here;
    here = here instanceof Error ? here.cause : undefined;
  }
  return undefined;
}
