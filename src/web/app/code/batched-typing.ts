/**
 * How long typed keys are gathered. One key until painted, milliseconds of the processor: see `builder` in
 * `test/tools/bench/README.md`.
 */
const gatheredMs = 100;

/** Typed text that waits to be passed to the flow. */
export type BatchedTyping = {
  /** Text was typed: it is passed on within a moment, together with the keys that follow. */
  note(): void;
  /** Whether some typed text has not been passed on. */
  isWaiting(): boolean;
  /** Passes the text on at once. */
  flush(): void;
  /** Passes on the waiting text, and stops listening. */
  close(): void;
};

/**
 * A key in code is painted first, and passed on with the keys that follow: the card, the form, storage and requests
 * need not follow each key. No text waits once the page is hidden or left.
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
  // Registered before the listeners that check whether all is saved.
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
