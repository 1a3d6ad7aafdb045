import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, isIPv6, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectSecurely } from "node:tls";
import {
  type AddressRule,
  hostOf,
  isTrustedAddress,
  RefusedCall,
  readTarget,
  type Trusted,
} from "../../core/flow/outgoing-rules.ts";
import { asCallError, FailedCall, judgedAddresses, portOf, type Resolve } from "./safe-fetch-exchange.ts";

/** A proxy for calls, with its user name and password. */
export type HttpProxy = {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The operator's list that contains the proxy's origin. */
  readonly trusted?: Trusted | undefined;
};

/** Thrown if the proxy rejects the user name and password. */
export class ProxyRefusal extends FailedCall {}

export type Tunnel = {
  /** The path of a Unix socket that is connected to the target. Only the user of this process may open it. */
  readonly socketPath: string;
  close(): Promise<void>;
};

type TunnelRules = {
  readonly resolve: Resolve;
  readonly permits: AddressRule;
  /** Hosts whose private IPv4 addresses may be called. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Origins of proxies that may be called, even at private addresses. */
  readonly trustedOrigins: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
};

/**
 * Opens a connection to an address through a proxy. The caller has checked the address, and the proxy receives no host
 * name that it could resolve itself. The proxy's own address is checked like any other. `node:http` of Bun 1.4.4 does
 * not accept an open connection but can connect to a path, so each connection has a socket in its own directory.
 */
export async function openTunnel(
  { address, port }: { readonly address: string; readonly port: number },
  proxy: HttpProxy,
  rules: TunnelRules,
): Promise<Tunnel> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const upstream = await connectedTo(proxy, rules);
  const breakOff = () => void upstream.destroy();
  rules.signal.addEventListener("abort", breakOff, { once: true });
  try {
    await askFor(target, upstream, proxy);
    const folder = await mkdtemp(join(tmpdir(), "parley-proxy-"));
    const socketPath = join(folder, "way");
    const server = createServer({ allowHalfOpen: true }, (client) => joinBoth(client, upstream));
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      server.listen(socketPath, resolve);
    });
    return {
      socketPath,
      async close() {
        rules.signal.removeEventListener("abort", breakOff);
        upstream.destroy();
        server.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    upstream.destroy();
    throw rules.signal.aborted ? rules.signal.reason : asCallError(error, "network");
  }
}

async function connectedTo(
  proxy: HttpProxy,
  { allowedHosts, trustedOrigins, signal, resolve: resolveHost, permits }: TunnelRules,
): Promise<Socket> {
  const url = ofProxy(() => readTarget(proxy.url, undefined, trustedOrigins));
  const host = hostOf(url);
  const rules = {
    ...{ resolve: resolveHost, isHostAllowed: allowedHosts.has(host) },
    permits: trustedOrigins?.has(url.origin) ? isTrustedAddress : permits,
  };
  const addresses = await judgedAddresses(host, rules).catch((error) =>
    ofProxy(() => {
      if (error instanceof RefusedCall) throw error;
      throw unreachable(error);
    }),
  );
  signal.throwIfAborted();
  const place = { host: addresses[0]?.address ?? host, port: portOf(url) };
  return await new Promise((resolve, reject) => {
    const socket: Socket =
      url.protocol === "https:"
        ? connectSecurely({ ...place, servername: host }, () => resolve(socket))
        : connect(place, () => resolve(socket));
    // The listener stays after connecting. A later failure also closes the connection, which ends the call.
    socket.on("error", (error) => reject(unreachable(error)));
    signal.addEventListener("abort", () => {
      socket.destroy();
      reject(signal.reason);
    });
  });
}

function unreachable(error: Error): FailedCall {
  return new FailedCall("network", `The proxy cannot be reached: ${error.message}`, { cause: error });
}

/** Adds to the message of a `RefusedCall` that the proxy cannot be used. */
function ofProxy<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RefusedCall) throw new RefusedCall(`The proxy cannot be used: ${error.message}`);
    throw error;
  }
}

/** The maximum size of a response to CONNECT, which has a few headers and no body. */
const answerBytes = 16 * 1024;

function askFor(target: string, upstream: Socket, { username, password }: HttpProxy): Promise<void> {
  const isKnown = username !== undefined || password !== undefined;
  const basic = Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64");
  const lines = [
    ...[`CONNECT ${target} HTTP/1.1`, `Host: ${target}`],
    ...(isKnown ? [`Proxy-Authorization: Basic ${basic}`] : []),
    ...["", ""],
  ];
  return new Promise((resolve, reject) => {
    let answer = "";
    const onData = (part: Buffer): void => {
      answer += part.toString("latin1");
      const end = answer.indexOf("\r\n\r\n");
      if (end === -1 && answer.length <= answerBytes) return;
      upstream.off("data", onData);
      upstream.pause();
      const problem = problemOf(answer, end);
      if (problem) reject(problem);
      else resolve();
    };
    upstream.on("data", onData);
    upstream.on("close", () => reject(new FailedCall("network", "The proxy closed the connection")));
    upstream.write(lines.join("\r\n"));
  });
}

function problemOf(answer: string, end: number): FailedCall | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]);
  if (status === 407) return new ProxyRefusal("answer", "The proxy rejects its user name and password (407)");
  // The server behind the proxy must not send data before it has received the request.
  const isWhole = end !== -1 && end + 4 === answer.length;
  if (status >= 200 && status < 300 && isWhole) return undefined;
  if (!Number.isInteger(status) || status < 300) return new FailedCall("answer", "The proxy's response cannot be read");
  return new FailedCall(status >= 500 ? "network" : "answer", `The proxy responded with status ${status}`);
}

function joinBoth(client: Socket, upstream: Socket): void {
  client.on("error", () => upstream.destroy());
  // After a complete response, the client's connection ends by itself. After a truncated response, the connection is
  // destroyed so that the client does not accept the response as complete.
  upstream.on("close", () => {
    if (!upstream.readableEnded) client.destroy();
  });
  client.pipe(upstream);
  upstream.pipe(client);
}
