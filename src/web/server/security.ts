import { createHash, randomBytes } from "node:crypto";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { safeSource } from "../conversation/links.ts";
import { fontOf } from "../conversation/theme/theme.ts";

/** A nonce for a page's own scripts and styles. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

type Allowed = {
  readonly nonce: string;
  readonly theme: Theme;
  /** Whether visitors come over https, where browsers refuse frames of http pages anyway. */
  readonly isSecure: boolean;
  /** Origins whose pages may frame the chat; null: any. */
  readonly allowedOrigins: readonly string[] | null;
  /** Whether the page is as one of another origin: no cookies, no storage, and of answers only what everybody may read. */
  readonly isSandboxed: boolean;
};

/**
 * The policy of a chat page: our files, scripts with the nonce and those that they load (authors' code and tag managers);
 * pictures, media and frames from any https host, frames of a page on http from http, too.
 */
export function contentSecurityPolicy({ nonce, theme, isSecure, allowedOrigins, isSandboxed }: Allowed): string {
  const styles = styleOrigins(theme);
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'${styles.map((origin) => ` ${origin}`).join("")}`,
    "img-src 'self' https: data: blob:",
    "media-src 'self' https: data: blob:",
    "font-src 'self' https: data:",
    `frame-src 'self' https:${isSecure ? "" : " http:"}`,
    "connect-src 'self' https: wss:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(isSandboxed ? [sandbox] : []),
    `frame-ancestors ${allowedOrigins === null ? "*" : ["'self'", ...allowedOrigins.filter(isOrigin)].join(" ")}`,
  ].join("; ");
}

/** All that chats need, but for the page's own origin. */
const sandbox =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads";

/** Headers of every page. A page with a session is not cached. */
export function pageHeaders(policy: string, { holdsSession }: { holdsSession: boolean }): Headers {
  return new Headers({
    "Content-Type": "text/html; charset=utf-8",
    // no-cache: the back button may show the page as it was, a new visit asks again.
    "Cache-Control": holdsSession ? "private, no-store" : "private, no-cache",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
  });
}

/** Derives an idempotency key from another, for one purpose. */
export function derivedKey(key: string, purpose: string): string {
  return createHash("sha256").update(`${key} ${purpose}`).digest("base64url");
}

/** The origins of style sheets: the theme's font, and what custom CSS imports. */
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
