import type { Remembered } from "../browser/memory.ts";

/** The element's memory until the page is left, also while it is out of the document. */
export type ElementMemory = {
  remembered?: Remembered | undefined;
  /** `reset()` was called: what the browser has stored is to be forgotten, too. */
  isForgotten?: boolean;
  /** The chat was closed by somebody: nothing opens it but somebody. */
  isClosed?: boolean;
};

/** Uses a storage of the browser; null where it is switched off, denied or full. */
export function tryStorage(where: "session" | "local", use: (storage: Storage) => string | null): string | null {
  try {
    return use(where === "local" ? localStorage : sessionStorage);
  } catch {
    return null;
  }
}

/** What is remembered of a frame until the window is closed: it was open, or was closed, or its preview message was dismissed. */
type Mark = "open" | "closed" | "dismissed";

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

/** Notes that somebody has closed or opened a frame: also where the browser stores nothing. */
export function markClosed(memory: ElementMemory, name: string, isClosed: boolean): void {
  memory.isClosed = isClosed;
  mark("closed", name, isClosed);
}

export function isMarkedClosed(memory: ElementMemory, name: string): boolean {
  return memory.isClosed ?? isMarked("closed", name);
}
