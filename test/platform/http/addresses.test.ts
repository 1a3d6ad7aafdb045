import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import fc from "fast-check";
import { createApp } from "../../../src/service/app.ts";
import { operations } from "../../../src/service/operations.ts";
import { listen } from "../../../src/service/serving.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { noteError } from "../../support/contract.ts";

let api: TestApi;
let server: Bun.Server<undefined>;

beforeAll(async () => {
  api = await createTestApi();
  const app = createApp(api.deps);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => app.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
});

/** Sends the bytes. Returns everything that the server sends until it closes the connection. */
async function exchange(bytes: string, port = server.port ?? 0): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    received += text;
  });
  socket.on("close", () => resolve(received));
  socket.on("error", reject);
  return await promise;
}

function requestLines(target: string, host: string, { method = "GET", close = true } = {}): string {
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${close ? "Connection: close\r\n" : ""}\r\n`;
}

async function ask(target: string, host: string, method?: string): Promise<{ status: number; body: string }> {
  const answer = await exchange(requestLines(target, host, method === undefined ? {} : { method }));
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  return { status: Number(head.split(" ")[1]), body };
}

const healthy = { status: 200, body: '{"status":"ok"}' };

describe("a request's path", () => {
  test.each(["x", "abc", "abcd", "localhost", "x:80", "[::1]", "127.0.0.1:3000"])(
    "a request's path is read correctly with the host %s",
    async (host) => {
      expect(await ask("/api/healthz", host)).toEqual(healthy);
      expect((await ask("/zz/api/healthz", host)).status).toBe(404);
      expect((await ask("/admin/queues", host)).status).toBe(200);
      expect((await ask("/zz/admin/queues", host)).status).toBe(404);
      expect((await ask("//zz/api/healthz", host)).status).toBe(404);
    },
  );

  test("a request reaches /api/healthz only if its URL parses to that path", async () => {
    const host = fc.oneof(
      fc.record({
        isHost: fc.constant(true),
        name: fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
          fc.string({ unit: fc.constantFrom(..."abz"), minLength: 1, maxLength: 3 }),
        ),
      }),
      fc.record({
        isHost: fc.constant(false),
        name: fc.string({ unit: fc.constantFrom(..."abz.:/?#@[]%-_ 09é"), minLength: 1, maxLength: 5 }),
      }),
    );
    const segment = fc.constantFrom("api", "healthz", "zz", "", "..", ".", "%61pi", "HEALTHZ", "a;b", "é", "x\\y");
    const target = fc
      .oneof(fc.constant(["api", "healthz"]), fc.array(segment, { maxLength: 5 }))
      .chain((path) =>
        fc.constantFrom("", "?a", "?a=/api/healthz", "#", "#/x").map((end) => `/${path.join("/")}${end}`),
      );
    await fc.assert(
      fc.asyncProperty(host, target, async ({ name, isHost }, address) => {
        const { status, body } = await ask(address, name);
        const parsed = URL.parse(`http://${name.trim()}${address}`);
        // The router ignores a slash at the end of a path.
        if (body === healthy.body) expect(parsed?.pathname.replace(/\/$/, "")).toBe("/api/healthz");
        if (isHost && parsed?.pathname === "/api/healthz" && !address.includes("#"))
          expect({ status, body }).toEqual(healthy);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300, examples: [[{ isHost: false, name: "a" }, "/api/healthz/"]] },
    );
  }, 60_000);

  test.each(["a/b", "a?b", "u@b", "a b", "x:99999", "é"])(
    "a request is rejected if its host makes the address invalid: %s",
    async (host) => {
      const { status, body } = await ask("/api/healthz", host);
      expect([status, JSON.parse(body).code]).toEqual([400, "request.invalid_address"]);
      noteError("request.invalid_address");
    },
  );

  test("a request is rejected if its path contains a fragment", async () => {
    expect((await ask("/api/healthz#x", "localhost")).status).toBe(400);
  });
});

describe("methods", () => {
  test.each(["PUT", "PROPFIND", "PURGE", "TRACE", "CONNECT"])(
    "an unsupported method gets the common error format: %s",
    async (method) => {
      const { status, body } = await ask("/api/healthz", "localhost", method);
      expect([status, JSON.parse(body).code]).toEqual([405, "route.method_not_allowed"]);
    },
  );
});

