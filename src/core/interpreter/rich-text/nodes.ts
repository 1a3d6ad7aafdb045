import type { Piece, Template } from "../language/template-scan.ts";
import type { Meter } from "../meter.ts";
import type { Marks } from "./marks.ts";

/** A text with its marks. All other properties come from the author. */
export type TextLeaf = Marks & { text: string; [member: string]: unknown };

/** An element such as a paragraph, list or link. Unknown types are kept. */
export type RichElement = { type: string; children: RichNode[]; url?: string; [key: string]: unknown };

export type RichNode = TextLeaf | RichElement;

export type Templating = {
  /** Returns the pieces of a text. Empty literals are omitted. */
  pieces(template: Template): readonly Piece[];
  /** Returns a text with its variables replaced. Used for addresses. */
  plain(text: string): string;
  /**
   * Returns the function that parses the value of a leaf with a single reference. Returns undefined if the value is
   * parsed as ordinary Markdown.
   */
  reader?(leaf: string): ((value: string) => RichNode[]) | undefined;
  /** Charged before a value is parsed as Markdown. */
  readonly meter?: Meter | undefined;
};

/** Whether a node has children. Every node from `renderRichText` is either an element or a leaf. */
export function isElement(node: RichNode): node is RichElement {
  return Array.isArray(node["children"]);
}

export function paragraph(text: string): RichElement {
  return { type: "p", children: [{ text }] };
}

/** Returns all text inside a node. */
export function textOf(node: RichNode): string {
  return isElement(node) ? node.children.map(textOf).join("") : node.text;
}

/**
 * Appends one list to another. Passing a very long list to `push` with the spread operator would overflow the stack.
 */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
