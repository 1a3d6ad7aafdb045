import type { Piece, Template } from "../language/template-scan.ts";
import type { Meter } from "../meter.ts";
import type { Marks } from "./marks.ts";

/** A text with its marks. Other properties are the author's. */
export type TextLeaf = Marks & { text: string; [member: string]: unknown };

/** A paragraph, list, link, … Unknown types are kept. */
export type RichElement = { type: string; children: RichNode[]; url?: string; [key: string]: unknown };

export type RichNode = TextLeaf | RichElement;

export type Templating = {
  /** The pieces of a text, without empty literals. */
  pieces(template: Template): readonly Piece[];
  /** A text with its variables replaced: for addresses. */
  plain(text: string): string;
  /** The reader of a leaf that is only one reference, if the reference's value is not an author's Markdown. */
  reader?(leaf: string): ((value: string) => RichNode[]) | undefined;
  /** Charged before a value is parsed as markdown. */
  readonly meter?: Meter | undefined;
};

/** Whether a node has children. Nodes made by `renderRichText` are either elements or leaves. */
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

/** Appends a list to another. Spreading a very long list into `push` would overflow the stack. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
