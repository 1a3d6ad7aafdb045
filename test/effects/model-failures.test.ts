import { describe, expect, test } from "bun:test";
import { failedAnswer, failedTry, pauseAfter } from "../../src/effects/model-failures.ts";
import { FailedCall, RefusedCall } from "../../src/effects/safe-fetch.ts";
import { BusyCall } from "../../src/effects/safe-fetch-exchange.ts";

const answer = (statusCode: number, message = "", retryAfter?: string) =>
  failedAnswer({
    statusCode,
    responseBody: JSON.stringify({ error: { message } }),
    ...(retryAfter !== undefined && { responseHeaders: { "retry-after": retryAfter } }),
  });

describe("what a provider answers", () => {
  test.each<[number, string, string, boolean]>([
    [400, "", "refused", false],
    [400, "This model's maximum context length is 8192 tokens", "too long", false],
    [400, "max_tokens is too large: the context allows 4096", "refused", false],
    [401, "", "key", false],
    [402, "", "credit", false],
    [403, "", "key", false],
    [404, "", "model", false],
    [408, "", "time", true],
    [409, "", "refused", true],
    [413, "", "too long", false],
    [422, "", "refused", false],
    [429, "", "requests", true],
    [500, "", "overloaded", true],
    [503, "", "overloaded", true],
    [529, "", "overloaded", true],
    [200, "", "unreadable", true],
  ])("a %i (%s) is told as %s; whether it is asked again: %p", (status, message, reason, isRetryable) => {
    expect(answer(status, message)).toMatchObject({ failure: { reason }, isRetryable });
  });

  test("is quoted to 300 characters, as text", () => {
    const { failure } = answer(400, `${"x".repeat(400)}\n<b>`);
    expect(failure.details).toBe("x".repeat(300));
    expect(failedAnswer({ statusCode: 502, responseBody: "<html><h1>Bad\n gateway</h1>" }).failure.details).toBe(
      "Bad gateway",
    );
    expect(
      failedAnswer({ statusCode: 500, responseBody: '{"request":{"prompt":"secret"}}' }).failure.details,
    ).toBeUndefined();
  });
});

describe("what a call comes to", () => {
  const circular: { error: { message: string }; self?: unknown } = { error: { message: "it broke" } };
  circular.self = circular;
  const behind = (cause: unknown) => new Error("Cannot connect to API", { cause });

  test.each<[unknown, string, boolean]>([
    [behind(new RefusedCall("This host cannot be called")), "address", false],
    [behind(behind(new BusyCall())), "busy", false],
    [behind(new FailedCall("timeout", "There was no answer within 60000 ms")), "time", true],
    [behind(new FailedCall("network", "ECONNREFUSED")), "unreachable", true],
    [behind(new FailedCall("answer", "A line is longer than 1048576 bytes")), "unreadable", false],
    ["it broke", "unreadable", true],
    [{ error: { message: "it broke" } }, "unreadable", true],
    [null, "unreadable", true],
    [circular, "unreadable", true],
  ])("%p is told as %s", (error, reason, isRetryable) => {
    expect(failedTry(error)).toMatchObject({ failure: { reason }, isRetryable });
  });

  test("is never told with the error of a library, which holds the prompt", () => {
    const error = Object.assign(behind(new TypeError("no")), {
      requestBodyValues: { messages: ["planted-prompt"] },
      value: { prompt: "planted-prompt" },
    });
    expect(JSON.stringify(failedTry(error))).not.toContain("planted-prompt");
  });
});

test("the next try waits half a second, then two, or as long as the server asks, up to twenty; there is no fourth", () => {
  const pauses = (retryAfter?: string) => [0, 1, 2].map((attempt) => pauseAfter(answer(429, "", retryAfter), attempt));

  expect(pauses()).toEqual([500, 2_000, undefined]);
  expect(pauses("7")).toEqual([7_000, 7_000, undefined]);
  expect(pauses("3600")).toEqual([20_000, 20_000, undefined]);
  expect(pauses("Wed, 21 Oct 2026 07:28:00 GMT")).toEqual([500, 2_000, undefined]);
  expect(pauseAfter(answer(401), 0)).toBeUndefined();
});
