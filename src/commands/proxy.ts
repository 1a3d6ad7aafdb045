import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { connect as connectEncrypted } from "node:tls";
import { StartError } from "../config.ts";

type Variables = Record<string, string | undefined>;

/** A proxy that does not respond within this time is treated as unreachable, and the error names the proxy. */
const answerMs = 8_000;

/**
 * Excludes requests to this machine from the proxies of the environment, as other programs do. Otherwise Bun would send
 * requests for `localhost` to the proxy, which would connect to its own machine. Bun reads the variable at each
 * request.
 */
export function goPastProxies(environment: Variables): void {
  if (!Object.keys(environment).some((name) => /^https?_proxy$/i.test(name))) return;
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const known = environment["NO_PROXY"] ?? environment["no_proxy"];
  const all = [...(known ? [known] : []), "localhost", "127.0.0.1", "::1", "0.0.0.0", ...own].join(",");
  environment["NO_PROXY"] = all;
  environment["no_proxy"] = all;
}

/** Thrown when the proxy of the environment does not work, to distinguish this from a failure of the service. */
export class ProxyError extends StartError {}

const answering = new Set<string>();

/** Throws a ProxyError that names the proxy if requests to this address use a proxy that does not respond. */
export async function requireProxy(address: URL, environment: Variables = process.env, ms = answerMs): Promise<void> {
  const used = proxyOf(address, environment);
  if (!used || answering.has(used.proxy.href + address.host)) return;
  const { proxy, variable } = used;
  const failure = await failureOf(proxy, address, ms);
  if (failure === undefined) {
    answering.add(proxy.href + address.host);
    return;
  }
  throw new ProxyError(
    `The proxy ${proxy.protocol}//${proxy.host} in ${variable} ${failure}: correct ${variable}, or add ${address.hostname} to NO_PROXY.`,
  );
}

function proxyOf(address: URL, environment: Variables): { proxy: URL; variable: string } | undefined {
  const lower = `${address.protocol.slice(0, -1)}_proxy`;
  const variable = environment[lower] ? lower : lower.toUpperCase();
  const proxy = URL.parse(environment[variable] ?? "");
  if (!proxy || isException(address, environment["no_proxy"] || environment["NO_PROXY"] || "")) return undefined;
  return { proxy, variable };
}

function isException({ hostname, host }: URL, list: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  return list.split(",").some((entry) => {
    const pattern = entry.trim().replace(/^\*?\./, "");
    return (
      pattern === "*" || (pattern !== "" && [name, host].some((it) => it === pattern || it.endsWith(`.${pattern}`)))
    );
  });
}

/** Returns the reason why the proxy does not work. Returns undefined if the proxy responds, even with a rejection. */
function failureOf(proxy: URL, { hostname, port, protocol }: URL, ms: number): Promise<string | undefined> {
  const isEncrypted = proxy.protocol === "https:";
  const place = {
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(proxy.port || (isEncrypted ? 443 : 80)),
  };
  const target = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket: Socket = isEncrypted ? connectEncrypted({ ...place, rejectUnauthorized: false }) : connect(place);
  const timer = setTimeout(resolve, ms, `has not responded within ${Math.round(ms / 1_000)} s`);
  socket.once("error", (error) => resolve(`cannot be reached (${error.message})`));
  socket.once("close", () => resolve("closes the connection"));
  socket.once("data", () => resolve(undefined));
  socket.once(isEncrypted ? "secureConnect" : "connect", () =>
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`),
  );
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
