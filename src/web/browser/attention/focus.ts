import { useEffect, useRef } from "preact/hooks";
import { hasPointer } from "../../components/inputs/parts/live.ts";

type Focus = {
  /** Identifies the open input or the end of the chat. False while neither is shown. */
  readonly place: string | false;
  readonly error: string | undefined;
  readonly focusesFirstInput: boolean;
  readonly isInSight: () => boolean;
};

/**
 * Focuses a new or rejected input, or the end of a chat without an input. An element out of sight is not focused, and
 * the focus is not taken from another part of the page.
 */
export function useFocus(container: HTMLElement, { place, error, focusesFirstInput, isInSight }: Focus): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!place) return;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // When the page loads, only a text field is focused, because a focused button would look pressed.
    if (wasFirst && (!focusesFirstInput || !container.querySelector(".text-input"))) return;
    const active = activeElement(container);
    const isAnswering = active && container.contains(active) && active.closest("form") !== null;
    if (active && active !== document.body && !active.contains(container) && !isAnswering) return;
    // The dock is in the window even while the visitor reads earlier messages. With a mouse, its field can be focused,
    // because no on-screen keyboard covers the messages.
    if (isInSight() || (hasPointer() && isInWindow(firstField(container)))) focusInput(container);
  }, [container, place, error, focusesFirstInput, isInSight]);
}

/** Focuses the open input, or the end of a chat without an input. Does not scroll. */
export function focusInput(container: HTMLElement): void {
  firstField(container)?.focus({ preventScroll: true });
}

function firstField(container: HTMLElement): HTMLElement | null {
  return container.querySelector<HTMLElement>("[data-focus]") ?? container.querySelector<HTMLElement>(focusable);
}

function isInWindow(element: HTMLElement | null): boolean {
  const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return top >= 0 && bottom <= innerHeight;
}

/** Returns the focused element, if any. Looks into the shadow trees that contain `from`. */
export function activeElement(from: Node): Element | null {
  const root = from.getRootNode();
  return root instanceof ShadowRoot ? (root.activeElement ?? activeElement(root.host)) : document.activeElement;
}

const focusable = [
  ".typebot-input-form input:not([type=hidden])",
  ".typebot-input-form textarea",
  ".typebot-input-form select",
  ".typebot-input-form button",
].join();
