import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { CredentialsData, CredentialsKind } from "../../../src/core/credentials/kind.ts";
import { type CallRequest, segment } from "../../../src/core/interpreter/program/call.ts";
import { createProviderMetrics } from "../../../src/effects/providers/provider-metrics.ts";
import { callService } from "../../../src/effects/providers/service-call.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { type FakeProvider, type Fault, startFake } from "../../fake-providers/kit.ts";

const key = "planted-key-of-a-service";
const kind: CredentialsKind = {
  type: "example",
  ...{ name: "Example", summary: "A service.", page: "integrations.md" },
  schema: Type.Object({ apiKey: Type.String() }),
  secretMembers: ["apiKey"],
  destination: () => "https://api.service.example",
  service: {
    name: "example",
    isBilled: false,
    ownUrl: "https://api.service.example/v1",
    baseUrl: (data: CredentialsData) => String(data["baseUrl"] ?? "https://api.service.example/v1"),
    sign: ({ apiKey }) => ({
      headers: [["x-key", String(apiKey)]],
      query: [["account", "7"]],
      body: { token: apiKey },
    }),
    answerHeaders: ["x-page"],
  },
};

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFake({
    name: "example",
    answer: ({ path, headers }) =>
      path.endsWith("/moved")
        ? { status: 302, headers: { location: "https://elsewhere.example/" } }
        : { json: { ok: true, echo: headers["x-key"] }, headers: { "x-page": "2", "x-other": "1" } },
  });
});
afterEach(() => fake.recover());
afterAll(() => fake.close());

type More = { data?: CredentialsData; timeoutMs?: number; of?: CredentialsKind };

async function call(request: Partial<CallRequest> = {}, more: More = {}) {
  const { data = { apiKey: key }, timeoutMs = 2_000, of = kind } = more;
  const metrics = createProviderMetrics();
  const urls = new Map([["example", fake.origin]]);
  const before = fake.asked.length;
  const report = await callService(
    { kind: of, data, request: { method: "GET", path: "/things", ...request }, retries: 0, timeoutMs },
    {
      safeFetch: createSafeFetch({ providerServers: new Set(urls.values()) }),
      hops: noHops,
      providers: { urls, metrics },
    },
  );
  return { report, asked: fake.asked.slice(before), metrics: await metrics.registry.metrics() };
}

describe("a call of a service", () => {
  test("a call of a service is sent with the key of its credentials", async () => {
    const { report, asked, metrics } = await call({ method: "POST", query: [["q", "a b"]], body: { text: "Hi" } });

    expect(asked).toMatchObject([
      { method: "POST", path: "/v1/things", headers: { "x-key": key }, json: { text: "Hi", token: key } },
    ]);
    expect([...(asked[0]?.query ?? [])]).toEqual([
      ["q", "a b"],
      ["account", "7"],
    ]);
    expect(report).toEqual({
      ...{ kind: "call", status: 200, text: '{"ok":true,"echo":"•••"}' },
      headers: { "x-page": "2" },
    });
    expect(metrics).toContain('parley_provider_calls_total{type="unknown",ended="2xx"} 1');
  });

  test.each<readonly [Fault, object]>([
    ["401", { status: 401, sentence: "Refused with 401:" }],
    ["403", { status: 403, sentence: "Refused with 403:" }],
    ["404", { status: 404, sentence: "Refused with 404:" }],
    ["429", { status: 429, sentence: "Refused with 429:" }],
    ["500", { status: 500, sentence: "Refused with 500:" }],
    ["malformed", { status: 200, text: '{"this is": no JSON' }],
    ["html", { status: 200, text: "<html><h1>Sign in</h1></html>" }],
    ["hang", { failure: { reason: "time" } }],
    ["cut", { failure: { reason: "unreachable" } }],
  ])('the report of a service call with the fault "%s" does not contain the key', async (fault, expected) => {
    fake.fail(fault);
    const { report } = await call({ method: "POST" }, { timeoutMs: fault === "hang" ? 300 : 2_000 });
    expect(report).toMatchObject(expected);
    expect(JSON.stringify(report)).not.toContain(key);
  });

  test("a call of a service does not send its key to a redirect target", async () => {
    const { report, asked } = await call({ path: "/moved" });
    expect(report).toMatchObject({
      status: 302,
      sentence: "it redirects to another address, and a key must not follow a redirect",
    });
    expect(asked).toHaveLength(1);
  });

  test.each(["/../admin", "/%2e%2e/admin", `/${segment("..")}/admin`, "/a b", "@elsewhere.example"])(
    "a call of a service is not sent to the invalid path %j",
    async (path) => {
      const { report, asked } = await call({ path });
      expect(report).toMatchObject({ failure: { reason: "address" } });
      expect(asked).toHaveLength(0);
    },
  );

  test("a call of a service is refused if the credentials name a private address", async () => {
    const inside = { apiKey: key, baseUrl: "http://127.0.0.1:9" };
    const { report, asked } = await call({}, { data: inside });
    expect(report).toMatchObject({ failure: { reason: "address" } });
    expect(asked).toHaveLength(0);
  });

  test("a call cannot reach the configured origin of another service", async () => {
    const of = { ...kind, ...(kind.service && { service: { ...kind.service, name: "another" } }) };
    const { report, asked } = await call({}, { of, data: { apiKey: key, baseUrl: fake.origin } });
    expect(report).toMatchObject({ failure: { reason: "address" } });
    expect(asked).toHaveLength(0);
  });

  test("a call of a service is sent to a server that the operator lists", async () => {
    const { asked } = await call({}, { data: { apiKey: key, baseUrl: `${fake.origin}/base` } });
    expect(asked).toMatchObject([{ path: "/base/things" }]);
  });
});
