import { expect, test } from "bun:test";
import { performCall } from "../../../src/effects/call.ts";
import { createProviderMetrics } from "../../../src/effects/providers/provider-metrics.ts";
import { createServiceLimiter } from "../../../src/effects/providers/provider-urls.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../src/limits/index.ts";
import { startFakeNocodb } from "../../fake-providers/nocodb.ts";

const { callsOfCredentials, waitingOfCredentials } = limits.outgoing;

test("at most ten calls per credentials run concurrently", async () => {
  const fake = await startFakeNocodb();
  const [full, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let under = 0;
  let most = 0;
  fake.onAsked(({ headers }) => {
    if (headers["xc-token"] !== "one") return undefined;
    most = Math.max(most, ++under);
    if (under === callsOfCredentials) full.resolve();
    return held.promise.then(() => under--);
  });
  const urls = new Map([["nocodb", fake.origin]]);
  const providers = { urls, metrics: createProviderMetrics(), calls: createServiceLimiter() };
  const call = (credentialsId: string) =>
    performCall(
      {
        ...{ kind: "call", credentialsType: "nocodb", credentialsId, retries: 0, timeoutMs: 20_000 },
        request: { method: "GET", path: "/api/v2/tables/table/records" },
      },
      {
        ...{ safeFetch: createSafeFetch({ providerServers: new Set([fake.origin]) }), hops: noHops, providers },
        ...{ idempotencyKey: "key", timeLeftMs: 60_000 },
        credentials: { find: async () => ({ apiKey: credentialsId }), noteUse: async () => {} },
      },
    );

  const all = Array.from({ length: callsOfCredentials + waitingOfCredentials + 1 }, () => call("one"));
  await full.promise;
  expect(await call("other")).toMatchObject({ status: 200 });
  expect(await all.at(-1)).toMatchObject({ failure: { reason: "busy" } });
  held.resolve();
  const reports = await Promise.all(all);

  expect(most).toBe(callsOfCredentials);
  expect(reports.filter((report) => "status" in report && report.status === 200)).toHaveLength(all.length - 1);
  await fake.close();
});

test("a call whose time ran out in the queue is not sent", async () => {
  const fake = await startFakeNocodb();
  const urls = new Map([["nocodb", fake.origin]]);
  const providers = { urls, metrics: createProviderMetrics(), calls: createServiceLimiter() };
  fake.fail("hang", { times: callsOfCredentials });
  const safeFetch = createSafeFetch({ providerServers: new Set([fake.origin]) });
  let made = 0;
  const call = (timeLeftMs: number) =>
    performCall(
      {
        ...{ kind: "call", credentialsType: "nocodb", credentialsId: "one", retries: 0, timeoutMs: 20_000 },
        request: { method: "GET", path: "/api/v2/tables/table/records" },
      },
      {
        safeFetch(request) {
          made++;
          return safeFetch(request);
        },
        ...{ hops: noHops, providers, idempotencyKey: "key", timeLeftMs },
        credentials: { find: async () => ({ apiKey: "key" }), noteUse: async () => {} },
      },
    );

  const first = Array.from({ length: callsOfCredentials }, () => call(2_000));
  const late = call(1);
  expect(await late).toEqual({ kind: "call", failure: { reason: "time" } });
  await Promise.all(first);
  expect(made).toBe(callsOfCredentials);
  await fake.close();
});
