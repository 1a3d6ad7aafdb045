/** The longest delay on a busy page. */
const mostMs = 1_000;
/** Safari does not report idle time. */
const laterMs = 200;

/** Runs work once the page has nothing more urgent to do. Returns the function that cancels it. */
export function whenIdle(work: () => unknown): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, laterMs);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: mostMs });
  return () => cancelIdleCallback(asked);
}
