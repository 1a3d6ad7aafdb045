import { afterEach, expect, test } from "bun:test";
import { ApiFailure, call } from "../../../../src/web/app/api/index.ts";

const { fetch: ownFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = ownFetch;
});

function answerWith(body: BodyInit): void {
  globalThis.fetch = Object.assign(async () => new Response(body), { preconnect: ownFetch.preconnect });
}

const failureOf = (calling: Promise<unknown>) =>
  calling.then(
    () => undefined,
    (cause: unknown) => (cause instanceof ApiFailure ? cause.code : cause),
  );

/** A connection that breaks after the first bytes. */
const brokenOff = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{ "user": {'));
      controller.error(new TypeError("network error"));
    },
  });

test("a truncated or non-JSON response counts as an unreachable service", async () => {
  answerWith(brokenOff());
  expect(await failureOf(call("GET /api/v1/users/me"))).toBe("network.offline");
  answerWith("<h1>Sign in to this network</h1>");
  expect(await failureOf(call("GET /api/v1/users/me"))).toBe("network.offline");
});

test("a request that the caller has aborted is not reported as a network failure", async () => {
  answerWith(brokenOff());
  const ending = new AbortController();
  ending.abort();
  const cause = await failureOf(call("GET /api/v1/users/me", { signal: ending.signal }));
  expect(cause).toBeInstanceOf(TypeError);
});
