import { useEffect, useRef } from "preact/hooks";
import { hasPointer } from "../../components/inputs/parts/live.ts";

type Focus = {
  /** The element that gets the focus: the open input, or the chat's end. */
  readonly place: string | false;
  readonly error: string | undefined;
  readonly focusesFirstInput: boolean;
  /** Whether the visitor would see that element: the focus never jumps out of sight. */
  readonly isInSight: () => boolean;
};

/** Focuses the new input, or the end if there is none, unless the visitor is busy elsewhere on the page. */
export function useFocus(container: HTMLElement, { place, error, focusesFirstInput, isInSight }: Focus): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!place) return;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // At first only a text field is focused: a focused button would look pressed already.
    if (wasFirst && (!focusesFirstInput || !container.querySelector(".text-input"))) return;
    const active = activeElement(container);
    const isAnswering = active && container.contains(active) && active.closest("form") !== null;
    if (active && active !== document.body && !active.contains(container) && !isAnswering) return;
    // A dock is in the window even while the visitor still reads above. Visitors with a pointer have a keyboard that
    // does not cover what they read.
    if (isInSight() || (hasPointer() && isInWindow(firstField(container)))) focusInput(container);
  }, [container, place, error, focusesFirstInput, isInSight]);
}

/** Focuses the open input, or the end, without scrolling. */
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

/** The focused element, also within the shadow tree that `from` is in. */
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
