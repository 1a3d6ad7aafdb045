import { limits } from "../../../limits/index.ts";
import type { Piece } from "../language/template-scan.ts";
import { append, isElement, type RichNode, type Templating, type TextLeaf } from "./nodes.ts";
import { parseValue, parseValueInline } from "./parse-value.ts";
import { type PreparedLeaf, type PreparedNode, prepareRichText, withChildren } from "./prepared.ts";
import { safeAddress } from "./safe-address.ts";
import type { StoredElement } from "./stored-nodes.ts";

/**
 * Returns the rich text of a bubble with its variables replaced. A value that must be parsed as Markdown takes 45 to 70
 * µs, and a plain name less than 1 µs (two cores, Bun 1.4.4).
 */
export function renderRichText(nodes: readonly unknown[], templating: Templating): RichNode[] {
  return renderNodes(prepareRichText(nodes), beginRendering(templating));
}

export type Rendering = { readonly templating: Templating; charactersLeft: number };

/** Starts the rendering of a bubble, whose nodes share a budget for inserted values. */
export function beginRendering(templating: Templating): Rendering {
  return { templating, charactersLeft: limits.richText.insertedCharacters };
}

export function renderNodes(nodes: readonly PreparedNode[], rendering: Rendering): RichNode[] {
  const rendered: RichNode[] = [];
  for (const node of nodes) {
    if (node.kind === "fixed") rendered.push(node.node);
    else append(rendered, renderNode(node, rendering));
  }
  return rendered;
}

export function renderNode(node: Exclude<PreparedNode, { kind: "fixed" }>, rendering: Rendering): RichNode[] {
  if (node.kind === "element") return renderElement(node.element, node.children, rendering);
  return renderLeaf(node, rendering.templating.pieces(node.template), rendering);
}

/**
 * Renders an element. An element that contains only a variable is replaced by the value, unless the element is a link.
 */
function renderElement(element: StoredElement, nodes: readonly PreparedNode[], rendering: Rendering): RichNode[] {
  const first = nodes[0];
  const isOneLeaf = nodes.length === 1 && first?.kind === "leaf";
  const pieces = isOneLeaf ? rendering.templating.pieces(first.template) : [];
  const children = isOneLeaf ? renderLeaf(first, pieces, rendering) : renderNodes(nodes, rendering);
  if (isOneVariable(pieces) && element.type !== "a") return children;
  const { url } = element;
  return [withChildren(element, children, url?.includes("{{") ? safeAddress(rendering.templating.plain(url)) : url)];
}

function isOneVariable(pieces: readonly Piece[]): boolean {
  const piece = pieces[0];
  return pieces.length === 1 && piece?.kind === "reference" && piece.isPlainVariable;
}

function renderLeaf(
  { leaf, template, isBare, isMarked }: PreparedLeaf,
  pieces: readonly Piece[],
  rendering: Rendering,
): RichNode[] {
  const first = pieces[0];
  if (pieces.length === 1 && first && !(first.kind === "reference" && isMarked)) {
    if (first.kind === "literal") return [leaf];
    return insert(rendering.templating.reader?.(template.text) ?? parseValue, first.text, rendering);
  }
  const rendered: TextLeaf[] = [];
  for (const piece of pieces) {
    if (piece.kind === "literal") rendered.push(isBare ? { text: piece.text } : { ...leaf, text: piece.text });
    else
      for (const parsed of insert(parseValueInline, piece.text, rendering))
        rendered.push(isBare ? parsed : { ...leaf, ...parsed });
  }
  return rendered;
}

/** Parses a value after truncating it to the remaining budget of the bubble. */
function insert<Node extends RichNode>(parse: (text: string) => Node[], text: string, rendering: Rendering): Node[] {
  rendering.templating.meter?.spend("markdownCharacters", text.length);
  const nodes = parse(cut(text, rendering.charactersLeft));
  rendering.charactersLeft -= text.length + limits.richText.charactersPerNode * countNodes(nodes);
  return nodes;
}

/** Truncates a text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, "");
}

function countNodes(nodes: readonly RichNode[]): number {
  let count = nodes.length;
  for (const node of nodes) {
    if (isElement(node)) count += countNodes(node.children);
  }
  return count;
}
