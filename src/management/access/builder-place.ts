import type { Config } from "../../config.ts";

type Settings = Pick<Config, "PORT" | "APP_PORT" | "PUBLIC_URL" | "CHAT_URL">;

/** Where the builder is served and the cookies of its sign-ins are valid. */
export type BuilderPlace = {
  /** The management's own address, where PUBLIC_URL and CHAT_URL are both set. */
  readonly address: string | undefined;
  /** Whether chat pages, with their authors' content, have the same origin by the operator's choice. */
  readonly isShared: boolean;
  /** A port besides PORT; undefined when there is none. A port that was not chosen falls back to a free one. */
  readonly port: { readonly number: number; readonly isNamed: boolean } | undefined;
};

/**
 * Authors' code runs on chat pages, so the builder has an origin of its own: PUBLIC_URL if both PUBLIC_URL and CHAT_URL
 * are set, otherwise another port. Cookies ignore ports, so cookies of sign-ins are accepted only on the builder's
 * port.
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

/** The address of the builder's pages: PUBLIC_URL, or the port that the builder listens on here. */
export function builderAddress(config: Settings & Pick<Config, "HOST">, port: number | undefined): string | undefined {
  const { address } = builderPlace(config);
  if (address !== undefined) return `${address}/app`;
  return port === undefined ? undefined : `${localAddress(config.HOST, port)}/app`;
}

/**
 * The address of the builder's pages at a port of its own, with the host name that the request used, and with TLS if
 * PUBLIC_URL has it. Behind a proxy that no setting names, the scheme is unknown, and the page that links there chooses
 * it.
 */
export function portAddress(
  { PUBLIC_URL }: Pick<Config, "PUBLIC_URL">,
  { hostname, port, isDirect }: { hostname: string; port: number; isDirect: boolean },
): string {
  const known = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  const scheme = known?.hostname === hostname ? known.protocol : isDirect ? "http:" : "";
  return `${scheme}//${hostname}:${port}`;
}

/** The address of a listener on this port, seen from the machine that it runs on. */
export function localAddress(HOST: string, port: number): string {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
