import type { Headers } from "./safe-fetch-exchange.ts";

/**
 * Adds an idempotency key to the headers of a POST or PATCH call, because repeating the call may have another side
 * effect. A step that is retried after a crash sends the same key, so that the receiver can detect the repeated call. A
 * key set by the author is not changed.
 */
export function withIdempotencyKey({ method, headers }: { method: string; headers: Headers }, key: string): Headers {
  const isRepeatable = !/^(?:POST|PATCH)$/i.test(method);
  const hasKey = headers.some(([name]) => name.toLowerCase() === "idempotency-key");
  return isRepeatable || hasKey ? headers : [...headers, ["Idempotency-Key", key]];
}
