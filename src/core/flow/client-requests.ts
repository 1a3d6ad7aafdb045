import { textAt, valueAt } from "../interpreter/flow.ts";

/** More origins would make a header that intermediate servers cut off. */
export const mostHttpOrigins = 20;
const mostCharacters = 1_500;

/** The address that a visitor's browser calls for this block, as it is stored; undefined if the browser calls none. */
export function clientAddressOf(block: unknown): string | undefined {
  if (valueAt(block, "options", "isExecutedOnClient") !== true) return undefined;
  return textAt(block, "options", "webhook", "url")?.trim() || undefined;
}

/** Whether an address certainly uses plain http, for all values of its variables. */
export function isPlainHttp(address: string): boolean {
  return /^http:\/\//i.test(address);
}

/** Whether the host of an address is the caller's own machine, which pages on https may also call. */
export function isOwnMachine(address: string): boolean {
  const host = URL.parse(staticOriginOf(address) ?? "")?.hostname ?? "";
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/**
 * The origin of an address; undefined if it contains a variable, or if the address is invalid. A policy would read `*`
 * as any host.
 */
export function staticOriginOf(address: string): string | undefined {
  const start = /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0];
  if (start === undefined || /[{}\s;,'"]/.test(start)) return undefined;
  const origin = URL.parse(start)?.origin;
  return origin?.includes("*") ? undefined : origin;
}

/**
 * The origins of plain http that visitors' browsers call for this flow: a page's policy has to name them. Origins of
 * https need no entry, and an origin with a variable in it cannot have one.
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
