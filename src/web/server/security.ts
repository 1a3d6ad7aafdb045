import { createHash, randomBytes } from "node:crypto";
import type { Theme } from "../../flow/schemas/theme.ts";
import { safeSource } from "../conversation/links.ts";
import { fontOf } from "../conversation/theme.ts";

/** A page's one-time word: scripts and styles that carry it are the page's own. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

type Allowed = {
  readonly nonce: string;
  readonly theme: Theme;
  /** Origins whose pages may frame the chat; null: any. */
  readonly allowedOrigins: readonly string[] | null;
};

/**
 * What a chat page may load and run: our files, what carries the nonce, and what that loads (authors' code and tag managers);
 * pictures, media and frames from any https host.
 */
export function contentSecurityPolicy({ nonce, theme, allowedOrigins }: Allowed): string {
  const styles = styleOrigins(theme);
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'${styles.map((origin) => ` ${origin}`).join("")}`,
    "img-src 'self' https: data: blob:",
    "media-src 'self' https: data: blob:",
    "font-src 'self' https: data:",
    "frame-src 'self' https:",
    "connect-src 'self' https: wss:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${allowedOrigins === null ? "*" : ["'self'", ...allowedOrigins.filter(isOrigin)].join(" ")}`,
  ].join("; ");
}

/** Headers of every page. Of one that holds a session nothing is kept. */
export function pageHeaders(policy: string, { holdsSession }: { holdsSession: boolean }): Headers {
  return new Headers({
    "Content-Type": "text/html; charset=utf-8",
    // Going back shows the page as it was; a new visit is a new page.
    "Cache-Control": holdsSession ? "private, no-store" : "private, no-cache",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
  });
}

/** A key that belongs to another one, of the same form. */
export function derivedKey(key: string, purpose: string): string {
  return createHash("sha256").update(`${key} ${purpose}`).digest("base64url");
}

/** Style sheets may come from where the theme's font comes from, and from where the author's own rules import some. */
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
