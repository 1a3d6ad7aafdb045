import { tryStorage } from "../storage.ts";

/** The storage key for the list of a bot's chats. */
export const othersName = (key: string): string => `${key}-earlier`;

/** The storage key for the record of what the visitor has read. */
export const seenName = (key: string): string => `${key}-seen`;

/** Removes the list of a bot's chats and the record of what the visitor has read. */
export function forgetOthers(key: string): void {
  for (const where of ["session", "local"] as const)
    for (const name of [othersName(key), seenName(key)]) tryStorage(where, (storage) => storage.removeItem(name));
}
