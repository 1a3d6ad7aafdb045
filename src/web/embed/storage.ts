import type { Remembered } from "../browser/memory.ts";
import { tryStorage } from "../browser/storage.ts";

/** The element's memory until the page is left, even while it is out of the document. */
export type ElementMemory = {
  remembered?: Remembered | undefined;
  /** `reset()` was called, so the stored chat must be forgotten, too. */
  isForgotten?: boolean;
  /** A user has closed the chat: only a user may open it again. */
  isClosed?: boolean;
};

/** The remembered state of a frame until the window is closed: open, closed, or its preview message dismissed. */
type Mark = "open" | "closed" | "dismissed";

export function isMarked(mark: Mark, name: string): boolean {
  return tryStorage("session", (storage) => storage.getItem(`parley-${mark}-${name}`)) === "true";
}

export function mark(mark: Mark, name: string, isSet: boolean): void {
  const key = `parley-${mark}-${name}`;
  tryStorage("session", (storage) => (isSet ? storage.setItem(key, "true") : storage.removeItem(key)));
}

/** Records that a user has closed or opened a frame, even if the browser stores nothing. */
export function markClosed(memory: ElementMemory, name: string, isClosed: boolean): void {
  memory.isClosed = isClosed;
  mark("closed", name, isClosed);
}

export function isMarkedClosed(memory: ElementMemory, name: string): boolean {
  return memory.isClosed ?? isMarked("closed", name);
}
