import type { Point } from "../canvas/contract.ts";

/**
 * A place in the text of a card's row. Rows fold blanks and omit the braces around names of variables, so letters are
 * counted.
 */
export type Caret = {
  /** The number of letters before the caret. */
  readonly letters: number;
  /** Whether the caret is behind the blanks that follow these letters. */
  readonly isAfterBlank: boolean;
};

export const isLetter = (one: string): boolean => /[^\s{}]/.test(one);

/** The place of a point of the screen in the text of an element. */
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
