import type { Headers } from "./safe-fetch-exchange.ts";

/**
 * The headers of a call with the key of its effect, if each call may have a side effect. A step that is retried after a
 * crash sends the same key, so the receiver can recognise the repeated call. A key that the author has set stays.
 */
export function withIdempotencyKey({ method, headers }: { method: string; headers: Headers }, key: string): Headers {
  const isRepeatable = !/^(?:POST|PATCH)$/i.test(method);
  const hasKey = headers.some(([name]) => name.toLowerCase() === "idempotency-key");
  return isRepeatable || hasKey ? headers : [...headers, ["Idempotency-Key", key]];
}
