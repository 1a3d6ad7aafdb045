import { useEffect, useRef } from "preact/hooks";

type Closing = {
  readonly close: (isFocused: boolean) => void;
  /** A selector for elements within the editor that Escape closes before the editor. */
  readonly keeps: string;
};

/**
 * Closes the editor on a card on Escape and returns the focus to the canvas. A press or the focus outside the editor
 * also closes it.
 */
export function useClosing(element: { readonly current: HTMLElement | null }, closing: Closing): void {
  const latest = useRef(closing);
  latest.current = closing;
  useEffect(() => {
    const holder = element.current;
    if (!holder) return undefined;
    const onOutside = ({ target }: Event): void => {
      if (!(target instanceof Element) || holder.contains(target) || target.closest("[popover], dialog")) return;
      latest.current.close(false);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      // Shortcuts with Ctrl, such as undo, still reach the page.
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      if (event.key !== "Escape" || event.isComposing || holder.querySelector(latest.current.keeps)) return;
      event.preventDefault();
      latest.current.close(true);
    };
    const listening = new AbortController();
    const { signal } = listening;
    holder.addEventListener("keydown", onKeyDown, { signal });
    document.addEventListener("pointerdown", onOutside, { signal, capture: true });
    document.addEventListener("focusin", onOutside, { signal });
    return () => listening.abort();
  }, []);
}
