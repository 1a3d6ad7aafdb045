import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { createClient } from "../support/client.ts";

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
  test("say ok without a token", async () => {
    expect((await api.client.get("/api/healthz")).body).toEqual({ status: "ok" });
    expect((await api.client.get("/api/readyz")).body).toEqual({ status: "ok" });
  });

  test("a node that is leaving is up, and not ready", async () => {
    const app = createApp({ ...api.deps, isLeaving: () => true });
    const client = createClient({ handle: (request) => app.handle(request) });

    const readiness = await client.get("/api/readyz");

    expect((await client.get("/api/healthz")).body).toEqual({ status: "ok" });
    expect([readiness.status, readiness.at("code")]).toEqual([503, "server.stopping"]);
  });
});

describe("/metrics", () => {
  test("counts requests by route and status, not by address", async () => {
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

  test("needs an administrator's token", async () => {
    expect((await read()).status).toBe(401);
    expect((await read({ Authorization: "Bearer nonsense" })).status).toBe(401);
    expect((await read({ Authorization: `Bearer ${user.token}` })).status).toBe(403);
  });

  test("is open to everybody with METRICS_PUBLIC", async () => {
    const open = await createTestApi({ config: { METRICS_PUBLIC: true } });
    expect((await read({}, open)).status).toBe(200);
    await open.close();
  });
});
