import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch, type SafeFetchOptions } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createSafeStream } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";

/** A server outside the service, on the loopback address. */
export type OutsideServer = {
  readonly port: number;
  /** Returns the server's URL with a host name that `outsideFetch` resolves. */
  url(path?: string, host?: string): string;
  readonly requests: readonly OutsideRequest[];
  openConnections(): Promise<number>;
  close(): Promise<void>;
};

export type OutsideRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

type Answer = (request: OutsideRequest, response: ServerResponse) => void;

/** Starts a server that responds to every request after the whole body was received. */
export async function startOutside(answer: Answer): Promise<OutsideServer> {
  const requests: OutsideRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    answer(request, response);
  });
  await listening(server);
  const { port } = address(server);
  return {
    port,
    url: (path = "/", host = "outside.example") => `http://${host}:${port}${path}`,
    requests,
    openConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () => closed(server),
  };
}

/** Creates a client for outgoing calls. The loopback address counts as public, and every name resolves to it. */
export function outsideFetch(options: SafeFetchOptions = {}) {
  return createSafeFetch({
    permits: (found, rules) => found === "127.0.0.1" || isPublicAddress(found, rules),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
}

/** Creates a client for outgoing calls with streamed responses, by the same rules as `outsideFetch`. */
export function outsideStream(options: SafeFetchOptions = {}) {
  return createSafeStream({
    permits: (found, rules) => found === "127.0.0.1" || isPublicAddress(found, rules),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
}

async function readRequest(incoming: IncomingMessage): Promise<OutsideRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part));
  const { method = "", url: path = "", headers } = incoming;
  return { method, path, headers, body: Buffer.concat(parts).toString() };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
}

function address(server: Server): AddressInfo {
  const found = server.address();
  if (found === null || typeof found === "string") throw new Error("The server does not listen on a port");
  return found;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
