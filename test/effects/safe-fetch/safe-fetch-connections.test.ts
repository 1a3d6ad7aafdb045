import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type Server } from "node:tls";
import { createConnections } from "../../../src/effects/safe-fetch/safe-fetch-connections.ts";
import { type ExchangeRules, FailedCall } from "../../../src/effects/safe-fetch/safe-fetch-exchange.ts";
import { untrusted } from "../../support/certificate.ts";
import { type OutsideServer, startOutside } from "../../support/outside.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

async function outside(text = "ok"): Promise<OutsideServer> {
  const server = await startOutside((_, response) => response.end(text));
  ends.push(server.close);
  return server;
}

/** Opens connections with a separate clock, to a host with the given addresses. */
function open(addresses: readonly string[] = ["127.0.0.1"]) {
  const clock = createVirtualClock();
  const connections = createConnections(clock);
  let lookUps = 0;
  const rules: ExchangeRules = {
    permits: () => true,
    isHostAllowed: false,
    maxBytes: 1_000_000,
    signal: new AbortController().signal,
    reserve: async () => {},
    pace: async () => {},
    async resolve() {
      lookUps++;
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  };
  return {
    clock,
    lookUps: () => lookUps,
    async call(url: string, special: Partial<ExchangeRules> = {}) {
      const hop = { url: new URL(url), method: "POST", headers: [["X-Name", "value"]] as const, body: "hello" };
      const answer = await connections.exchange("key", hop, { ...rules, ...special });
      return { ...answer, text: answer.body.toString() };
    },
  };
}

test("the server gets the host's name, the headers and the body of a request", async () => {
  const server = await outside();

  expect(await open().call(server.url("/path?a=b"))).toMatchObject({ status: 200, text: "ok" });

  const [request] = server.requests;
  expect(request).toMatchObject({ method: "POST", path: "/path?a=b", body: "hello" });
  expect(request?.headers).toMatchObject({ host: `outside.example:${server.port}`, "x-name": "value" });
});

test("a host is looked up again after a minute", async () => {
  const server = await outside();
  const { call, clock, lookUps } = open();

  await call(server.url());
  await clock.advance(3_999);
  await call(server.url());
  expect([lookUps(), await server.openConnections()]).toEqual([1, 1]);
  for (let second = 4; second < 60; second += 3) {
    await call(server.url());
    await clock.advance(3_000);
  }
  await call(server.url());
  expect(lookUps()).toBe(2);
  await clock.advance(4_000);
  await waitFor(async () => (await server.openConnections()) === 0);
  await call(server.url());
  expect(lookUps()).toBe(3);
});

test("a host is called at its second address if the first is unreachable", async () => {
  const server = await outside();
  const { call, lookUps } = open(["127.0.0.2", "127.0.0.1"]);

  for (const _ of [1, 2]) expect(await call(server.url())).toMatchObject({ text: "ok" });

  expect([lookUps(), server.requests.length]).toEqual([1, 2]);
});

test("a host without a reachable address is looked up again by the next call", async () => {
  const { call, lookUps } = open(["127.0.0.2", "127.0.0.3"]);
  const { port } = await outside();

  for (const _ of [1, 2]) {
    const refused = call(`http://outside.example:${port}/`);
    await expect(refused).rejects.toMatchObject({ kind: "network", message: "The connection was refused" });
  }

  expect(lookUps()).toBe(2);
});

test("a host that was not found is looked up again by the next call", async () => {
  const server = await outside();
  const { call } = open();
  const resolve = () => Promise.reject(new Error("The host is unknown"));

  await expect(call(server.url(), { resolve })).rejects.toThrow("The host is unknown");

  expect(await call(server.url())).toMatchObject({ text: "ok" });
});

test("a call fails if its reused connection breaks during the response", async () => {
  const answers = ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"];
  const server = Bun.listen({
    ...{ hostname: "127.0.0.1", port: 0 },
    socket: {
      data(socket) {
        socket.write(answers.shift() ?? "");
        if (answers.length === 0) socket.end();
      },
    },
  });
  ends.push(() => server.stop(true));
  const { call } = open();
  const url = `http://outside.example:${server.port}/`;

  await call(url);

  await expect(call(url)).rejects.toMatchObject({ kind: "network" });
});

test("a call skips an address that was silent in the previous call", async () => {
  const server = await outside();
  const silent = Bun.listen({ hostname: "127.0.0.2", port: server.port, socket: { data() {} } });
  ends.push(() => silent.stop(true));
  const { call, lookUps } = open(["127.0.0.2", "127.0.0.1"]);
  const late = new FailedCall("timeout", "late");
  const controller = new AbortController();

  const first = call(server.url(), { signal: controller.signal });
  setImmediate(() => controller.abort(late));
  await expect(first).rejects.toBe(late);

  expect(await call(server.url())).toMatchObject({ text: "ok" });
  expect(lookUps()).toBe(1);
});

test("a call times out while the host is looked up", async () => {
  const late = new FailedCall("timeout", "late");
  const hanging = () => new Promise<never>(() => {});
  const { call } = open();

  const ended = call("http://outside.example:1/", { resolve: hanging, signal: AbortSignal.abort(late) });
  await expect(ended).rejects.toBe(late);
});

test("proxies in environment variables are not used", async () => {
  const proxy = await outside("by proxy");
  const server = await outside("directly");
  const before = { ...process.env };
  ends.push(() => {
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  for (const name of ["HTTP_PROXY", "http_proxy"]) process.env[name] = `http://127.0.0.1:${proxy.port}`;

  expect(await open().call(server.url())).toMatchObject({ text: "directly" });
  expect(proxy.requests).toEqual([]);
});

test("an untrusted certificate ends the call before any data is sent", async () => {
  const asked: string[] = [];
  let bytes = 0;
  const takeName = (name: string, done: (error: Error | null) => void): void => {
    asked.push(name);
    done(null);
  };
  const secure = createServer({ ...untrusted, SNICallback: takeName });
  secure.on("tlsClientError", () => {});
  secure.on("secureConnection", (socket) => socket.on("error", () => {}).on("data", (data) => (bytes += data.length)));
  secure.listen(0, "127.0.0.1");
  await once(secure, "listening");
  ends.push(() => secure.close());

  const refused = open().call(`https://outside.example:${portOf(secure)}/`);

  await expect(refused).rejects.toMatchObject({ kind: "network", message: "self signed certificate" });
  expect([asked, bytes]).toEqual([["outside.example"], 0]);
});

test.each([
  [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "answer",
    "requests another protocol",
  ],
  [`HTTP/1.1 200 OK\r\n${`X: ${"y".repeat(1_000)}\r\n`.repeat(2_000)}\r\n`, "answer", "not HTTP"],
  ["HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok", "network", "closed before the response was complete"],
  ["", "network", "closed before the response was complete"],
] as const)("a call fails if its response is invalid or incomplete: %p", async (text, kind, message) => {
  const server = Bun.listen({
    ...{ hostname: "127.0.0.1", port: 0 },
    socket: {
      data(socket) {
        socket.write(text);
        socket.end();
      },
    },
  });
  ends.push(() => server.stop(true));

  const failed = open().call(`http://outside.example:${server.port}/`);

  await expect(failed).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
});

test("a response of unknown length reserves capacity and has a size limit", async () => {
  const server = await startOutside((_, response) => {
    for (let piece = 0; piece < 40; piece++) response.write("x".repeat(10_000));
    response.end();
  });
  ends.push(server.close);
  const reserved: number[] = [];
  const reserve = async (bytes: number) => {
    reserved.push(bytes);
  };

  expect((await open().call(server.url(), { reserve })).text).toHaveLength(400_000);
  expect(reserved).toEqual([1_000_000]);
  const message = "The response is larger than 300000 bytes";
  await expect(open().call(server.url(), { maxBytes: 300_000 })).rejects.toMatchObject({ kind: "answer", message });
  expect((await open().call(server.url(), { excerptBytes: 7 })).text).toBe("xxxxxxx");
});

test("a redirect is returned with its location, without its body", async () => {
  const server = await startOutside((_, response) => response.writeHead(302, { Location: "/there" }).end("moved"));
  ends.push(server.close);

  expect(await open().call(server.url())).toMatchObject({ status: 302, location: "/there", text: "" });
});
