import { tryStorage } from "../storage.ts";

/** The name, in the browser's storage, of the list of a bot's chats. */
export const othersName = (key: string): string => `${key}-earlier`;

/** Forgets the list. */
export function forgetOthers(key: string): void {
  for (const where of ["session", "local"] as const)
    tryStorage(where, (storage) => storage.removeItem(othersName(key)));
}
