import { useLayoutEffect, useRef } from "preact/hooks";
import { type Handlers, type KeyPress, type Place, runCommand } from "./keymap.ts";

/**
 * Runs the commands of a place by their keys, wherever the focus is. `isBusy` is called for each key; if true, the key
 * is left to others.
 */
export function useCommands<P extends Place>(
  place: P,
  handlers: Handlers<P>,
  isBusy: (event: KeyboardEvent) => boolean = () => false,
): void {
  const latest = useRef({ handlers, isBusy });
  latest.current = { handlers, isBusy };
  // Set before the next key, which acts on the visible state.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!latest.current.isBusy(event) && runCommand(event, place, latest.current.handlers)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [place]);
}

/** Whether a text is being edited, or a dialog or a menu is open: then keys that are characters belong to it. */
export function isElsewhere(event: KeyPress): boolean {
  // The code editor is in a shadow root, of which the target is only the host.
  const [target] = event.composedPath();
  const isWritten =
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null);
  return event.defaultPrevented || isWritten || document.querySelector("dialog[open], :popover-open") !== null;
}
