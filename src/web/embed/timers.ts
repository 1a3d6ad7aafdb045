/** Runs a function after a delay, unless the signal is aborted first. */
export function runAfter(ms: number | undefined, run: () => void, signal: AbortSignal): void {
  if (ms === undefined) return;
  const timer = setTimeout(run, ms);
  signal.addEventListener("abort", () => clearTimeout(timer));
}

/** Runs a function when an element first becomes visible, unless the signal is aborted first. */
export function runWhenSeen(element: HTMLElement, run: () => void, signal: AbortSignal): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    run();
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
