import type { Selected } from "./text-places.ts";

/** Another person in a text that is open in this tab. */
export type PersonInText = Selected & {
  /** The id of the person's tab. */
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** A value that changes whenever the person moves the caret. */
  readonly said: string;
};

/** The field's text in its stored form, and the selection in it. */
export type Shown = Selected & { readonly text: unknown };

/** The interface between a field and its text, which other people may edit. */
export type SharedText = {
  /** Whether other people are in the text. Reads signals. */
  hasOthers(): boolean;
  /** Returns the people in the text, with positions in units of the shown text. Reads signals. */
  others(shown: unknown): readonly PersonInText[];
  /**
   * Called when the author's caret enters the text or moves. `read` returns the current selection when it is needed.
   */
  enter(read: () => Shown | undefined): void;
  leave(): void;
};

/** The positions of a field's letters in the window. A hidden field has no positions. */
export type UnitPlaces = {
  /** Returns the element that shows and scrolls the text. Anything outside of this element is not visible. */
  box(): HTMLElement | null;
  /** Returns the element's text in its stored form. */
  text(): unknown;
  caretAt(unit: number): Box | undefined;
  boxesOf(from: number, to: number): readonly Box[];
  /** Calls the listener when letters may have moved for a reason other than scrolling or resizing. */
  watch?(onChange: () => void): () => void;
};

export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Returns the boxes of the letters in a range, without boxes of elements. */
export function boxesBetween(range: Range): readonly Box[] {
  const root = range.commonAncestorContainer;
  if (root instanceof Text) return [...range.getClientRects()];
  const boxes: Box[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node)) continue;
    const part = document.createRange();
    part.selectNodeContents(node);
    if (node === range.startContainer) part.setStart(node, range.startOffset);
    if (node === range.endContainer) part.setEnd(node, range.endOffset);
    boxes.push(...part.getClientRects());
  }
  return boxes.filter(({ left, right }) => right > left);
}
