import { afterEach, expect, test } from "bun:test";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { createKeptExchanges, type KeptExchanges } from "../../../src/effects/safe-fetch/kept-exchanges.ts";
import { FailedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import type { ExchangeRules } from "../../../src/effects/safe-fetch/safe-fetch-exchange.ts";
import { untrusted } from "../../support/certificate.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that answers each request with these bytes; its sockets, and what came in over each. */
async function server(answer: string) {
  const sockets: Socket[] = [];
  const came: string[] = [];
  const listening = createServer((socket) => {
    const at = sockets.push(socket) - 1;
    socket.on("data", (part) => {
      came[at] = (came[at] ?? "") + part.toString("latin1");
      socket.write(answer);
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    listening.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: portOf(listening.address()),
    sockets,
    came,
    open: () => sockets.filter(({ closed }) => !closed).length,
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address ? address.port : 0;
}

const rules: ExchangeRules = {
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  permits: (address) => address === "127.0.0.1",
  isHostAllowed: false,
  maxBytes: 1_000,
  reserve: async () => {},
  pace: () => undefined,
  signal: new AbortController().signal,
};

function ask(kept: KeptExchanges, port: number, more: { headers?: [string, string][]; scheme?: string } = {}) {
  const { headers = [], scheme = "http" } = more;
  const url = new URL(`${scheme}://receiver.example:${port}/a?b=c`);
  return kept.exchange("endpoint", { url, method: "POST", headers, body: "größer" }, rules);
}

/** Counts the timers that were started. */
function counting(clock: VirtualClock) {
  let started = 0;
  const startTimer: VirtualClock["startTimer"] = (ms, callback) => {
    started++;
    return clock.startTimer(ms, callback);
  };
  return { clock: { ...clock, startTimer }, started: () => started };
}

test("a hundred requests take one connection and one timer", async () => {
  const { port, sockets } = await server(ok);
  const { clock, started } = counting(createVirtualClock());
  const kept = createKeptExchanges(clock);

  for (let index = 0; index < 100; index++) await ask(kept, port);

  expect([sockets.length, started()]).toEqual([1, 1]);
});

test("a request is sent as HTTP/1.1 says", async () => {
  const { port, came } = await server(ok);

  await ask(createKeptExchanges(), port, { headers: [["X-One", "1"]] });

  const head = `POST /a?b=c HTTP/1.1\r\nHost: receiver.example:${port}\r\nContent-Length: 8\r\nX-One: 1\r\n\r\n`;
  expect(came).toEqual([head + Buffer.from("größer").toString("latin1")]);
});

test.each([
  ["X", "a\r\nY: b"],
  ["X\r\nY", "a"],
  ["X", "日本"],
])("a header %p with the value %p is not sent", async (name, value) => {
  const { port, sockets } = await server(ok);

  await expect(ask(createKeptExchanges(), port, { headers: [[name, value]] })).rejects.toBeInstanceOf(FailedCall);

  expect(sockets).toHaveLength(0);
});

test("a server whose certificate nobody trusts gets nothing", async () => {
  let requests = 0;
  const secure = createSecureServer(untrusted, (_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  ends.push(() => secure.close());

  const call = ask(createKeptExchanges(), portOf(secure.address()), { scheme: "https" });

  await expect(call).rejects.toThrow("certificate");
  expect(requests).toBe(0);
});

test("an idle connection is closed after four seconds, and no timer is left", async () => {
  const { port, open } = await server(ok);
  const clock = createVirtualClock();
  const kept = createKeptExchanges(clock);
  await ask(kept, port);

  await clock.advance(3_900);
  await ask(kept, port);
  await clock.advance(3_900);
  expect(open()).toBe(1);
  await clock.advance(1_000);

  await waitFor(() => open() === 0);
  expect(clock.timers()).toBe(0);
});

test("a connection takes no new request a minute after it was opened", async () => {
  const { port, sockets, open } = await server(ok);
  const clock = createVirtualClock();
  const kept = createKeptExchanges(clock);

  for (let seconds = 0; seconds < 60; seconds += 3) {
    await ask(kept, port);
    await clock.advance(3_000);
  }
  expect(sockets).toHaveLength(1);
  await ask(kept, port);

  expect(sockets).toHaveLength(2);
  await waitFor(() => open() === 1);
});

test("is closed when the server says something that nobody asked for", async () => {
  const { port, sockets } = await server(ok);
  const kept = createKeptExchanges(createVirtualClock());
  await ask(kept, port);

  sockets[0]?.write("HTTP/1.1 500 Forged\r\nContent-Length: 0\r\n\r\n");
  await waitFor(() => sockets[0]?.closed === true);

  expect(await ask(kept, port)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test("a connection with more than an answer takes no other request", async () => {
  const { port, sockets } = await server(`${ok}HTTP/1.1 500 Forged\r\nContent-Length: 0\r\n\r\n`);
  const kept = createKeptExchanges();

  expect([await ask(kept, port), await ask(kept, port)]).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(sockets).toHaveLength(2);
});
