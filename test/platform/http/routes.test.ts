import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
});
afterAll(() => api.close());

describe("an address without an operation", () => {
  test.each([
    "/api",
    "/api/v1",
    "/api/v1/nothing",
    "/api/v2/workspaces",
    "/api/v1/workspaces//members",
    "/api/v1/%00",
    "/%",
  ])("an address without an operation returns 404 in the common error format: %s", async (path) => {
    const answer = await api.client.get(path);
    expect(answer.body).toEqual({
      code: "route.not_found",
      status: 404,
      message: "Nothing exists at this URL.",
      requestId: answer.text("requestId"),
    });
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])(
    "an address without an operation returns 404 for %s",
    async (method) => {
      expect((await api.client.send(method, "/api/v1/nothing")).at("code")).toBe("route.not_found");
    },
  );
});

describe("a method that an address does not support", () => {
  test.each([
    ["PUT", "/api/v1/workspaces", "GET, POST, HEAD"],
    ["DELETE", "/api/v1/users/me", "GET, PATCH, HEAD"],
    ["GET", "/api/v1/invitations/accept", "POST"],
    ["POST", "/api/healthz", "GET, HEAD"],
    ["POST", "/docs", "GET, HEAD"],
    ["DELETE", "/metrics", "GET, HEAD"],
  ])(
    "a method that an address does not support returns 405 with the allowed methods in Allow: %s %s",
    async (method, path, allow) => {
      const answer = await api.client.send(method, path);
      expect(answer.at("code")).toBe("route.method_not_allowed");
      expect(answer.headers.get("allow")).toBe(allow);
    },
  );

  test("OPTIONS returns 405 without CORS headers in the management API", async () => {
    const answer = await api.client.send("OPTIONS", "/api/v1/workspaces", { headers: { Origin: "https://x.example" } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, POST, HEAD");
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("HEAD", () => {
  test("HEAD on the path of a GET returns 200 with a request id and without a body", async () => {
    const answer = await api.client.send("HEAD", "/api/v1/users/me", { token: user.token });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    expect(answer.headers.get("x-request-id")).not.toBeEmpty();
  });

  test("HEAD requires the same token as GET", async () => {
    const answer = await api.client.send("HEAD", "/api/v1/users/me");
    expect([answer.status, answer.body]).toEqual([401, undefined]);
  });
});

describe("the request id", () => {
  test("the request id is the caller's id if the id contains only plain characters", async () => {
    const answer = await api.client.get("/api/v1/nothing", { headers: { "X-Request-Id": "trace-7:a.b_C" } });
    expect(answer.headers.get("x-request-id")).toBe("trace-7:a.b_C");
    expect(answer.at("requestId")).toBe("trace-7:a.b_C");
  });

  test.each([
    ["blanks", "with blanks"],
    ["129 characters", "x".repeat(129)],
    ["markup", '<script>"'],
    ["letters beyond ASCII", "ümlaut"],
  ])("the request id is a new id if the caller's id has %s", async (_, given) => {
    const answer = await api.client.get("/api/healthz", { headers: { "X-Request-Id": encodeHeader(given) } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("the request id is different for each request", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.client.get("/api/healthz")));
    expect(new Set(ids.map(({ headers }) => headers.get("x-request-id"))).size).toBe(20);
  });
});

describe("a path parameter", () => {
  test.each([
    "nope",
    "06EY3K2M5Q8R1T4V7X0Z9W2B5D",
    "86ey3k2m5q8r1t4v7x0z9w2b5d",
    "__proto__",
    "%00",
    "%E0%A4%A",
    "a%2Fb",
    "null",
  ])("a path parameter that cannot be an id matches no workspace: %s", async (workspaceId) => {
    const answer = await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token: user.token });
    expect(answer.at("code")).toBe("workspace.not_found");
  });
});

describe("a free text path parameter", () => {
  test.each(["%00", "%E0%A4%A", "%ED%A0%80", "a%2Fb", "__proto__", "'"])(
    "an invalid public id matches no bot: %s",
    async (publicId) => {
      const answer = await api.client.post(`/api/v1/bots/${publicId}/startChat`);
      expect(answer.at("code")).toBe("bot.not_found");
    },
  );
});

describe("the management API", () => {
  test("the management API sends no CORS headers to another origin", async () => {
    const answer = await api.client.get("/api/v1/users/me", {
      token: user.token,
      headers: { Origin: "https://x.example" },
    });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

/** Header values are bytes, so the UTF-8 text of a client arrives as Latin-1 characters. */
function encodeHeader(text: string): string {
  return Buffer.from(text).toString("latin1");
}
