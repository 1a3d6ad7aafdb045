import { createHash, randomBytes } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { safeSource } from "../conversation/links.ts";
import { fontOf } from "../conversation/theme/theme.ts";

/** Creates a nonce for a page's own scripts and styles. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

type Allowed = {
  readonly nonce: string;
  readonly theme: Theme;
  /** Whether visitors use HTTPS. On an HTTPS page, browsers block frames with plain HTTP anyway. */
  readonly isSecure: boolean;
  /** Origins whose pages may frame the chat; null if any page may. */
  readonly allowedOrigins: readonly string[] | null;
  /**
   * Whether the page is treated like a page of another origin. It then has no cookies and no storage, and can read only
   * public responses.
   */
  readonly isSandboxed: boolean;
  /** Whether the author's head code runs. It may contain styles in attributes, in elements and from other servers. */
  readonly hasHeadCode?: boolean;
  /** Origins with plain HTTP that the flow calls from the page. */
  readonly httpOrigins?: readonly string[] | undefined;
};

/** Returns the policy of a page for visitors. */
export function contentSecurityPolicy(allowed: Allowed): string {
  const { nonce, theme, isSecure, allowedOrigins, isSandboxed, hasHeadCode = false, httpOrigins } = allowed;
  const styles = hasHeadCode ? ["'unsafe-inline'", "https:"] : [`'nonce-${nonce}'`, ...styleOrigins(theme)];
  return [
    ...policyOf({ self: "'self'", nonce, styles, isSecure, isSandboxed, httpOrigins }),
    "manifest-src 'self'",
    "form-action 'self'",
    // Without a restriction, the directive is omitted. `*` would exclude pages with an opaque origin, such as sandboxed
    // pages and apps.
    ...(allowedOrigins === null ? [] : [`frame-ancestors ${["'self'", ...allowedOrigins.filter(isOrigin)].join(" ")}`]),
  ].join("; ");
}

/**
 * Returns the policy of a preview. It is the policy of a chat page in a sandbox, which only the builder may frame.
 * `host` is the requested host, because `'self'` may match nothing in a sandboxed document.
 */
export function previewPolicy(
  config: Config,
  { nonce, host, httpOrigins }: { nonce: string; host: string; httpOrigins: readonly string[] },
): string {
  const isHttps = isSecure(config);
  const self = `'self' ${isHttps ? "https" : "http"}://${host}`;
  return [
    ...policyOf({
      ...{ self, nonce, styles: [`'nonce-${nonce}'`, "https:"] },
      ...{ isSecure: isHttps, isSandboxed: true, httpOrigins },
    }),
    "form-action 'none'",
    `frame-ancestors ${builderOrigin(config, host)}`,
  ].join("; ");
}

/** Returns the builder's origin: `PUBLIC_URL` if both URLs are configured, otherwise any port of the requested host. */
function builderOrigin({ PUBLIC_URL, CHAT_URL }: Config, host: string): string {
  if (PUBLIC_URL !== undefined && CHAT_URL !== undefined) return new URL(PUBLIC_URL).origin;
  return `http://${new URL(`http://${host}`).hostname}:*`;
}

/** Whether visitors use HTTPS, according to the configured URLs. */
export function isSecure({ CHAT_URL, PUBLIC_URL }: Config): boolean {
  return (CHAT_URL ?? PUBLIC_URL)?.startsWith("https:") ?? false;
}

type Shared = Pick<Allowed, "nonce" | "isSecure" | "isSandboxed"> & {
  readonly httpOrigins: readonly string[] | undefined;
  readonly self: string;
  readonly styles: readonly string[];
};

/**
 * Returns the sources that chats need. Scripts need the nonce, but may load further scripts, such as authors' code and
 * tag managers. Pictures, media and frames may come from any HTTPS host, and on an HTTP page also from HTTP hosts.
 * Requests may be sent to any HTTPS host, because authors' code and redirects need this, but over plain HTTP only to
 * the origins that the flow calls. In a sandbox, the page also loses its own origin.
 */
function policyOf({ self, nonce, styles, isSecure, isSandboxed, httpOrigins = [] }: Shared): string[] {
  const sandbox =
    "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads";
  const hosts = isSecure ? "https:" : "https: http:";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src ${[self, ...styles].join(" ")}`,
    `img-src ${self} ${hosts} data: blob:`,
    `media-src ${self} ${hosts} data: blob:`,
    `font-src ${self} https: data:`,
    `frame-src ${self} ${hosts}`,
    `connect-src ${[self, "https:", "wss:", ...httpOrigins.filter(isOrigin)].join(" ")}`,
    `worker-src ${self} blob:`,
    "base-uri 'none'",
    "object-src 'none'",
    ...(isSandboxed ? [sandbox] : []),
  ];
}

/** Returns the headers of a page. A page with a session or a payment is not cached. */
export function pageHeaders(policy: string, { holdsSession }: { holdsSession: boolean }): Headers {
  return new Headers({
    "Content-Type": "text/html; charset=utf-8",
    // With `no-cache`, the back button may show the page unchanged, but a new visit requests the page again.
    "Cache-Control": holdsSession ? "private, no-store" : "private, no-cache",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
  });
}

/** Derives an idempotency key from another key, for one purpose. */
export function derivedKey(key: string, purpose: string): string {
  return createHash("sha256").update(`${key} ${purpose}`).digest("base64url");
}

/** Returns the origins of style sheets for the theme's font and for imports in custom CSS. */
function styleOrigins(theme: Theme): string[] {
  const font = fontOf(theme);
  const rules = `${font?.css ?? ""}\n${theme.customCss ?? ""}`;
  const imported = [...rules.matchAll(/@import\s+(?:url\(\s*)?["']?(https:\/\/[^"')\s;]+)/gi)].map(([, url]) => url);
  const origins = [safeSource(font?.styleSheet), ...imported].flatMap((url) => URL.parse(url ?? "")?.origin ?? []);
  return [...new Set(origins)].filter(isOrigin);
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^\s;,'"]+$/.test(text);
}
