/** The longest delay on a busy page, in ms. */
const mostMs = 1_000;
/** The delay in ms in Safari, which does not support `requestIdleCallback`. */
const laterMs = 200;

/** Runs a function when the page is idle. Returns a function that cancels the call. */
export function whenIdle(work: () => unknown): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, laterMs);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: mostMs });
  return () => cancelIdleCallback(asked);
}
