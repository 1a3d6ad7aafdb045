import type { Point } from "../canvas/contract.ts";

/**
 * A position in the text of a card's row. Only letters are counted, because rows collapse whitespace and omit the
 * braces around variables.
 */
export type Caret = {
  /** The number of letters before the caret. */
  readonly letters: number;
  /** Whether the caret is after the whitespace that follows these letters. */
  readonly isAfterBlank: boolean;
};

export const isLetter = (one: string): boolean => /[^\s{}]/.test(one);

/** Returns the text position in an element at a point of the screen. */
export function caretAt(element: Element, { x, y }: Point): Caret {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let letters = 0;
  let isAfterBlank = false;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const text = node.nodeValue ?? "";
    for (let index = 0; index < text.length; index++) {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      if (y < top || (y <= bottom && x < (left + right) / 2)) return { letters, isAfterBlank };
      const isOne = isLetter(text.charAt(index));
      if (isOne) letters++;
      isAfterBlank = !isOne;
    }
  }
  return { letters, isAfterBlank };
}
