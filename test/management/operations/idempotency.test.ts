import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/errors.ts";
import { readIdempotencyKey } from "../../../src/management/operations/idempotency.ts";

const read = (key: string | undefined, minimum?: number) =>
  readIdempotencyKey(
    new Headers(key === undefined ? {} : { "Idempotency-Key": key }),
    minimum === undefined ? {} : { minimum },
  );

function codeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

describe("an Idempotency-Key", () => {
  test("an Idempotency-Key is read unchanged", () => {
    expect(read("a")).toBe("a");
    expect(read("!~x".padEnd(255, "y"))).toBe("!~x".padEnd(255, "y"));
    expect(read("0123456789abcdef", 16)).toBe("0123456789abcdef");
  });

  test("an Idempotency-Key may be missing", () => {
    expect(read(undefined, 16)).toBeUndefined();
  });

  test.each(["", "x".repeat(256), "two words", "k\u00e9y"])("an Idempotency-Key is invalid: %p", (key) => {
    expect(codeOf(() => read(key))).toBe("idempotency.key_invalid");
  });

  test("an Idempotency-Key below 16 characters cannot start a chat", () => {
    expect(codeOf(() => read("0123456789abcde", 16))).toBe("idempotency.key_too_short");
  });
});
