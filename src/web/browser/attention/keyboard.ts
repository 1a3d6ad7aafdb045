/** Keeps the dock above the keyboard of a phone if the keyboard covers the page. Returns a function that stops this. */
export function followKeyboard(container: HTMLElement): () => void {
  const { visualViewport: seen } = window;
  const stop = new AbortController();
  const isPage = container === document.body;
  const { style } = isPage ? document.documentElement : container;
  const onChange = (): void => {
    if (!seen) return;
    const bottom = isPage ? innerHeight : container.getBoundingClientRect().bottom;
    const covered = bottom - seen.offsetTop - seen.height;
    // A visitor who zooms in also sees less of the page.
    const isOpen = covered > leastKeyboardPx && seen.scale < 1.1;
    style.setProperty("--parley-keyboard", isOpen ? `${covered}px` : "0px");
    if (isPage) style.setProperty("--parley-height", isOpen ? `${seen.height}px` : "100dvh");
  };
  for (const event of ["resize", "scroll"]) seen?.addEventListener(event, onChange, { signal: stop.signal });
  return () => stop.abort();
}

/** Bars of the browser appear and disappear below this height. */
const leastKeyboardPx = 120;
