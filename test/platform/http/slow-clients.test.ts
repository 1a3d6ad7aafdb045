import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { pacedChunks } from "../../../src/platform/http/paced-body.ts";
import { createApp } from "../../../src/service/app.ts";
import { listen } from "../../../src/service/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, publish, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { noteError } from "../../support/contract.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askToUpload } from "../../support/uploads.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let user: TestUser;
let clock: VirtualClock;
let server: Bun.Server<undefined>;
let publicId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  user = await api.makeUser();
  const workspaceId = await api.makeWorkspace(user);
  ({ publicId } = await publish(
    api.client,
    { token: user.token, workspaceId },
    flowOf([says("Hi"), asks("file input")]),
  ));
  clock = createVirtualClock();
  const app = createApp({ ...api.deps, clock });
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 255, fetch: (request) => app.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

function opened(port: number, text: string): { socket: Socket; heard(): string; isClosed(): boolean } {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("data", (data) => {
    heard += data.toString();
  });
  socket.on("close", () => {
    isClosed = true;
  });
  socket.write(text);
  return { socket, heard: () => heard, isClosed: () => isClosed };
}

const head = (request: string, ...headers: readonly string[]) =>
  `${[`${request} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;

const lengths = [
  ["a small announced length", "Content-Length: 100", "{"],
  ["a large announced length", "Content-Length: 200000", "{"],
  ["chunks", "Transfer-Encoding: chunked", "1\r\n{\r\n"],
] as const;

async function requestTo(kind: string): Promise<readonly [request: string, ...headers: readonly string[]]> {
  if (kind === "management") return ["POST /api/v1/workspaces", `Authorization: Bearer ${user.token}`];
  if (kind === "chat") return [`POST /api/v1/bots/${publicId}/startChat`];
  if (kind === "form") return [`POST /${publicId}`, "Content-Type: multipart/form-data; boundary=x"];
  const asked = await askToUpload(api.client, (await start(api.client, publicId)).text("sessionId"));
  return [`PUT ${new URL(asked.text("presignedUrl")).pathname}`, "Content-Type: application/pdf"];
}

describe.each(["management", "chat", "form", "upload"])("a very slow body of a %s request", (kind) => {
  // Announced lengths are checked by shared code, so one kind of request is enough.
  test.each(isLong || kind === "management" ? lengths : lengths.slice(2))(
    "a very slow body is rejected with 408, and the connection is closed: %s",
    async (_, length, first) => {
      const [request, ...headers] = await requestTo(kind);
      const client = opened(server.port ?? 0, head(request, ...headers, length) + first);
      await waitFor(() => clock.timers() === 1, { what: "its body to be waited for" });
      // The client sends a byte occasionally, which is not enough.
      await clock.advance(limits.request.bodyGraceMs / 2);
      client.socket.write(length.startsWith("Transfer") ? "1\r\n{\r\n" : "{");
      const passing = async () => {
        await clock.advance(1_000);
        return client.isClosed();
      };
      await waitFor(passing, { what: "the connection to be closed" });

      expect(client.heard()).toStartWith("HTTP/1.1 408");
      expect(client.heard()).toContain('"code":"request.too_slow"');
      expect(clock.timers()).toBe(0);
      noteError("request.too_slow");
    },
  );
});

/** Returns a body that arrives at this number of bytes per second, by the given clock. */
function line(held: VirtualClock, bytesPerSecond: number, seconds: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent++ === seconds) return controller.close();
      await new Promise<void>((resolve) => void held.startTimer(1_000, resolve));
      controller.enqueue(new Uint8Array(bytesPerSecond));
    },
  });
}

async function received(bytesPerSecond: number, seconds: number, withinMs: number) {
  const held = createVirtualClock();
  let bytes = 0;
  const read = async () => {
    for await (const chunk of pacedChunks(line(held, bytesPerSecond, seconds), { withinMs, clock: held }))
      bytes += chunk.byteLength;
    return "whole";
  };
  const end = read().catch((error: unknown) => (error instanceof AppError ? error.code : error));
  await held.advance(withinMs + 10_000);
  return { bytes, end: await end, timers: held.timers() };
}

