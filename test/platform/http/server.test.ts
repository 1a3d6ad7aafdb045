import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { limits } from "../../../src/limits/index.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { createApp } from "../../../src/service/app.ts";
import { operations } from "../../../src/service/operations.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { noteError } from "../../support/contract.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let threads: Threads;
let api: TestApi;
let user: TestUser;
let server: Bun.Server<undefined>;
let client: Client;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  user = await api.makeUser();
  const app = createApp(api.deps);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: limits.request.managementBodyBytes + 1024 * 1024,
    fetch: (request) => app.fetch(request),
  });
  client = createClient({ baseUrl: server.url.origin });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  await threads.close();
});

const path = "/api/v1/workspaces";

function streamOf(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const piece = new TextEncoder().encode(" ".repeat(64 * 1024));
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= size) controller.close();
      else controller.enqueue(piece);
      sent += piece.byteLength;
    },
  });
}

describe("a real connection", () => {
  test("a body can be sent with an announced length or in chunks", async () => {
    const body = { name: "x".repeat(200), other: "y".repeat(100_000) };
    expect((await client.post(path, { token: user.token, body })).status).toBe(200);
    const text = JSON.stringify(body);
    const rawBody = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < text.length; at += 1_000) {
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 1_000)));
        }
        controller.close();
      },
    });
    expect((await client.post(path, { token: user.token, rawBody })).at("workspace.name")).toBe(body.name);
  });

  test("a body that is too large is rejected with 413", async () => {
    const rawBody = " ".repeat(limits.request.managementBodyBytes + 1);
    expect((await client.post(path, { token: user.token, rawBody })).at("code")).toBe("request.too_large");
    const chunks = streamOf(limits.request.managementBodyBytes + 1024);
    expect((await client.post(path, { token: user.token, rawBody: chunks })).at("code")).toBe("request.too_large");
  });

  test("the next request is served after a rejected body", async () => {
    await client.post(path, { rawBody: " ".repeat(1_000_000) });
    expect((await client.get("/api/healthz")).status).toBe(200);
  });

  test("characters beyond ASCII are received and sent as UTF-8", async () => {
    const name = "Žluťoučký kůň 漢字 👩‍👩‍👧";
    expect((await client.post(path, { token: user.token, body: { name } })).at("workspace.name")).toBe(name);
  });

  test("bytes that are not UTF-8 become U+FFFD", async () => {
    const rawBody = new Uint8Array([
      ...new TextEncoder().encode('{"name":"a'),
      0xff,
      ...new TextEncoder().encode('b"}'),
    ]);
    expect((await client.post(path, { token: user.token, rawBody })).at("workspace.name")).toBe("a\uFFFDb");
  });

  test("a HEAD response has no body", async () => {
    const answer = await client.send("HEAD", path, { token: user.token });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
  });

  test("unknown addresses and methods get the common error format", async () => {
    expect((await client.get("/api/v1/nothing")).at("code")).toBe("route.not_found");
    expect((await client.put(path)).at("code")).toBe("route.method_not_allowed");
  });
});

describe("chat endpoints", () => {
  const chat = operations.filter(({ host }) => host === "chat");
  const address = (pattern: string) => pattern.replace(/:\w+/g, "unknown");
  const origin = { Origin: "https://shop.example" };

  test("the list of chat endpoints is not empty", () => expect(chat.length).toBeGreaterThan(0));

  test("chat endpoints answer preflights for pages of any origin", async () => {
    for (const { method, path: pattern } of chat) {
      const headers = {
        ...origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "idempotency-key",
      };
      const answer = await client.send("OPTIONS", address(pattern), { headers });
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
      const allowed = answer.headers.get("access-control-allow-headers")?.split(", ");
      expect(allowed).toEqual(
        expect.arrayContaining([
          "authorization",
          "content-type",
          "idempotency-key",
          "x-typebot-iframe-referrer-origin",
        ]),
      );
      expect(Number(answer.headers.get("access-control-max-age"))).toBeGreaterThan(3_600);
    }
  });

  test("chat endpoints expose errors and the service's headers to pages", async () => {
    for (const { method, path: pattern } of chat) {
      const answer = await client.send(method, address(pattern), {
        headers: origin,
        ...(method === "GET" ? {} : { rawBody: "{" }),
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toBe(
        "X-Request-Id, Retry-After, Idempotency-Replayed, Parley-Ignored, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
      );
    }
  });

  test("chat endpoints that accept a body but no flow reject a body above 256 KB", async () => {
    const takesFlow = (pattern: string) => pattern.includes("/preview/");
    const workspaceId = await api.makeWorkspace(user);
    const { botId, publicId } = await publish(client, { token: user.token, workspaceId }, flowOf([asks("text input")]));
    const sessionId = (await start(client, publicId)).text("sessionId");
    for (const { method, path: pattern } of chat.filter(({ body, path: chatPath }) => body && !takesFlow(chatPath))) {
      const known = pattern
        .replace(":sessionId", sessionId)
        .replace(":botId/publications/:number", `${botId}/publications/1`);
      const answer = await client.send(method, address(known), {
        // A chat with a chosen version requires a token before the body is read.
        ...(pattern.includes("/publications/") && { token: user.token }),
        rawBody: " ".repeat(limits.request.chatBodyBytes + 1),
        headers: origin,
      });
      expect([pattern, answer.at("code")]).toEqual([pattern, "request.too_large"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("chat endpoints reject unsupported methods with CORS headers", async () => {
    const [first] = chat;
    const answer = await client.send("PUT", address(first?.path ?? ""), { headers: origin });
    expect(answer.at("code")).toBe("route.method_not_allowed");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });
});

const interrupted = [
  ["Content-Length: 100", path, "Accept: application/json"],
  ["Transfer-Encoding: chunked", path, "Accept: application/json"],
  // A page posts a form, and a person would read the response.
  ["Content-Length: 100", "/a-page", "Accept: text/html"],
] as const;

test.each(interrupted)(
  "a client that disconnects within its body (%s, %s, %s) causes no logged error",
  async (length, to, accept) => {
    if (to === "/a-page")
      await publish(
        api.client,
        { ...user, workspaceId: await api.makeWorkspace(user) },
        { ...flowOf([asks("text input")]), publicId: "a-page" },
      );
    const said: string[] = [];
    const note = (message: string) => void said.push(message);
    const log = { ...createLog("silent"), warn: note, error: note };
    const app = createApp({ ...api.deps, log });
    const arrived = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    const listener = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        arrived.resolve();
        const answer = await app.fetch(request);
        answered.resolve(answer.clone());
        return answer;
      },
    });
    const socket = connect(listener.port ?? 0, "127.0.0.1");
    const head = `POST ${to} HTTP/1.1\r\nHost: localhost\r\n${accept}\r\nAuthorization: Bearer ${user.token}\r\n${length}\r\n\r\n`;
    socket.write(`${head}8\r\n{"name":`);
    await arrived.promise;
    socket.destroy();

    const answer = await answered.promise;
    expect(answer.status).toBe(400);
    if (accept.endsWith("json")) expect((await answer.json()).code).toBe("request.incomplete");
    noteError("request.incomplete");
    expect(said).toEqual([]);
    await listener.stop(true);
  },
);
