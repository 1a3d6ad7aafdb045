import { useEffect } from "preact/hooks";
import type { SharedText } from "../../presence/shared-text.ts";

type Box = HTMLInputElement | HTMLTextAreaElement;

/** Sends the author's caret in a field to other people while the field has the focus. */
export function useSaidCaret(box: { readonly current: Box | null }, shared: SharedText | undefined) {
  const say = (): void =>
    shared?.enter(() => {
      const element = box.current;
      if (!element) return undefined;
      const { selectionStart, selectionEnd, selectionDirection, value } = element;
      if (selectionStart === null || selectionEnd === null) return undefined;
      const [at, to] =
        selectionDirection === "backward" ? [selectionEnd, selectionStart] : [selectionStart, selectionEnd];
      return { at, to, text: value };
    });
  useEffect(() => {
    if (!shared) return undefined;
    const onSelection = (): void => {
      if (box.current && document.activeElement === box.current) say();
    };
    // The field may have had the focus before its text was loaded.
    onSelection();
    document.addEventListener("selectionchange", onSelection);
    return () => {
      document.removeEventListener("selectionchange", onSelection);
      shared.leave();
    };
  }, [shared]);
  return { onFocus: say, onBlur: () => shared?.leave() };
}
