import { createServer as createPlainServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import type { OutgoingRequest, SafeFetchOptions } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../src/limits/index.ts";
import { untrusted } from "./certificate.ts";

/** A failing call with its rules. The loopback address counts as public. */
export type FailingCall = {
  readonly what: string;
  readonly request: OutgoingRequest;
  readonly options: SafeFetchOptions;
  /** Whether the call takes noticeable processor time. */
  readonly isLarge: boolean;
};

type Parts = { readonly request?: Partial<OutgoingRequest>; readonly options?: SafeFetchOptions };

/** Starts servers for many kinds of failing calls. */
export async function startFailingCalls(): Promise<{ readonly calls: readonly FailingCall[]; close(): Promise<void> }> {
  const closes: (() => unknown)[] = [];
  const http = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const server = createPlainServer((incoming, response) => {
      // The caller may abort the request.
      incoming.on("error", () => {}).resume();
      answer(response);
    });
    const port = await listening(server);
    closes.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return at(port);
  };
  const raw = async (answer: (socket: Socket) => void, server: Server = createServer()): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      answer(socket);
    });
    const port = await listening(server);
    closes.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return port;
  };
  const onData = (act: (socket: Socket) => void) => (socket: Socket) => void socket.once("data", () => act(socket));
  const says = (text: string) => onData((socket) => socket.end(text));
  const secure = createSecureServer(untrusted, (_, response) => response.end("{}"));
  const closedPort = await portOfNobody();
  const looksUp = (resolve: () => Promise<never>): Parts => ({ options: { resolve } });
  const failing = (code: string) => async (): Promise<never> => {
    throw Object.assign(new Error(`getaddrinfo ${code} outside.example`), { code, syscall: "getaddrinfo" });
  };
  const ok = await http((response) => response.end("{}"));

  const made: readonly (readonly [what: string, url: string, parts?: Parts])[] = [
    ["a host that does not resolve", ok, looksUp(failing("ENOTFOUND"))],
    ["a resolver that does not answer", ok, looksUp(failing("EAI_AGAIN"))],
    ["a resolver that throws no error", ok, looksUp(() => Promise.reject("lost"))],
    ["a host without addresses", ok, { options: { resolve: async () => [] } }],
    ["a private address", ok, { options: { resolve: async () => [{ address: "10.0.0.1", family: 4 }] } }],
    ["an address that is private itself", "http://192.168.0.1/"],
    ["a refused connection", at(closedPort)],
    ["a connection that is reset", at(await raw((socket) => socket.resetAndDestroy()))],
    ["a reset after the request", at(await raw(onData((socket) => socket.resetAndDestroy())))],
    ["an end in the head", at(await raw(says("HTTP/1.1 200 OK\r\nContent-Le")))],
    ["an end in the body", at(await raw(says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}")))],
    ["an end in a chunk", at(await raw(says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{}")))],
    ["what is not HTTP", at(await raw(says("SSH-2.0-OpenSSH_9.2\r\n")))],
    [
      "a change of the protocol",
      at(await raw(says("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"))),
    ],
    ["a server without encryption", at(await raw(says("HTTP/1.1 400 No\r\n\r\n")), "https")],
    ["a certificate that nobody trusts", at(await listeningSecurely(secure, closes), "https")],
    ["silence", at(await raw(() => {})), { request: { timeoutMs: 30 } }],
    [
      "a body that stops",
      at(await raw(onData((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}")))),
      { request: { timeoutMs: 60 } },
    ],
    ["an answer that is too large", await http((response) => response.end(Buffer.alloc(limits.outgoing.bytes + 1)))],
    [
      "an answer that unpacks to too much",
      await http((response) =>
        response.setHeader("Content-Encoding", "gzip").end(gzipSync(Buffer.alloc(limits.outgoing.bytes + 1))),
      ),
    ],
    [
      "a body that cannot be unpacked",
      await http((response) => response.setHeader("Content-Encoding", "gzip").end("no gzip")),
    ],
    ["an unknown packing", await http((response) => response.setHeader("Content-Encoding", "pack200").end("{}"))],
    ["redirects in a circle", await http((response) => response.writeHead(302, { Location: "/again" }).end())],
    [
      "a redirect to a private address",
      await http((response) => response.writeHead(302, { Location: "http://127.0.0.2/" }).end()),
    ],
    ["a redirect to no address", await http((response) => response.writeHead(302, { Location: "http://[" }).end())],
    ["no address", "outside"],
    ["another scheme", "ftp://outside.example/"],
    ["a method that is none", ok, { request: { method: "GET /" } }],
    ["a header that is none", ok, { request: { headers: [["X Name", "value"]] } }],
    ["a header's value with a line break", ok, { request: { headers: [["X-Name", "one\r\ntwo"]] } }],
    ["a header's value that is no Latin", ok, { request: { headers: [["X-Name", "\u{1f600}"]] } }],
    ["a header of a metadata service", ok, { request: { headers: [["Metadata-Flavor", "Google"]] } }],
    [
      "a body that is too large to be sent",
      ok,
      { request: { method: "POST", body: "x".repeat(limits.outgoing.bytes + 1) } },
    ],
    ["a chain of chats that is too long", ok, { request: { hops: { ...noHops, count: limits.outgoing.hops + 1 } } }],
    ["a caller who breaks it off", at(await raw(() => {})), { request: { signal: AbortSignal.timeout(30) } }],
    ["a caller who broke it off before", ok, { request: { signal: AbortSignal.abort(new Error("gone")) } }],
  ];
  return {
    calls: made.map(([what, url, { request, options } = {}]) => ({
      what,
      isLarge: / too (large|much)/.test(what),
      request: { url, method: "GET", headers: [], timeoutMs: 5_000, hops: noHops, ...request },
      options: {
        permits: (found, rules) => found === "127.0.0.1" || isPublicAddress(found, rules),
        resolve: async () => [{ address: "127.0.0.1", family: 4 }],
        ...options,
      },
    })),
    async close() {
      for (const close of closes) await close();
    },
  };
}

function at(port: number, scheme = "http"): string {
  return `${scheme}://outside.example:${port}/`;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(portOf(server))));
}

async function listeningSecurely(
  server: ReturnType<typeof createSecureServer>,
  closes: (() => unknown)[],
): Promise<number> {
  const port = await listening(server);
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return port;
}

/** Returns a port on which no server listens. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
