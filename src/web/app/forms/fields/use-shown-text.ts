import { useLayoutEffect, useRef } from "preact/hooks";
import { diffContents } from "../../../../core/editing/text/difference.ts";
import { transformPosition } from "../../../../core/editing/text/ops.ts";

type Box = HTMLInputElement | HTMLTextAreaElement;

/**
 * Shows a text that other people may change while the author types. Their changes keep the caret in place, and wait
 * while an input method composes a letter.
 */
export function useShownText(
  box: { readonly current: Box | null },
  text: string,
): {
  /** Called after the author typed. Returns the previous text of the field. */
  note(element: Box): string;
  readonly onCompositionStart: () => void;
  readonly onCompositionEnd: () => void;
} {
  const shown = useRef(text);
  const wanted = useRef(text);
  const isComposing = useRef(false);
  wanted.current = text;
  const show = (): void => {
    const element = box.current;
    if (!element || isComposing.current) return;
    if (element.value !== wanted.current) putIn(element, wanted.current);
    shown.current = wanted.current;
  };
  useLayoutEffect(show);
  return {
    note(element) {
      const before = shown.current;
      shown.current = element.value;
      return before;
    },
    onCompositionStart: () => {
      isComposing.current = true;
    },
    onCompositionEnd: () => {
      isComposing.current = false;
      // The composed letter arrives in a separate event, which may come after this event.
      queueMicrotask(show);
    },
  };
}

function putIn(element: Box, text: string): void {
  const ops = diffContents(element.value, text);
  const { selectionStart, selectionEnd, selectionDirection } = element;
  element.value = text;
  // In some browsers, setting a selection moves the focus to the field.
  if (selectionStart === null || selectionEnd === null || element.ownerDocument.activeElement !== element) return;
  element.setSelectionRange(
    transformPosition(ops, selectionStart),
    transformPosition(ops, selectionEnd),
    selectionDirection ?? "none",
  );
}
