import { afterAll, beforeAll, expect, test } from "bun:test";
import { createSafeFetch, FailedCall, RefusedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { createSafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { startFakeProxy } from "../../fake-providers/connect-proxy.ts";
import { type FailingCall, startFailingCalls } from "../../support/failing-calls.ts";

let failing: Awaited<ReturnType<typeof startFailingCalls>>;
let proxy: Awaited<ReturnType<typeof startFakeProxy>>;

beforeAll(async () => {
  failing = await startFailingCalls();
  proxy = await startFakeProxy();
});
afterAll(async () => {
  await failing.close();
  await proxy.close();
});

const times = { firstByteMs: 5_000, silenceMs: 5_000 };

/** Removes `redirect` from a request, because a stream follows no redirect. */
const streamed = ({ redirect: _, ...request }: FailingCall["request"]) => request;

/** The functions that make outgoing calls. Each function returns the whole response. */
const doors: Readonly<Record<string, (call: FailingCall) => Promise<unknown>>> = {
  "over a new connection": ({ request, options }) => createSafeFetch(options)(request),
  "over a kept-alive connection": ({ request, options }) =>
    createSafeFetch(options)({ ...request, keepAliveKey: "endpoint" }),
  "through a proxy": ({ request, options }) =>
    createSafeFetch(options)({ ...request, proxy: { url: `http://proxy.example:${proxy.port}` } }),
  "as a stream": async ({ request, options }) => {
    const { body } = await createSafeStream(options)({ ...streamed(request), ...times });
    return await new Response(body).arrayBuffer();
  },
  "as a stream over a kept-alive connection": async ({ request, options }) => {
    const { body } = await createSafeStream(options)({ ...streamed(request), ...times, keepsConnection: true });
    return await new Response(body).arrayBuffer();
  },
};

const endings = (error: unknown): string => {
  if (error instanceof RefusedCall) return "refused";
  return error instanceof FailedCall
    ? "failed"
    : `raw: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
};

test.each(Object.keys(doors))("every failure of a call %s is reported as a failed or refused call", async (door) => {
  const ended = await Promise.all(
    failing.calls.map(async (call) => {
      const end = await doors[door]?.(call).then(() => "answered", endings);
      return [call.what, end] as const;
    }),
  );

  expect(ended.filter(([, end]) => end !== "refused" && end !== "failed")).toEqual([]);
});
