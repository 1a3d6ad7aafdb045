import { signal } from "@preact/signals";

/** Whether the list of all keys is open. */
export const areKeysShown = signal(false);

export function showKeys(): void {
  areKeysShown.value = true;
}
