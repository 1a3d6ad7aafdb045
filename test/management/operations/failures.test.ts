import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AppError } from "../../../src/errors.ts";
import { failureResponse } from "../../../src/management/operations/failure.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { createClient, valueAt } from "../../support/client.ts";
import { noteError } from "../../support/contract.ts";
import { databaseError } from "../../support/database-errors.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
});
afterAll(() => api.close());

describe("an unreachable database", () => {
  test("a request returns 503 while the database is unreachable", async () => {
    const sql = connect("postgres://nobody@127.0.0.1:1/nothing", { connections: 1 });
    const app = createApp({ ...api.deps, sql });
    const client = createClient({ handle: (request) => app.handle(request) });
    const answer = await client.get("/api/v1/users/me", { token: user.token });
    expect(answer.at("code")).toBe("server.unavailable");
    expect(answer.headers.get("retry-after")).toBe("2");
    expect((await client.get("/api/healthz")).body).toEqual({ status: "ok" });
    await sql.end();
  });
});

describe("an unexpected error", () => {
  test("an unexpected error returns 500 without internal details", async () => {
    const logged: unknown[] = [];
    const log = { ...api.deps.log, error: (message: string, facts?: unknown) => logged.push([message, facts]) };
    const cause = new Error("password=hunter2 at select * from secrets");
    const threads = { ...api.deps.threads, ping: () => Promise.reject(cause) };
    const sql = new Proxy(api.deps.sql, {
      apply: () => {
        throw cause;
      },
    });
    const app = createApp({ ...api.deps, log, sql, threads });
    const response = await app.handle(
      new Request("http://localhost/api/v1/users/me", {
        headers: { Authorization: `Bearer ${user.token}`, "X-Request-Id": "bug-1" },
      }),
    );
    expect(response.status).toBe(500);
    expect(response.headers.get("x-request-id")).toBe("bug-1");
    expect(await response.json()).toEqual({
      code: "server.internal",
      status: 500,
      message: "Internal server error",
      requestId: "bug-1",
    });
    const known = { requestId: "bug-1", method: "GET", route: "/api/v1/users/me" };
    expect(logged).toEqual([["a request failed", { ...known, cause }]]);
    noteError("server.internal");
  });
});

describe("the common error format", () => {
  const known = { requestId: "r", method: "GET", route: "/x" };

  test("the common error format contains the error's data", async () => {
    const error = new AppError("bot.closed", { message: "We are on holiday.", data: { until: "Monday" } });
    const response = failureResponse(error, known, api.deps);
    const body: unknown = await response.json();
    expect(response.status).toBe(400);
    expect(body).toEqual({
      code: "bot.closed",
      status: 400,
      message: "We are on holiday.",
      requestId: "r",
      data: { until: "Monday" },
    });
  });

  test.each(["session.busy", "server.overloaded", "server.save_in_doubt", "server.newer_state"] as const)(
    "the common error format contains the retry time for %s",
    (code) => {
      const response = failureResponse(new AppError(code), known, api.deps);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    },
  );

  test.each(["57P01", "08006", "53300", "ECONNREFUSED", "CONNECTION_CLOSED", "CONNECT_TIMEOUT"])(
    "the common error format is used with status 503 when the database fails with %s",
    async (code) => {
      const response = failureResponse(databaseError(code), known, api.deps);
      expect(valueAt(await response.json(), "code")).toBe("server.unavailable");
    },
  );

  test.each(["23505", "42601", "22021"])(
    "the common error format is used with status 500 when a statement was invalid: %s",
    async (code) => {
      const response = failureResponse(databaseError(code), known, api.deps);
      expect(valueAt(await response.json(), "code")).toBe("server.internal");
    },
  );

  test.each(["text", null, undefined, 7])(
    "the common error format is used with status 500 for a thrown %p",
    (thrown) => {
      expect(failureResponse(thrown, known, api.deps).status).toBe(500);
    },
  );
});
