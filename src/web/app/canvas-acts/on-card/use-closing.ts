import { useEffect, useRef } from "preact/hooks";

type Closing = {
  readonly close: (isFocused: boolean) => void;
  /** Elements within the editor that Escape closes first. */
  readonly keeps: string;
};

/**
 * Escape closes the editor on a card, and the focus returns to the canvas; a press or the focus elsewhere also closes
 * it.
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
      // The page handles undo and other keys with Ctrl, as in any form.
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
