/** How long a busy page may put it off. */
const mostMs = 1_000;
/** Safari has no idle time to ask for. */
const laterMs = 200;

/** Works once the page has nothing more urgent to do. Returns the function that calls that off. */
export function whenIdle(work: () => unknown): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, laterMs);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: mostMs });
  return () => cancelIdleCallback(asked);
}
