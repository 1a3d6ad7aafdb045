import type { Config } from "../../config.ts";

type Settings = Pick<Config, "PORT" | "APP_PORT" | "PUBLIC_URL" | "CHAT_URL">;

/** The address and the port at which the builder is served and the cookies of its sign-ins are valid. */
export type BuilderPlace = {
  /** PUBLIC_URL without a slash at the end. Undefined if PUBLIC_URL or CHAT_URL is not set, or if APP_PORT is `off`. */
  readonly address: string | undefined;
  /** Whether the builder's address has the same host as CHAT_URL, where chat pages contain authors' content. */
  readonly isShared: boolean;
  /**
   * The builder's own port, or undefined if the builder has none. If APP_PORT does not set the port (`isNamed` is
   * false) and the port is in use, the builder falls back to a free port.
   */
  readonly port: { readonly number: number; readonly isNamed: boolean } | undefined;
};

/**
 * Returns the address and port of the builder. Authors' code runs on chat pages, so the builder needs a separate
 * origin. This is PUBLIC_URL if CHAT_URL is also set. If not, or if APP_PORT is a number, the builder has a separate
 * port. Browsers send cookies to all ports of a host, so the cookies of sign-ins are accepted only where the builder is
 * served.
 */
export function builderPlace({ PORT, APP_PORT, PUBLIC_URL, CHAT_URL }: Settings): BuilderPlace {
  if (APP_PORT === "off") return { address: undefined, isShared: false, port: undefined };
  const isAtAddress = PUBLIC_URL !== undefined && CHAT_URL !== undefined;
  const named = APP_PORT === undefined ? undefined : { number: Number(APP_PORT), isNamed: true };
  const next = { number: PORT === 0 || PORT === largestPort ? 0 : PORT + 1, isNamed: false };
  return {
    address: isAtAddress ? PUBLIC_URL.replace(/\/$/, "") : undefined,
    isShared: isAtAddress && new URL(PUBLIC_URL).host === new URL(CHAT_URL).host,
    port: named ?? (isAtAddress ? undefined : next),
  };
}

const largestPort = 65_535;

/**
 * Returns the address of the builder's pages: the address of `builderPlace`, or otherwise the given port on this
 * machine. Undefined if there is neither.
 */
export function builderAddress(config: Settings & Pick<Config, "HOST">, port: number | undefined): string | undefined {
  const { address } = builderPlace(config);
  if (address !== undefined) return `${address}/app`;
  return port === undefined ? undefined : `${localAddress(config.HOST, port)}/app`;
}

/**
 * Returns the address of the builder's pages on a separate port. The scheme is the scheme of PUBLIC_URL if the host
 * names are equal, and otherwise `http:` if there is no proxy. Behind a proxy, the scheme is unknown, and the address
 * starts with `//`.
 */
export function portAddress(
  { PUBLIC_URL }: Pick<Config, "PUBLIC_URL">,
  { hostname, port, isDirect }: { hostname: string; port: number; isDirect: boolean },
): string {
  const known = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  const scheme = known?.hostname === hostname ? known.protocol : isDirect ? "http:" : "";
  return `${scheme}//${hostname}:${port}`;
}

/** Returns the address of a listener on this port for clients on the same machine. */
export function localAddress(HOST: string, port: number): string {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
