/**
 * How long typed keys are gathered. One key until painted, milliseconds of the processor: see `builder` in
 * `test/tools/bench/README.md`.
 */
const gatheredMs = 100;

/** Typed text, on its way to the flow. */
export type BatchedTyping = {
  /** Something was typed: it is handed on with what follows it within a moment. */
  note(): void;
  /** Whether something was typed that was not handed on. */
  isWaiting(): boolean;
  /** Hands on at once. */
  flush(): void;
  /** Hands on what waits, and listens no more. */
  close(): void;
};

/**
 * A key in code is painted first, and handed on with those that follow it: the card, the form, what is kept and what is
 * sent need not follow each of them. Nothing waits when the page is hidden or left.
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
  // Before what asks whether all is saved.
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
