import type { Meter } from "../meter.ts";

/** A piece of text with its marks. Marks other than the three named ones come from values (`code`) or from the author. */
export type TextLeaf = { text: string; bold?: true; italic?: true; underline?: true; [mark: string]: unknown };

/** A paragraph, list, link, … Types that we do not know are kept. */
export type RichElement = { type: string; children: RichNode[]; url?: string; [key: string]: unknown };

export type RichNode = TextLeaf | RichElement;

/** One piece of a leaf's text: literal text, or a reference that the templating has already turned into text. */
export type Piece =
  | { kind: "literal"; text: string }
  /** `isPlainVariable` tells `{{name}}` from inline code `{{=code=}}`. */
  | { kind: "reference"; text: string; isPlainVariable: boolean };

export type Templating = {
  /** The pieces of a leaf's text, in order. */
  pieces(text: string): Piece[];
  /** Plain templating, used for addresses. */
  plain(text: string): string;
  /** Told before a value is read as markdown. */
  readonly meter?: Meter;
};

/** Whether a node has children. Nodes made by `renderRichText` are either this or a leaf. */
export function isElement(node: RichNode): node is RichElement {
  return Array.isArray(node["children"]);
}

export function paragraph(text: string): RichElement {
  return { type: "p", children: [{ text }] };
}

/** All text below a node. */
export function textOf(node: RichNode): string {
  return isElement(node) ? node.children.map(textOf).join("") : node.text;
}

/** Adds a list of any length to another one: spreading a very long list into `push` overflows the stack. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
