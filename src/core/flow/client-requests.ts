import { textAt, valueAt } from "../interpreter/flow.ts";

/** The maximum number of origins. A longer list could produce a header that intermediate servers truncate. */
export const mostHttpOrigins = 20;
const mostCharacters = 1_500;

/**
 * Returns the stored address that a visitor's browser calls for the block, or undefined if the browser makes no call.
 */
export function clientAddressOf(block: unknown): string | undefined {
  if (valueAt(block, "options", "isExecutedOnClient") !== true) return undefined;
  return textAt(block, "options", "webhook", "url")?.trim() || undefined;
}

/** Returns whether an address uses plain HTTP regardless of the values of its variables. */
export function isPlainHttp(address: string): boolean {
  return /^http:\/\//i.test(address);
}

/**
 * Returns whether the host is the caller's own machine. Pages served by HTTPS may also call this host by plain HTTP.
 */
export function isOwnMachine(address: string): boolean {
  const host = URL.parse(staticOriginOf(address) ?? "")?.hostname ?? "";
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/**
 * Returns the origin of an address, or undefined if the origin contains a variable or is invalid. An origin with `*` is
 * invalid, because a content security policy would interpret it as any host.
 */
export function staticOriginOf(address: string): string | undefined {
  const start = /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0];
  if (start === undefined || /[{}\s;,'"]/.test(start)) return undefined;
  const origin = URL.parse(start)?.origin;
  return origin?.includes("*") ? undefined : origin;
}

/**
 * Returns the plain-HTTP origins that visitors' browsers call for a flow, up to a limit. The page's content security
 * policy must list these origins. HTTPS origins need no entry, and origins with a variable cannot be listed.
 */
export function httpOriginsOf(
  groups: readonly { readonly blocks?: readonly unknown[] | null | undefined }[],
): string[] {
  const found = new Set<string>();
  let characters = 0;
  for (const block of groups.flatMap(({ blocks }) => blocks ?? [])) {
    const address = clientAddressOf(block);
    const origin = address !== undefined && isPlainHttp(address) ? staticOriginOf(address) : undefined;
    if (origin === undefined || found.has(origin)) continue;
    characters += origin.length + 1;
    if (found.size === mostHttpOrigins || characters > mostCharacters) break;
    found.add(origin);
  }
  return [...found];
}
