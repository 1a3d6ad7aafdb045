import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createReadiness } from "../../../src/management/instance/health.ts";
import { createOutageWatch } from "../../../src/platform/database/outages/outage-watch.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { type Answer, createClient } from "../../support/client.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
});
afterAll(() => api.close());

const read = (headers: Record<string, string> = {}, target = api) =>
  target.handle(new Request("http://localhost/metrics", { headers }));

describe("healthz and readyz", () => {
  test("healthz and readyz return ok without a token", async () => {
    expect((await api.client.get("/api/healthz")).body).toEqual({ status: "ok" });
    expect((await api.client.get("/api/readyz")).body).toEqual({ status: "ok" });
  });

  test("a node that shuts down is healthy, but not ready", async () => {
    const app = createApp({ ...api.deps, isLeaving: () => true });
    const client = createClient({ handle: (request) => app.handle(request) });

    const readiness = await client.get("/api/readyz");

    expect((await client.get("/api/healthz")).body).toEqual({ status: "ok" });
    expect([readiness.status, readiness.at("code")]).toEqual([503, "server.stopping"]);
  });

  test("a node that shuts down sends the header Connection: close", async () => {
    let isLeaving = false;
    const app = createApp({ ...api.deps, isLeaving: () => isLeaving });
    const client = createClient({ handle: (request) => app.handle(request) });
    const closing = async () => {
      const answers = await Promise.all(
        ["/api/healthz", "/api/v1/users/me", "/api/nothing"].map((path) => client.get(path)),
      );
      return answers.map(({ headers }) => headers.get("connection"));
    };

    expect(await closing()).toEqual([null, null, null]);
    isLeaving = true;
    expect(await closing()).toEqual(["close", "close", "close"]);
  });
});

describe("readyz", () => {
  let proxy: DatabaseProxy;
  let proxied: TestApi;
  beforeAll(async () => {
    proxied = await createTestApi({
      async through(url) {
        proxy = await openDatabaseProxy(url);
        return proxy.url;
      },
    });
  });
  afterAll(async () => {
    await proxied.close();
    await proxy.close();
  });

  /**
   * Creates a service that has received no request yet, so that no state is known. It checks the database only on
   * request.
   */
  function askable(parts: Pick<Parameters<typeof createReadiness>[0], "askSiblings"> = {}): () => Promise<Answer> {
    const { deps } = proxied;
    const outage = createOutageWatch(deps.sql, deps.log, createVirtualClock());
    const app = createApp({ ...deps, outage, readiness: createReadiness({ ...deps, outage, ...parts }) });
    const client = createClient({ handle: (request) => app.handle(request) });
    return () => client.get("/api/readyz");
  }

  const ask = (parts: Parameters<typeof askable>[0] = {}): Promise<Answer> => askable(parts)();

  test.each([
    ["53100", "its disk is full"],
    ["53200", "it is out of memory"],
    ["25006", "it accepts no writes"],
    ["42501", "its user lacks rights"],
    ["57014", "it cancels statements"],
    ["42703", "it does not respond, or responds with an error"],
  ])(
    "readyz returns 503 when the database answers a trial write with %s, and the message is: %s",
    async (sqlState, says) => {
      const fault = proxy.inject({ statement: /pg_current_xact_id/, kind: "error", sqlState });

      const answer = await ask();
      fault.end();

      expect(answer).toMatchObject({
        status: 503,
        body: { code: "server.unavailable", status: 503, data: { database: says } },
      });
      expect(answer.headers.get("retry-after")).toBe("2");
      expect((await ask()).status).toBe(200);
    },
  );

  test("readyz returns 503 when the database cannot be reached", async () => {
    proxy.refuse();

    const answer = await ask();
    proxy.thaw();

    expect(answer.at("data")).toEqual({ database: "it cannot be reached" });
    await waitFor(async () => (await ask()).status === 200);
  });

  test("readyz returns 503 when the database does not answer in time", async () => {
    const clock = createVirtualClock();
    const fault = proxy.inject({ statement: /pg_current_xact_id/, kind: "silence", times: 1 });
    const threads = { ...proxied.deps.threads, ping: () => new Promise<never>(() => {}) };
    const outage = createOutageWatch(proxied.deps.sql, proxied.deps.log, clock);

    const asked = createReadiness({ threads, outage }, clock).requireNode();
    const answered = asked.catch((error: unknown) => error);
    await waitFor(() => fault.met() === 1);
    await clock.advance(limits.process.readinessMs);
    proxy.cut();

    expect(await answered).toMatchObject({
      code: "server.unavailable",
      data: {
        database: "it does not respond, or responds with an error",
        threads: "the worker threads do not respond",
      },
    });
    await waitFor(async () => (await ask()).status === 200);
  });

  test("readyz returns 503 when another process of the node is not ready", async () => {
    const askSiblings = async () => ({ answers: [true, false, true], missing: 1 });

    expect((await ask({ askSiblings })).at("data")).toEqual({
      processes: "other processes of this node are not ready: 2",
    });
  });

  test("readyz queries the database once for 50 concurrent requests", async () => {
    const fault = proxy.inject({ statement: /pg_current_xact_id/, kind: "delay", ms: 1 });
    const ask = askable();

    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    fault.end();

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(fault.met()).toBe(1);
  });
});

describe("/metrics", () => {
  test("/metrics counts requests by route and status, not by address", async () => {
    const id = "06ey3k2m5q8r1t4v7x0z9w2b5d";
    await api.client.get(`/api/v1/workspaces/${id}`, { token: user.token });
    await api.client.get("/api/v1/no-such-thing");
    const administrator = await api.makeUser({ scope: "admin" });
    const response = await read({ Authorization: `Bearer ${administrator.token}` });
    const text = await response.text();
    expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    expect(text).toContain(
      'parley_http_requests_total{method="GET",route="/api/v1/workspaces/:workspaceId",status="404"} 1',
    );
    expect(text).toContain('parley_http_requests_total{method="GET",route="unknown",status="404"} 1');
    expect(text).toContain("parley_http_request_duration_seconds_bucket");
    expect(text).toContain("parley_steps_total 0");
    expect(text).toMatch(/process_resident_memory_bytes \d{7,}/);
    expect(text).not.toContain(id);
  });

  test("/metrics requires an administrator's token", async () => {
    expect((await read()).status).toBe(401);
    expect((await read({ Authorization: "Bearer nonsense" })).status).toBe(401);
    expect((await read({ Authorization: `Bearer ${user.token}` })).status).toBe(403);
  });

  test("/metrics requires no token with METRICS_PUBLIC", async () => {
    const open = await createTestApi({ config: { METRICS_PUBLIC: true } });
    expect((await read({}, open)).status).toBe(200);
    await open.close();
  });
});
