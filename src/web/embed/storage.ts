import type { Remembered } from "../browser/memory.ts";

/** What an element remembers as long as the page lives, also while it is taken out of it. */
export type Past = {
  remembered?: Remembered | undefined;
  /** The page wants what is stored forgotten, too. */
  isForgotten?: boolean;
};

/** What a storage of the browser gives; null where it is switched off, refused or full. */
export function tryStorage(where: "session" | "local", use: (storage: Storage) => string | null): string | null {
  try {
    return use(where === "local" ? localStorage : sessionStorage);
  } catch {
    return null;
  }
}

/** What is remembered of a frame until the window is closed: that it was open, that its message was sent away. */
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
