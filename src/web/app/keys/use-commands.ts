import { useLayoutEffect, useRef } from "preact/hooks";
import { type Handlers, type KeyPress, type Place, runCommand } from "./keymap.ts";

/**
 * Runs the commands of a scope by their keys, independent of the focus. `isBusy` is called for each key. If it returns
 * true, the key is left to other handlers.
 */
export function useCommands<P extends Place>(
  place: P,
  handlers: Handlers<P>,
  isBusy: (event: KeyboardEvent) => boolean = () => false,
): void {
  const latest = useRef({ handlers, isBusy });
  latest.current = { handlers, isBusy };
  // A layout effect adds the listener before the next key event, so that the key acts on the visible state.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!latest.current.isBusy(event) && runCommand(event, place, latest.current.handlers)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [place]);
}

/**
 * Whether the key was already handled, a text is being edited, or a dialog or a menu is open. Shortcuts of the screen
 * are then ignored.
 */
export function isElsewhere(event: KeyPress): boolean {
  // The code editor is in a shadow root, and `event.target` is only its host.
  const [target] = event.composedPath();
  const isWritten =
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null);
  return event.defaultPrevented || isWritten || document.querySelector("dialog[open], :popover-open") !== null;
}
