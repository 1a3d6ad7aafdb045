/**
 * The time in ms for which typed keys are collected before they are passed on. For measurements, see `builder` in
 * `test/tools/bench/README.md`.
 */
const gatheredMs = 100;

/** Typed text that has not been passed to the flow yet. */
export type BatchedTyping = {
  /** Called after each key. The text is passed on a moment later, together with the keys that follow. */
  note(): void;
  /** Whether some typed text has not been passed on yet. */
  isWaiting(): boolean;
  /** Passes the text on immediately. */
  flush(): void;
  /** Passes the waiting text on, and removes the listeners. */
  close(): void;
};

/**
 * Collects keystrokes, and calls `tell` once for several of them. The code editor shows each key immediately, but
 * cards, forms, storage and requests do not update at each key. The text is passed on immediately when the page is
 * hidden or left.
 */
export function createBatchedTyping(tell: () => void): BatchedTyping {
  let timer = 0;
  const flush = (): void => {
    if (timer === 0) return;
    clearTimeout(timer);
    timer = 0;
    tell();
  };
  const leaving = ["pagehide", "beforeunload", "visibilitychange"] as const;
  // Registered in the capture phase, so that this listener runs before the listeners that check for unsaved changes.
  for (const name of leaving) window.addEventListener(name, flush, { capture: true });
  return {
    note() {
      if (timer === 0) timer = window.setTimeout(flush, gatheredMs);
    },
    isWaiting: () => timer !== 0,
    flush,
    close() {
      flush();
      for (const name of leaving) window.removeEventListener(name, flush, { capture: true });
    },
  };
}
