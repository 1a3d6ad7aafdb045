import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createConnectionPool } from "../../../src/effects/safe-fetch/connection-pool.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { RefusedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import {
  createSafeStream,
  type SafeStream,
  type StreamRequest,
} from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

// Two addresses of one machine. The test sets the addresses to which a host resolves, and the permitted calls.
const [here, there] = ["127.0.0.1", "127.0.0.2"];

let server: Server;
let port: number;
let sockets: Socket[];
/** The address that each request reached. */
let reached: (string | undefined)[];
let requests: number;
let respond: (response: ServerResponse, number: number) => void;
let found: string[];
let permitted: Set<string>;
let stream: SafeStream;

beforeEach(async () => {
  [sockets, reached, requests, found, permitted] = [[], [], 0, [here], new Set([here, there])];
  respond = (response) => response.end("Yes");
  server = createServer((incoming, response) => {
    incoming.resume();
    requests++;
    respond(response, requests);
  });
  server.on("connection", (socket) => {
    sockets.push(socket);
    reached.push(socket.localAddress);
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  stream = createSafeStream({
    permits: (one) => permitted.has(one),
    resolve: async () => found.map((one) => ({ address: one, family: 4 })),
  });
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function call(more: Partial<StreamRequest> = {}): Promise<string> {
  const { body } = await stream({
    ...{ url: `http://models.example:${port}/v1`, method: "POST", headers: [], body: "{}" },
    ...{ firstByteMs: 20_000, silenceMs: 20_000, timeoutMs: 25_000 },
    hops: { ...noHops, workspaceId: "ours" },
    keepsConnection: true,
    ...more,
  });
  return await new Response(body).text();
}

describe("a reused connection", () => {
  test("a connection is reused for the next call to the same origin", async () => {
    expect([await call(), await call(), await call()]).toEqual(["Yes", "Yes", "Yes"]);

    expect(sockets).toHaveLength(1);
  });

  test("a connection is reused by one call at a time", async () => {
    expect(await Promise.all([call(), call()])).toEqual(["Yes", "Yes"]);

    expect(sockets).toHaveLength(2);
  });

  test.each<[string, () => Partial<StreamRequest>]>([
    ["of another workspace", () => ({ hops: { ...noHops, workspaceId: "theirs" } })],
    ["to another host at the same address", () => ({ url: `http://other.example:${port}/v1` })],
    ["that does not keep its connection", () => ({ keepsConnection: false })],
  ])("a connection is not reused for a call %s", async (_, more) => {
    await call();
    expect(await call(more())).toBe("Yes");

    expect(sockets).toHaveLength(2);
  });
});

test("three successive calls of a model use one connection", async () => {
  const provider = await startScriptedProvider();
  try {
    const answer = { choices: [{ index: 0, delta: { content: "Yes" }, finish_reason: "stop" }] };
    provider.answers(() => ({ events: [answer, "[DONE]"] }));
    const data = { baseUrl: "https://models.example/v1" };
    for (let round = 0; round < 3; round++) {
      expect(await provider.ask({}, { data })).toMatchObject({ answer: { text: "Yes" } });
    }

    expect(provider.connections()).toBe(1);
  } finally {
    provider.close();
  }
});

describe("the checks of each call", () => {
  test("a host that resolves to another address is called at the new address", async () => {
    await call();
    found = [there];
    expect(await call()).toBe("Yes");

    expect(reached).toEqual([here, there]);
  });

  test("a host with an additional address is called over the existing connection", async () => {
    await call();
    found = [there, here];
    await call();

    expect(sockets).toHaveLength(1);
  });

  test("a host with one forbidden address is not called", async () => {
    await call();
    found = [here, "10.0.0.1"];

    await expect(call()).rejects.toBeInstanceOf(RefusedCall);
    expect(requests).toBe(1);
  });

  test("an address that has become forbidden is not called", async () => {
    await call();
    permitted.delete(here);

    await expect(call()).rejects.toBeInstanceOf(RefusedCall);
    expect(requests).toBe(1);
  });

  test("an address in the URL is checked at each call", async () => {
    const url = `http://${here}:${port}/v1`;
    await call({ url });
    await call({ url });
    expect(sockets).toHaveLength(1);
    permitted.delete(here);

    await expect(call({ url })).rejects.toBeInstanceOf(RefusedCall);
    expect(requests).toBe(2);
  });

  test("a host that no longer has an address is not called", async () => {
    await call();
    found = [];

    await expect(call()).rejects.toThrow("The host has no address");
  });
});

describe("a broken connection", () => {
  test("a connection is not reused after the server has closed the connection", async () => {
    await call();
    server.closeIdleConnections();
    await waitFor(() => sockets[0]?.destroyed === true);
    expect(await call()).toBe("Yes");

    expect(sockets).toHaveLength(2);
  });

  test("a call is repeated once if the server closes a reused connection", async () => {
    await call();
    respond = (response, number) => (number === 2 ? response.socket?.destroy() : response.end("Yes"));
    expect(await call()).toBe("Yes");
    expect(requests).toBe(3);

    respond = (response) => response.socket?.destroy();
    await expect(call()).rejects.toMatchObject({ kind: "network" });
    expect(requests).toBe(5);
  });

  test("a connection is not reused after an answer that broke off", async () => {
    respond = (response, number) => {
      response.write("Well");
      if (number === 1) setImmediate(() => response.socket?.destroy());
      else if (number === 3) response.end();
    };
    await expect(call()).rejects.toMatchObject({ kind: "network" });
    const stop = new AbortController();
    const read = call({ signal: stop.signal });
    await waitFor(() => requests === 2);
    stop.abort();
    await expect(read).rejects.toMatchObject({ kind: "network" });
    await call();

    expect(sockets).toHaveLength(3);
  });
});

describe("an idle connection", () => {
  const place = { key: "ours", isSecure: false, addresses: async () => [here] };

  test("an idle connection is not reused after four seconds without a call", async () => {
    const clock = createVirtualClock();
    const connections = createConnectionPool(clock);
    const first = await connections.acquire(place);
    first.keep(here);
    const second = await connections.acquire(place);
    second.keep(here);
    await clock.advance(3_999);
    const third = await connections.acquire(place);
    third.keep(here);
    await clock.advance(4_000);
    const fourth = await connections.acquire(place);

    expect([second.agent === first.agent, third.agent === first.agent, fourth.agent === first.agent]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("at most sixteen idle connections per key are kept", async () => {
    const clock = createVirtualClock();
    const connections = createConnectionPool(clock);
    const leases = await Promise.all(Array.from({ length: 20 }, () => connections.acquire(place)));
    for (const lease of leases) lease.keep(here);
    const known = new Set(leases.map(({ agent }) => agent));
    const again = await Promise.all(Array.from({ length: 20 }, () => connections.acquire(place)));
    expect(again.filter(({ agent }) => known.has(agent))).toHaveLength(16);

    again[0]?.keep(here);
    const late = connections.acquire({ ...place, addresses: () => new Promise(() => {}) });
    await clock.advance(1_000);
    expect(known.has((await late).agent)).toBe(false);
  });
});
