import { AppError } from "../../errors.ts";
import { limits } from "../../limits.ts";

const visibleAscii = /^[\x21-\x7e]+$/;

/**
 * The request's `Idempotency-Key`, or undefined when it has none. Throws `idempotency.key_invalid` unless it has 1 to
 * 255 visible ASCII characters, and `idempotency.key_too_short` when it has fewer than `minimum`.
 */
export function readIdempotencyKey(headers: Headers, options: { minimum?: number } = {}): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length > limits.idempotency.keyCharacters || !visibleAscii.test(key)) {
    throw new AppError("idempotency.key_invalid");
  }
  if (key.length < (options.minimum ?? 1)) throw new AppError("idempotency.key_too_short");
  return key;
}

/** The header that tells a replayed response from a fresh one; a handler adds it to its answer's headers. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;