describe("steps of chats that Bun's router handles", () => {
  const session = "06ey3k2m5q8r1t4v7x0z9w2b5d";
  const paths = [
    ...["", "/", "?a=b", "#x"].map((end) => `/api/v1/sessions/${session}/continueChat${end}`),
    ...["%30", "..", ".", "", "%00", "%E0%A4%A", "%ED%A0%80", "a%2Fb", "a+b", "é", "a;b", "__proto__", "%"].flatMap(
      (id) => [`/api/v1/sessions/${id}/continueChat`, `/api/v1/bots/${id}/startChat`],
    ),
    ...["//api", "/%61pi", "/API", "/api/x/..", "http://x/api"].map(
      (start) => `${start}/v1/sessions/${session}/continueChat`,
    ),
    "/api/v1/typebots/a-bot/startChat",
  ];
  const hosts = ["localhost", "x", "a/b", "x/zz?", "u@b"];
  const sorted = (text: string) => text.split("\r\n").toSorted();

  test("Bun's router handles exactly the steps in the table of operations", () => {
    const steps = operations.filter(({ isStep, method }) => isStep && method === "POST").map(({ path }) => path);
    expect(Object.keys(createApp(api.deps).stepRoutes)).toEqual(steps);
    expect(steps).toContain("/api/v1/sessions/:sessionId/continueChat");
  });

  test.each(["POST", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"])(
    "Bun's router and Elysia respond equally to requests for steps, at usual and unusual addresses: %s",
    async (method) => {
      const listening = listen(
        { ...api.deps, config: { ...api.deps.config, HOST: "127.0.0.1" } },
        { port: 0, isShared: false },
      );
      const requestId = "X-Request-Id: same\r\n";
      for (const path of paths)
        for (const host of hosts) {
          const bytes = requestLines(path, host, { method }).replace(/\r\n$/, `${requestId}Content-Length: 0\r\n\r\n`);
          const [own, elysia] = await Promise.all([exchange(bytes, listening.port), exchange(bytes)]);
          const [head = "", body] = own.split("\r\n\r\n", 2);
          const [elysiaHead = "", elysiaBody] = elysia.split("\r\n\r\n", 2);
          const withoutDate = (lines: string[]) => lines.filter((line) => !line.startsWith("Date:"));
          expect({ path, host, body, head: withoutDate(sorted(head)) }).toEqual({
            ...{ path, host, body: elysiaBody },
            head: withoutDate(sorted(elysiaHead)),
          });
        }
      await listening.drain();
    },
  );
});

describe("pipelined requests", () => {
  test("pipelined requests are each answered, in order", async () => {
    const first = requestLines("/api/healthz", "localhost", { close: false });
    const answer = await exchange(`${first}${first}${requestLines("/api/nothing", "localhost")}`);
    expect(answer.split("HTTP/1.1 ").map((text) => text.slice(0, 3))).toEqual(["", "200", "200", "404"]);
  });

  test("pipelined requests are answered up to a request that is not HTTP", async () => {
    const first = requestLines("/api/healthz", "localhost", { close: false });
    const answer = await exchange(`${first}NO HTTP\r\n\r\n${first}`);
    expect(answer.split("HTTP/1.1 ").map((text) => text.slice(0, 3))).toEqual(["", "200", "400"]);
  });
});

// The service never sees these requests. The documentation describes the behaviour of Bun.
describe("a request that does not reach the service", () => {
  const plain = "GET /api/healthz HTTP/1.1\r\n";
  test.each([
    ["a text that is not HTTP", "NO HTTP\r\n\r\n", 400],
    ["a request without the header Host", `${plain}\r\n`, 400],
    ["headers above 16 KB", `${plain}Host: x\r\nX-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`, 431],
    [
      "a body above the maximum size",
      "POST /api/v1/bots HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n",
      413,
    ],
    ["another version of HTTP", "GET /api/healthz HTTP/3.7\r\nHost: x\r\n\r\n", 505],
  ])("the response to an unusable request has no body: %s", async (_what, bytes, status) => {
    const [head = "", body] = (await exchange(bytes)).split("\r\n\r\n", 2);
    expect([head.split(" ")[1], body]).toEqual([String(status), ""]);
  });

  test("a request with an undefined HTTP method gets no response", async () => {
    expect(await exchange(requestLines("/api/healthz", "localhost", { method: "FROBNICATE", close: false }))).toBe("");
  });
});
