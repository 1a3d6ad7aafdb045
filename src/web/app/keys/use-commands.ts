import { useLayoutEffect, useRef } from "preact/hooks";
import { type Handlers, type KeyPress, type Place, runCommand } from "./keymap.ts";

/**
 * Runs the commands of a place by their keys, with the focus anywhere. Asked for with each key, `isBusy` leaves it to
 * others.
 */
export function useCommands<P extends Place>(
  place: P,
  handlers: Handlers<P>,
  isBusy: (event: KeyboardEvent) => boolean = () => false,
): void {
  const latest = useRef({ handlers, isBusy });
  latest.current = { handlers, isBusy };
  // Before the next key, which acts on the visible state.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!latest.current.isBusy(event) && runCommand(event, place, latest.current.handlers)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [place]);
}

/** Whether somebody writes, or a dialog or a menu is open: then keys that are characters belong to that. */
export function isElsewhere(event: KeyPress): boolean {
  // The code editor lives in a shadow root, of which the target shows the host alone.
  const [target] = event.composedPath();
  const isWritten =
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null);
  return event.defaultPrevented || isWritten || document.querySelector("dialog[open], :popover-open") !== null;
}
