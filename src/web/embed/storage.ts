import type { Remembered } from "../browser/memory.ts";
import { tryStorage } from "../browser/storage.ts";

/** The data that an element stores until the page is left, even while the element is not in the document. */
export type ElementMemory = {
  remembered?: Remembered | undefined;
  /** Whether `reset()` was called, so that the stored chat must be removed too. */
  isForgotten?: boolean;
  /** Whether the visitor or the page has closed the chat. It is then not opened automatically. */
  isClosed?: boolean;
};

/** A state of a frame that is stored for the current tab: open, closed, or with a dismissed preview message. */
type Mark = "open" | "closed" | "dismissed";

export function isMarked(mark: Mark, name: string): boolean {
  return tryStorage("session", (storage) => storage.getItem(`parley-${mark}-${name}`)) === "true";
}

export function mark(mark: Mark, name: string, isSet: boolean): void {
  const key = `parley-${mark}-${name}`;
  tryStorage("session", (storage) => (isSet ? storage.setItem(key, "true") : storage.removeItem(key)));
}

/** Records that the visitor or the page has closed or opened a frame, even if the browser stores nothing. */
export function markClosed(memory: ElementMemory, name: string, isClosed: boolean): void {
  memory.isClosed = isClosed;
  mark("closed", name, isClosed);
}

export function isMarkedClosed(memory: ElementMemory, name: string): boolean {
  return memory.isClosed ?? isMarked("closed", name);
}
