import type { PlatformDependencies } from "../dependencies.ts";

/**
 * The origin under which a request reached the main listener, where chats are served. For a request to the builder's
 * own listener, the origin of the main one, as far as the request's address shows it.
 */
export function mainOrigin({ ports }: Pick<PlatformDependencies, "ports">, { url }: Request): string {
  const { protocol, hostname, port, origin } = new URL(url);
  const isOfBuilder = ports.app !== undefined && ports.main !== undefined && port === String(ports.app);
  return isOfBuilder ? `${protocol}//${hostname}:${ports.main}` : origin;
}

/**
 * Whether a request reached one of our ports by the address of that port, so that the other port has the same host, by
 * plain http. Behind a proxy the public name, port and scheme of the other are unknown.
 */
export function isDirect({ ports }: Pick<PlatformDependencies, "ports">, { url, headers }: Request): boolean {
  const { port } = new URL(url);
  const isOurs = port === String(ports.main) || port === String(ports.app);
  return isOurs && !proxyHeaders.some((name) => headers.has(name));
}

const proxyHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
