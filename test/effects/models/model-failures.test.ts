import { describe, expect, test } from "bun:test";
import { failedAnswer, failedTry, pauseAfter } from "../../../src/effects/models/model-failures.ts";
import { FailedCall, RefusedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { BusyCall } from "../../../src/effects/safe-fetch/safe-fetch-exchange.ts";

const answer = (statusCode: number, message = "") =>
  failedAnswer({ statusCode, responseBody: JSON.stringify({ error: { message } }) });

describe("the error of a provider", () => {
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
    [501, "", "overloaded", false],
    [502, "", "overloaded", true],
    [503, "", "overloaded", true],
    [529, "", "overloaded", true],
    [200, "", "unreadable", true],
  ])('the status %i with the message "%s" is reported as %s (retried: %p)', (status, message, reason, isRetryable) => {
    expect(answer(status, message)).toMatchObject({ failure: { reason }, isRetryable });
  });

  test("the error of a provider is quoted up to 300 characters", () => {
    const { failure } = answer(400, `${"x".repeat(400)}\n<b>`);
    expect(failure.details).toBe("x".repeat(300));
    expect(failedAnswer({ statusCode: 502, responseBody: "<html><h1>Bad\n gateway</h1>" }).failure.details).toBe(
      "Bad gateway",
    );
    expect(failedAnswer({ statusCode: 400, responseBody: '[{"error":{"message":"No"}}]' }).failure.details).toBe("No");
    expect(
      failedAnswer({ statusCode: 500, responseBody: '{"request":{"prompt":"secret"}}' }).failure.details,
    ).toBeUndefined();
  });
});

describe("a specific code or message", () => {
  test.each<[number, object, string]>([
    [429, { code: "insufficient_quota" }, "credit"],
    [429, { type: "insufficient_quota" }, "credit"],
    [400, { message: "Your credit balance is too low to access the Anthropic API" }, "credit"],
    [400, { code: "1500", type: "invalid_model" }, "model"],
    [400, { code: 1500 }, "model"],
    [400, { type: "invalid_model" }, "model"],
    [400, { code: "model_not_found" }, "model"],
    [400, { message: "Model Not Exist" }, "model"],
    [400, { message: "x/y is not a valid model ID" }, "model"],
    [400, { code: "content_filter" }, "withheld"],
  ])("the status %i with %j is reported as %s, and not retried", (statusCode, error, reason) => {
    const nested = failedAnswer({ statusCode, responseBody: JSON.stringify({ error }) });
    const bare = failedAnswer({ statusCode, responseBody: JSON.stringify({ object: "error", ...error }) });

    for (const one of [nested, bare]) expect(one).toMatchObject({ failure: { reason }, isRetryable: false });
  });

  test("a specific error code is recognized only with its own status", () => {
    const quota = failedAnswer({ statusCode: 500, responseBody: '{"error":{"code":"insufficient_quota"}}' });
    const filter = failedAnswer({ statusCode: 500, responseBody: '{"error":{"code":"content_filter"}}' });

    expect([quota.failure.reason, filter.failure.reason]).toEqual(["overloaded", "overloaded"]);
  });
});

describe("the outcome of a call", () => {
  const circular: { error: { message: string }; self?: unknown } = { error: { message: "it broke" } };
  circular.self = circular;
  const behind = (cause: unknown) => new Error("Cannot connect to API", { cause });

  test.each<[unknown, string, boolean]>([
    [behind(new RefusedCall("This host cannot be called")), "address", false],
    [behind(behind(new BusyCall())), "busy", false],
    [behind(new FailedCall("timeout", "There was no response within 60000 ms")), "time", true],
    [behind(new FailedCall("network", "ECONNREFUSED")), "unreachable", true],
    [behind(new FailedCall("answer", "A line is longer than 1048576 bytes")), "unreadable", false],
    ["it broke", "unreadable", true],
    [{ error: { message: "it broke" } }, "unreadable", true],
    [null, "unreadable", true],
    [circular, "unreadable", true],
  ])("the error %p is reported as %s", (error, reason, isRetryable) => {
    expect(failedTry(error)).toMatchObject({ failure: { reason }, isRetryable });
  });

  test("the outcome of a call omits the prompt in a library's error", () => {
    const error = Object.assign(behind(new TypeError("no")), {
      requestBodyValues: { messages: ["planted-prompt"] },
      value: { prompt: "planted-prompt" },
    });
    expect(JSON.stringify(failedTry(error))).not.toContain("planted-prompt");
  });
});

describe("the next attempt", () => {
  const now = Date.parse("2026-10-21T07:28:00Z");
  const pauses = (responseHeaders: Record<string, string> = {}) =>
    [0, 1, 2].map((attempt) => pauseAfter(failedAnswer({ statusCode: 429, responseHeaders }, now), attempt));

  test("the pauses before two retries are 0.5 and 2 seconds", () => {
    expect(pauses()).toEqual([500, 2_000, undefined]);
    expect(pauses({ "retry-after": "7" })).toEqual([7_000, 7_000, undefined]);
    expect(pauses({ "retry-after": "soon" })).toEqual([500, 2_000, undefined]);
    expect(pauseAfter(answer(401), 0)).toBeUndefined();
  });

  test("a server can request a longer pause as a date or in milliseconds", () => {
    expect(pauses({ "retry-after": "Wed, 21 Oct 2026 07:28:09 GMT" })).toEqual([9_000, 9_000, undefined]);
    expect(pauses({ "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT" })).toEqual([500, 2_000, undefined]);
    expect(pauses({ "retry-after-ms": "1250", "retry-after": "7" })).toEqual([1_250, 2_000, undefined]);
  });

  test("the next attempt is not made if the server requests a long wait", () => {
    expect(pauses({ "retry-after": "20" })).toEqual([20_000, 20_000, undefined]);
    expect(pauses({ "retry-after": "21" })).toEqual([undefined, undefined, undefined]);
    expect(pauses({ "retry-after": "Wed, 21 Oct 2026 07:28:21 GMT" })).toEqual([undefined, undefined, undefined]);
    expect(pauses({ "retry-after-ms": "20001" })).toEqual([undefined, undefined, undefined]);
  });
});
