import type { Config } from "../../config.ts";
import { builderPlace } from "../access/builder-place.ts";
import { cookieSeconds } from "../access/sign-ins.ts";

/** The cookie of a sign-in, if one is valid for the request; otherwise undefined, and the request has no sign-in. */
export type SignInCookie = {
  /** The browser's cookie; undefined when the browser sent none. */
  readonly secret: string | undefined;
  /** Makes the browser store this secret. */
  keep(secret: string): void;
  /** Makes the browser delete the cookie. */
  drop(): void;
  /** The headers `Set-Cookie` of the answer. */
  headers(): readonly string[];
};

type Settings = Pick<Config, "PORT" | "APP_PORT" | "PUBLIC_URL" | "CHAT_URL">;

/**
 * The header that our own pages send. A page of another origin cannot send it: its browser would ask first (CORS), and
 * is refused.
 */
const ownHeader = "parley-app";

/** Over https a browser accepts the first only from this exact host, and never over http. */
const names = { secure: "__Host-parley", plain: "parley" } as const;

/**
 * Decides whether a cookie is valid for a request, and reads it: only where the builder is served, and only from its
 * own pages. Browsers that state where a request comes from must state the same origin; on plain http in a local
 * network they state nothing. An origin, if there is one, must be the builder's. Behind a proxy that no setting names
 * only the browser can compare the origins: then its statement "the same origin" is accepted.
 */
export function signInCookieReader(config: Settings, { isAppListener }: { isAppListener: boolean }) {
  const { address } = builderPlace(config);
  const builderOrigin = address === undefined ? undefined : new URL(address).origin;
  const builderHost = address === undefined ? undefined : new URL(address).host;
  const isHttps = address?.startsWith("https:") ?? false;
  return ({ headers }: Request, at: { host(): string }): SignInCookie | undefined => {
    if (headers.get(ownHeader) !== "1") return undefined;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    if (site !== null && site !== "same-origin") return undefined;
    const isOwnOrigin = origin === null || origin === builderOrigin || URL.parse(origin)?.host === at.host();
    if (!isOwnOrigin && (builderOrigin !== undefined || site === null)) return undefined;
    const isAtAddress = builderHost !== undefined && at.host() === builderHost;
    if (!isAppListener && !isAtAddress) return undefined;
    return openCookie(headers.get("cookie"), { isSecure: (isAtAddress && isHttps) || isSecureOrigin(origin) });
  };
}

/** The page's own scheme, which a proxy in front may hide from us. */
function isSecureOrigin(origin: string | null): boolean {
  return origin?.startsWith("https:") ?? false;
}

function openCookie(header: string | null, { isSecure }: { isSecure: boolean }): SignInCookie {
  const secure = secretIn(header, names.secure);
  const set: string[] = [];
  const give = (value: string, { isHttps, seconds }: { isHttps: boolean; seconds: number }) => {
    const name = isHttps ? names.secure : names.plain;
    set.push(`${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isHttps ? "; Secure" : ""}`);
  };
  return {
    // If the secure cookie's name is known to apply, another host of the same domain may have set the plain one.
    secret: secure ?? (isSecure ? undefined : secretIn(header, names.plain)),
    keep: (secret) => give(secret, { isHttps: isSecure || secure !== undefined, seconds: cookieSeconds }),
    drop: () => give("", { isHttps: isSecure || secure !== undefined, seconds: 0 }),
    headers: () => set,
  };
}

function secretIn(header: string | null, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const [key = "", value = ""] = part.trim().split("=", 2);
    if (key === name && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return undefined;
}
