import { useLayoutEffect, useRef } from "preact/hooks";
import { diffContents } from "../../../../core/editing/text/difference.ts";
import { transformPosition } from "../../../../core/editing/text/ops.ts";

type Box = HTMLInputElement | HTMLTextAreaElement;

/**
 * A field whose text others may change during typing: their changes are inserted around the caret, but only after a
 * letter that is being composed is finished.
 */
export function useShownText(
  box: { readonly current: Box | null },
  text: string,
): {
  /** The author typed: gives the field's previous text. */
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
      // The letter arrives in another event, which may follow this one.
      queueMicrotask(show);
    },
  };
}

function putIn(element: Box, text: string): void {
  const ops = diffContents(element.value, text);
  const { selectionStart, selectionEnd, selectionDirection } = element;
  element.value = text;
  // Setting a selection would take the focus in some browsers.
  if (selectionStart === null || selectionEnd === null || element.ownerDocument.activeElement !== element) return;
  element.setSelectionRange(
    transformPosition(ops, selectionStart),
    transformPosition(ops, selectionEnd),
    selectionDirection ?? "none",
  );
}
