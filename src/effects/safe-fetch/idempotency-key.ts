import type { Headers } from "./safe-fetch-exchange.ts";

/**
 * The headers of a call with the key of its effect, if each call may have a side effect: a step that is retried after a
 * crash sends the same key, so that the receiver can recognise the same call. An author's own key stays.
 */
export function withIdempotencyKey({ method, headers }: { method: string; headers: Headers }, key: string): Headers {
  const isRepeatable = !/^(?:POST|PATCH)$/i.test(method);
  const hasKey = headers.some(([name]) => name.toLowerCase() === "idempotency-key");
  return isRepeatable || hasKey ? headers : [...headers, ["Idempotency-Key", key]];
}
