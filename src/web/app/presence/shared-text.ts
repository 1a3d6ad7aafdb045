import type { Selected } from "./text-places.ts";

/** Another person in a text that is open here. */
export type PersonInText = Selected & {
  /** The person's tab. */
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** A new value whenever the person moved themselves. */
  readonly said: string;
};

/** The field's text in its stored form, and its selection. */
export type Shown = Selected & { readonly text: unknown };

/** A text that others may edit, for the field that shows it. */
export type SharedText = {
  /** Whether others are in the text. Reads signals. */
  hasOthers(): boolean;
  /** The people in the text, in units of the shown text. Reads signals. */
  others(shown: unknown): readonly PersonInText[];
  /** The author's caret is here, or has moved. `read` is called only while others are present. */
  enter(read: () => Shown | undefined): void;
  leave(): void;
};

/** The positions of units of a field in the window; a hidden box has none. */
export type UnitPlaces = {
  /** The element that shows and scrolls the text: parts outside of it are not visible. */
  box(): HTMLElement | null;
  /** The element's text, in its stored form. */
  text(): unknown;
  caretAt(unit: number): Box | undefined;
  boxesOf(from: number, to: number): readonly Box[];
  /** Calls its listener when units may have moved for a reason other than scrolling and resizing. */
  watch?(onChange: () => void): () => void;
};

export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** The boxes of letters between two points of a document; elements have none of their own. */
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
