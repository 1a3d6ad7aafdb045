import { tryStorage } from "../storage.ts";

/** The name, in the browser's storage, of the list of a bot's chats. */
export const othersName = (key: string): string => `${key}-earlier`;

/** The name, in the browser's storage, of the record of what the visitor has read. */
export const seenName = (key: string): string => `${key}-seen`;

/** Removes both records. */
export function forgetOthers(key: string): void {
  for (const where of ["session", "local"] as const)
    for (const name of [othersName(key), seenName(key)]) tryStorage(where, (storage) => storage.removeItem(name));
}
