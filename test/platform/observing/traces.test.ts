import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createTraces, type Traces } from "../../../src/platform/observing/exporter.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { type Client, createClient, valueAt } from "../../support/client.ts";
import { createTestDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long-test.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack, endService, startService } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const cleanups = cleanupStack();
afterEach(cleanups.run);

let threads: Threads;
let outside: OutsideServer;
let api: TestApi;
let publicId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  outside = await startOutside((_request, response) => void response.end("{}"));
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const user = await api.makeUser();
  const webhook = { url: outside.url("/"), method: "GET" };
  const calls = { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: false, webhook } };
  const owner = { ...user, workspaceId: await api.makeWorkspace(user) };
  const flow = flowOf([asks("text input"), calls, asks("email input")]);
  ({ publicId } = await publish(api.client, owner, flow));
});
afterAll(async () => {
  await outside.close();
  await threads.close();
  await api.close();
});

type Span = Readonly<Record<string, unknown>>;

/** Receives OTLP over HTTP. While the receiver is silent, it does not respond. */
function startReceiver() {
  const spans: Span[] = [];
  const requests: Request[] = [];
  const state = { isSilent: false };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      requests.push(request);
      if (state.isSilent) return new Promise<Response>(() => {});
      const got = valueAt(await request.json(), "resourceSpans.0.scopeSpans.0.spans");
      if (!Array.isArray(got)) return new Response(null, { status: 400 });
      spans.push(...got);
      return Response.json({});
    },
  });
  cleanups.add(() => server.stop(true));
  return { spans, requests, state, url: server.url.origin };
}

type Said = readonly [level: string, message: string, facts: object];

function tracing(url: string, { share = "1", everyMs = 5, answersWithinMs = 50 } = {}) {
  const said: Said[] = [];
  const note =
    (level: string) =>
    (message: string, facts: object = {}) =>
      void said.push([level, message, facts]);
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=sec%20ret",
    OTEL_TRACES_SAMPLER_ARG: share,
  };
  const traces: Traces = createTraces(settings, { log, times: { everyMs, answersWithinMs } });
  cleanups.add(traces.stop);
  const app = createApp({ ...api.deps, traces });
  const client: Client = createClient({ handle: (request) => app.handle(request) });
  return { client, said, traces };
}

test("the spans of a step contain no text of the visitor", async () => {
  const receiver = startReceiver();
  const { client } = tracing(receiver.url, { share: "0" });
  const sessionId = (await start(client, publicId)).text("sessionId");
  await client.post(`/api/v1/sessions/${sessionId}/continueChat`, {
    body: { message: "A private name" },
    headers: { traceparent: `00-${traceId}-${parentId}-01`, "X-Request-Id": "find-me" },
  });

  const spans = await waitFor(() => receiver.spans.length > 0 && receiver.spans);
  const own = spans.find(({ kind }) => kind === 2);
  const parts = spans.filter((span) => span !== own);
  expect(own).toMatchObject({
    traceId,
    parentSpanId: parentId,
    name: "POST /api/v1/sessions/:sessionId/continueChat",
    attributes: expect.arrayContaining([
      { key: "http.response.status_code", value: { intValue: "200" } },
      { key: "parley.request_id", value: { stringValue: "find-me" } },
      { key: "parley.session", value: { stringValue: sessionId.slice(0, 8) } },
    ]),
  });
  expect(new Set(parts.map(({ name }) => name))).toEqual(
    new Set(["step turn", "step read", "step run", "step effect", "step save"]),
  );
  for (const part of parts) expect(part).toMatchObject({ traceId, parentSpanId: own?.["spanId"] });
  for (const span of spans) {
    expect(String(span["startTimeUnixNano"])).toMatch(/^1\d{18}$/);
    expect(BigInt(String(span["endTimeUnixNano"])) >= BigInt(String(span["startTimeUnixNano"]))).toBe(true);
  }
  const said = (name: string) => parts.find((part) => part["name"] === name)?.["attributes"];
  expect(said("step run")).toEqual([{ key: "parley.place", value: { stringValue: expect.any(String) } }]);
  expect(said("step effect")).toEqual([{ key: "parley.kind", value: { stringValue: "http" } }]);
  expect(new URL(receiver.requests[0]?.url ?? "").pathname).toBe("/v1/traces");
  expect(receiver.requests[0]?.headers.get("api-key")).toBe("sec ret");
  expect(JSON.stringify(spans)).not.toContain("private");
  // The called server receives the id of the same span.
  expect(outside.requests.at(-1)?.headers["traceparent"]).toBe(`00-${traceId}-${own?.["spanId"]}-01`);
});

