import type { Remembered } from "../browser/memory.ts";

/** What an element remembers until the page is left, also while it is out of the document. */
export type ElementMemory = {
  remembered?: Remembered | undefined;
  /** `reset()` was called: what the browser has stored is to be forgotten, too. */
  isForgotten?: boolean;
};

/** Uses a storage of the browser; null where it is switched off, denied or full. */
export function tryStorage(where: "session" | "local", use: (storage: Storage) => string | null): string | null {
  try {
    return use(where === "local" ? localStorage : sessionStorage);
  } catch {
    return null;
  }
}

/** What is remembered of a frame until the window is closed: it was open, or its preview message was dismissed. */
type Mark = "open" | "dismissed";

export function isMarked(mark: Mark, name: string): boolean {
  return tryStorage("session", (storage) => storage.getItem(`parley-${mark}-${name}`)) === "true";
}

export function mark(mark: Mark, name: string, isSet: boolean): void {
  tryStorage("session", (storage) => {
    if (isSet) storage.setItem(`parley-${mark}-${name}`, "true");
    else storage.removeItem(`parley-${mark}-${name}`);
    return null;
  });
}
