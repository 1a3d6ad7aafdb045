import type { PlatformDependencies } from "../dependencies.ts";

/**
 * Returns the origin of the main listener, which serves chats, as seen by the request. For a request to the builder's
 * own listener, the origin of the main listener is derived from the request's address where possible.
 */
export function mainOrigin({ ports }: Pick<PlatformDependencies, "ports">, { url }: Request): string {
  const { protocol, hostname, port, origin } = new URL(url);
  const isOfBuilder = ports.app !== undefined && ports.main !== undefined && port === String(ports.app);
  return isOfBuilder ? `${protocol}//${hostname}:${ports.main}` : origin;
}

/**
 * Whether a request used the address of one of the service's own ports. The other port then has the same host and uses
 * plain HTTP. Behind a proxy, the public name, port and scheme of the other listener are unknown.
 */
export function isDirect({ ports }: Pick<PlatformDependencies, "ports">, { url, headers }: Request): boolean {
  const { port } = new URL(url);
  const isOurs = port === String(ports.main) || port === String(ports.app);
  return isOurs && !proxyHeaders.some((name) => headers.has(name));
}

const proxyHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
