import { textAt, valueAt } from "../interpreter/flow.ts";

/** More would make a header that servers between here and the visitor cut off. */
export const mostHttpOrigins = 20;
const mostCharacters = 1_500;

/** The address that a visitor's browser calls for this block, as it is stored; undefined if none does. */
export function clientAddressOf(block: unknown): string | undefined {
  if (valueAt(block, "options", "isExecutedOnClient") !== true) return undefined;
  return textAt(block, "options", "webhook", "url")?.trim() || undefined;
}

/** Whether an address is certainly one of plain http, for all values of its variables. */
export function isPlainHttp(address: string): boolean {
  return /^http:\/\//i.test(address);
}

/** Whether the host of an address is the machine of the one who calls it, which pages on https may call, too. */
export function isOwnMachine(address: string): boolean {
  const host = URL.parse(staticOriginOf(address) ?? "")?.hostname ?? "";
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/**
 * The origin of an address; undefined if a variable is a part of it, or where it is no address. A policy would read `*`
 * as any host.
 */
export function staticOriginOf(address: string): string | undefined {
  const start = /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0];
  if (start === undefined || /[{}\s;,'"]/.test(start)) return undefined;
  const origin = URL.parse(start)?.origin;
  return origin?.includes("*") ? undefined : origin;
}

/**
 * The origins of plain http that visitors' browsers call for this flow: a page's policy has to name them. Those of
 * https need no name, and one with a variable in it cannot have one.
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
