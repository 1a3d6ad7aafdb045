/**
 * Moves the dock above a phone's keyboard if the keyboard covers the page. Returns a function that ends this
 * adjustment.
 */
export function followKeyboard(container: HTMLElement): () => void {
  const { visualViewport: seen } = window;
  const stop = new AbortController();
  const isPage = container === document.body;
  const { style } = isPage ? document.documentElement : container;
  const onChange = (): void => {
    if (!seen) return;
    const bottom = isPage ? innerHeight : container.getBoundingClientRect().bottom;
    const covered = bottom - seen.offsetTop - seen.height;
    // The visible part of the page is also smaller if the visitor zooms in.
    const isOpen = covered > leastKeyboardPx && seen.scale < 1.1;
    style.setProperty("--parley-keyboard", isOpen ? `${covered}px` : "0px");
    if (isPage) style.setProperty("--parley-height", isOpen ? `${seen.height}px` : "100dvh");
  };
  for (const event of ["resize", "scroll"]) seen?.addEventListener(event, onChange, { signal: stop.signal });
  return () => stop.abort();
}

/** The browser's own bars change the height by less than this when they appear or disappear. */
const leastKeyboardPx = 120;