describe("a slowly arriving body", () => {
  test("a body that arrives at the minimum rate is read completely", async () => {
    expect(await received(limits.request.bodyBytesPerSecond, 200, limits.request.bodyMs)).toEqual({
      bytes: 200 * limits.request.bodyBytesPerSecond,
      end: "whole",
      timers: 0,
    });
    // 10 MB at 200 kbit/s.
    expect(await received(25_000, 420, limits.uploads.uploadMs)).toMatchObject({ end: "whole" });
  });

  test("a body that arrives below the minimum rate is rejected", async () => {
    const { end, bytes } = await received(limits.request.bodyBytesPerSecond / 2, 200, limits.request.bodyMs);

    expect(end).toBe("request.too_slow");
    // The client has a grace period of 20 s. At half the required rate, the upload fails after 40 s.
    expect(bytes).toBeLessThanOrEqual(20 * limits.request.bodyBytesPerSecond);
  });

  test("a body that still arrives after the total time limit is rejected", async () => {
    expect(await received(1_000_000, 1_000, limits.request.bodyMs)).toMatchObject({ end: "request.too_slow" });
  });
});

test("a thousand incomplete requests do not block other clients", async () => {
  const listening = listen(
    { ...api.deps, config: { ...api.deps.config, HOST: "127.0.0.1" } },
    { port: 0, isShared: false },
  );
  const { port } = listening;
  const begun = [
    "",
    "G",
    "GET /api/healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    head(`POST /api/v1/bots/${publicId}/startChat`, "Content-Length: 200000"),
  ];
  const idle = Array.from({ length: 1_000 }, (_, at) => opened(port, begun[at % 4] ?? ""));
  const trickling = setInterval(() => {
    for (const { socket } of idle.filter((_, at) => at % 4 > 1)) if (socket.writable) socket.write("a");
  }, 1_000);
  await waitFor(() => idle.every(({ socket }) => !socket.connecting), { what: "all to be connected" });

  const statuses = new Map<number, number>();
  const chats = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  for (let sent = 0; sent < 100; sent++) {
    const { status } = await start(chats, publicId);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  await waitFor(() => idle.every(({ isClosed }) => isClosed()), { withinMs: 60_000, what: "all to be cut off" });
  clearInterval(trickling);
  await listening.drain();

  expect([...statuses]).toEqual([[200, 100]]);
  const heard = idle.map((client) => client.heard().slice(0, 12));
  expect(heard.filter((text) => text === "")).toHaveLength(750);
  expect(heard.filter((text) => text === "HTTP/1.1 408")).toHaveLength(250);
}, 90_000);

test("one address has a limited number of pending requests", async () => {
  const held = createVirtualClock();
  const config = { ...api.deps.config, HOST: "127.0.0.1", TRUSTED_PROXIES: "127.0.0.1" };
  const { port, drain } = listen({ ...api.deps, config, clock: held }, { port: 0, isShared: false });
  const send = (address: string, ...headers: readonly string[]) =>
    opened(port, `${head(`POST /api/v1/bots/${publicId}/startChat`, `X-Forwarded-For: ${address}`, ...headers)}{`);
  const slow = Array.from({ length: 1_001 }, () => send("203.0.113.1", "Content-Length: 10"));
  const answered = () => slow.filter(({ heard }) => heard() !== "");
  await waitFor(() => answered().length > 0, { what: "the one too many to be answered" });

  const start = (address: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/bots/${publicId}/startChat`, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
    });
  const other = await start("203.0.113.2");
  const full = await start("203.0.113.1");
  const [refused] = answered();
  for (const { socket } of slow) socket.destroy();
  const again = async () => (await start("203.0.113.1")).status === 200;
  await waitFor(again, { what: "a place to be free again" });
  await drain();

  expect(refused?.heard()).toStartWith("HTTP/1.1 429");
  expect(refused?.heard()).toContain('"act":"requests"');
  expect([other.status, full.status]).toEqual([200, 429]);
}, 60_000);