longTest("a caller's sampling decision is respected", async () => {
  const receiver = startReceiver();
  const all = tracing(receiver.url);
  await all.client.get("/api/healthz", { headers: { traceparent: `00-${traceId}-${parentId}-00` } });
  await all.client.get("/api/v1/workspaces");
  const none = tracing(receiver.url, { share: "0" });
  await none.client.get("/api/healthz");
  await none.traces.stop();
  await all.traces.stop();

  expect(receiver.spans.map(({ name }) => name)).toEqual(["GET /api/v1/workspaces"]);
  expect(receiver.spans[0]?.["parentSpanId"]).toBeUndefined();
});

test("a silent receiver of traces blocks no response", async () => {
  const receiver = startReceiver();
  receiver.state.isSilent = true;
  const { client, said, traces } = tracing(receiver.url);
  const answered = { operation: "GET /", route: "/", method: "GET", status: 200, startedAt: 0, endedAt: 1 };
  for (let index = 0; index < 10_000; index++) {
    const request = { requestId: String(index) };
    traces.begin(request);
    traces.end(request, answered);
  }
  expect((await client.get("/api/healthz")).status).toBe(200);
  await waitFor(() => receiver.requests.length >= 3);
  expect(said.map(([level]) => level)).toEqual(["warn"]);
  expect(said[0]?.[1]).toContain("OTEL_EXPORTER_OTLP_ENDPOINT");

  receiver.state.isSilent = false;
  const [, message, facts] = await waitFor(() => said[1]);
  expect(message).toBe("Traces are delivered again");
  expect(valueAt(facts, "droppedSpans")).toBeGreaterThan(5_000);
  await waitFor(() => receiver.spans.length > 0);
  expect(receiver.spans.length).toBeLessThanOrEqual(4_096);
});

longTest("a receiver that refuses traces is reported once", async () => {
  const refusing = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null, { status: 401 }) });
  cleanups.add(() => refusing.stop(true));
  const { client, said, traces } = tracing(refusing.url.origin);
  await client.get("/api/healthz");
  await waitFor(() => said.length > 0);
  await client.get("/api/healthz");
  await traces.stop();
  expect(said).toEqual([["warn", expect.any(String), { reason: "The receiver responded with status 401" }]]);
});

test("a service sends the traces of its last requests before it ends", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const receiver = startReceiver();
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: cleanups.folder(),
    ADMIN_TOKEN: "an administrator's token",
  };
  const service = await startService({ environment: { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  cleanups.add(() => endService(service));
  await fetch(`${service.url}/api/v1/workspaces`);
  service.signal("SIGTERM");
  expect(await service.exited).toBe(0);
  expect(receiver.spans.map(({ name }) => name)).toContain("GET /api/v1/workspaces");
});

test.each([
  ["no code for traces is loaded without a configured receiver", {}, false],
  [
    "the code for traces is loaded with a configured receiver",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    true,
  ],
])("%s", async (_name, settings, isLoaded) => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const program = join(import.meta.dir, "../../support/loaded-modules.ts");
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: cleanups.folder(),
    ADMIN_TOKEN: "an administrator's token",
  };
  const service = await startService({
    command: [process.execPath, program],
    environment: { ...environment, ...settings },
  });
  cleanups.add(() => endService(service));
  service.signal("SIGTERM");
  await service.exited;

  const loaded = service
    .stdout()
    .split("\n")
    .filter((line) => line.startsWith("loaded "));
  expect(loaded.some((line) => line.endsWith("src/service/serving.ts"))).toBe(true);
  expect(loaded.filter((line) => /\/src\/platform\/observing\/(?:exporter|spans)\.ts$/.test(line)).length > 0).toBe(
    isLoaded,
  );
});
