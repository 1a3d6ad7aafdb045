import type { Config } from "../../config.ts";
import { builderPlace } from "../access/builder-place.ts";
import { cookieSeconds } from "../access/sign-ins.ts";

/**
 * The cookie of a sign-in, for requests in which such a cookie is valid. Other requests have no such object, and cannot
 * sign in.
 */
export type SignInCookie = {
  /** The secret of the browser's cookie; undefined if the browser sent no valid cookie. */
  readonly secret: string | undefined;
  /** Makes the browser store this secret. */
  keep(secret: string): void;
  /** Makes the browser delete the cookie. */
  drop(): void;
  /** Returns the headers `Set-Cookie` for the response. */
  headers(): readonly string[];
};

type Settings = Pick<Config, "PORT" | "APP_PORT" | "PUBLIC_URL" | "CHAT_URL">;

/**
 * The header that Parley's own pages send. A page of another origin cannot send it, because the browser's preflight
 * request (CORS) is rejected.
 */
const ownHeader = "parley-app";

/** Browsers accept a `__Host-` cookie only over https and only for this exact host. */
const names = { secure: "__Host-parley", plain: "parley" } as const;

/**
 * Returns a function that reads the cookie of a request if the cookie is valid. A cookie is valid only where the
 * builder is served, and only in requests from its own pages. `Sec-Fetch-Site`, if sent, must be `same-origin`.
 * Browsers do not send it on plain http in a local network. `Origin`, if sent, must be the builder's origin or have the
 * requested host. If no setting names the builder's address, `Sec-Fetch-Site` is sufficient, because behind a proxy
 * only the browser can compare the origins.
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

/** Whether the page itself uses https, which a proxy may hide from the service. */
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
    // If the request is known to be secure, the plain cookie is ignored, because another host of the same domain may
    // have set it.
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
