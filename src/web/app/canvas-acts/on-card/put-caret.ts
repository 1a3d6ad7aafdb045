import { type Caret, isLetter } from "../caret.ts";

/** Finds a caret in a text that is split into parts. Returns the part and the offset in the part. */
export function placeOfCaret(
  parts: readonly string[],
  { letters, isAfterBlank }: Caret,
): { readonly part: number; readonly offset: number } {
  let left = letters;
  let found = { part: 0, offset: 0 };
  for (const [part, text] of parts.entries()) {
    for (let index = 0; index < text.length; index++) {
      const isOne = isLetter(text.charAt(index));
      if (left === 0 && (isOne || !isAfterBlank))
        return isAfterBlank || letters === 0 ? { part, offset: index } : found;
      if (isOne) left--;
      found = { part, offset: index + 1 };
    }
  }
  return found;
}

/** Sets the caret in a field or in a rich text. Without a caret, sets it at the end of the text. */
export function putCaret(element: HTMLElement, caret: Caret | undefined): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const { offset } = caret ? placeOfCaret([element.value], caret) : { offset: element.value.length };
    element.setSelectionRange(offset, offset);
    return;
  }
  const selection = getSelection();
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) texts.push(node);
  const place = caret && placeOfCaret(texts.map(({ nodeValue }) => nodeValue ?? "").map(withoutSpacers), caret);
  const node = place && texts[place.part];
  if (!node) {
    selection?.selectAllChildren(element);
    selection?.collapseToEnd();
    return;
  }
  // The name of a variable cannot be split, so the caret is set after the name.
  const piece = node.parentElement?.closest("[data-chip]");
  if (!piece) selection?.collapse(node, place.offset);
  else {
    const range = document.createRange();
    range.setStartAfter(piece);
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
}

/** Replaces the invisible characters with which rich text editors keep empty lines open. */
function withoutSpacers(text: string): string {
  return text.replaceAll("\uFEFF", " ");
}
