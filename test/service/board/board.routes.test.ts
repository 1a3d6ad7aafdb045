import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { boardFiles } from "../../../src/service/board/files.ts";
import { createTestBoard, type TestBoard } from "../../support/board.ts";

let board: TestBoard;

beforeAll(async () => {
  board = await createTestBoard({ PUBLIC_URL: "https://manage.example.com", CHAT_URL: "https://chat.example.com" });
});
afterAll(() => board.close());

const load = (path: string, headers: Record<string, string> = {}) =>
  board.api.handle(new Request(`http://localhost${path}`, { headers }));

const calls = [
  ["GET", "/queues"],
  ["PUT", "/queues/pause"],
  ["PUT", "/queues/email/retry/failed"],
  ["POST", "/queues/email/add"],
  ["PATCH", "/queues/email/00000000-0000-7000-8000-000000000000/update-data"],
  ["GET", "/unheard/of"],
] as const;

describe("the API of the job board", () => {
  test.each(calls)("%s %s requires a token", async (method, path) => {
    const answer = await board.call(method, path, { token: null });

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 401, code: "token.missing" });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.at("requestId")).toBe(answer.headers.get("x-request-id"));
  });

  test.each(calls)("%s %s rejects an unknown token", async (method, path) => {
    const answer = await board.call(method, path, { token: "parley_unknown" });

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 401, code: "token.invalid" });
  });

  test.each(calls)("%s %s rejects an administrator's token of a smaller scope", async (method, path) => {
    const { userId } = await board.api.makeUser({ scope: "admin" });
    const token = await board.api.makeToken(userId, { scope: "write" });

    const answer = await board.call(method, path, { token });

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 403, code: "token.scope" });
  });

  test("the API of the job board requires an administrator of the instance", async () => {
    const { userId } = await board.api.makeUser();
    const token = await board.api.makeToken(userId, { scope: "admin" });

    const answer = await board.call("GET", "/queues", { token });

    expect(answer.at("code")).toBe("token.scope");
  });

  test("the API of the job board accepts no token in a cookie or the query", async () => {
    const { token } = board;
    const basic = `Basic ${btoa(`admin:${token}`)}`;

    for (const headers of [{ cookie: `token=${token}` }, { authorization: basic }]) {
      expect((await load("/admin/queues/api/queues", headers)).status).toBe(401);
    }
    expect((await load(`/admin/queues/api/queues?token=${token}`)).status).toBe(401);
  });

  test("the API of the job board sends no CORS header", async () => {
    const answer = await board.call("GET", "/queues");

    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the API of the job board rejects a body that is not JSON", async () => {
    const request = new Request("http://localhost/admin/queues/api/queues/email/add", {
      method: "POST",
      headers: { authorization: `Bearer ${board.token}`, "content-type": "application/json" },
      body: "{",
    });

    expect((await board.api.handle(request)).status).toBe(400);
  });

  test.each([
    { activeQueue: "%zz" },
    { activeQueue: "email" },
    { activeQueue: "email", status: "\0" },
    { activeQueue: "email", page: "-1" },
    { activeQueue: "email", page: "1e300", jobsPerPage: "-5" },
    { activeQueue: "email", status: "nothing", page: "0.5", jobsPerPage: "1e9" },
  ])("the API of the job board responds with 200 to the query %p", async (query) => {
    expect((await board.call("GET", "/queues", { query })).status).toBe(200);
  });
});

describe("the page of the job board", () => {
  test.each(["", "/", "/queue/email", "/queue/email/00000000-0000-7000-8000-000000000000"])(
    "the page at /admin/queues%s is public and contains no data",
    async (path) => {
      const response = await load(`/admin/queues${path}`);
      const text = await response.text();

      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).not.toContain("email");
      expect(text).not.toContain("://");
    },
  );

  test("the page of the job board has strict security headers", async () => {
    const { headers } = await load("/admin/queues");

    const policy = headers.get("content-security-policy")?.split("; ");

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("the page of the job board references only served files", async () => {
    const text = await (await load("/admin/queues")).text();
    const named = [...text.matchAll(/(?:src|href)="([^"]+\.\w+)"|"(static\/[^"]+)"/g)].map(
      ([, own, its]) => own ?? its ?? "",
    );

    expect(named.filter((path) => path.endsWith(".js")).length).toBeGreaterThan(3);
    for (const path of named) {
      const { pathname } = new URL(path, "http://localhost/admin/queues/");
      expect({ path, status: (await load(pathname)).status }).toEqual({ path, status: 200 });
    }
  });

  test("Bull Board's files are served with their content types", async () => {
    const types = new Set<string | null>();
    for (const path of boardFiles.keys()) {
      const response = await load(`/admin/queues/${path}`);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      types.add(response.headers.get("content-type"));
    }

    expect([...types].sort()).toEqual([
      "application/json; charset=utf-8",
      "image/png",
      "image/svg+xml",
      "image/x-icon",
      "text/css; charset=utf-8",
      "text/javascript; charset=utf-8",
      "text/plain; charset=utf-8",
    ]);
  });

  test.each([
    "/admin/queues/static/",
    "/admin/queues/static/js/nothing.js",
    "/admin/queues/static/..%2f..%2fpackage.json",
    "/admin/queues/static/%2e%2e/index.ejs",
    "/admin/queues/static/constructor",
    "/admin/queues/elsewhere",
  ])("the path %s is not found", async (path) => {
    const response = await load(path);

    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toStartWith("application/json");
  });

  test.each([
    "/admin/queues",
    "/assets/board/start.js",
    "/admin/queues/static/images/logo.svg",
    "/admin/queues/api/queues",
  ])("the path %s is not found on the host of chats", async (path) => {
    const authorization = `Bearer ${board.token}`;

    expect((await load(path, { host: "chat.example.com", authorization })).status).toBe(404);
    expect((await load(path, { host: "manage.example.com", authorization })).status).toBe(200);
  });
});
