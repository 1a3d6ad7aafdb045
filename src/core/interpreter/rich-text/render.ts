import { limits } from "../../../limits/index.ts";
import {
  append,
  isElement,
  type Piece,
  type RichElement,
  type RichNode,
  type Templating,
  type TextLeaf,
} from "./nodes.ts";
import { parseValue, parseValueInline } from "./parse-value.ts";
import { readStoredNode, type StoredElement, type StoredNode } from "./stored-nodes.ts";

/**
 * The rich text of a bubble with its variables replaced. The nodes come from a flow and may be anything: invalid ones are left out,
 * nothing throws. Nodes without references may be shared with the flow, so the result must not be changed.
 *
 * A bubble `Hi {{Name}}` costs 0.8 µs with a plain name, 45 to 70 µs with a value that has to be parsed as markdown, and
 * 0.2 µs without the reference (two cores, Bun 1.4.4).
 */
export function renderRichText(nodes: readonly unknown[], templating: Templating): RichNode[] {
  const rendering: Rendering = { templating, charactersLeft: limits.richText.insertedCharacters };
  return renderNodes(inParagraphs(readNodes(nodes)), rendering, 1);
}

type Rendering = { readonly templating: Templating; charactersLeft: number };

function readNodes(nodes: readonly unknown[]): StoredNode[] {
  const read: StoredNode[] = [];
  for (const node of nodes) {
    const known = readStoredNode(node);
    if (known) read.push(known);
  }
  return read;
}

/** Clients expect blocks at the top level, so leaves there become paragraphs. */
function inParagraphs(nodes: StoredNode[]): StoredNode[] {
  if (nodes.every((node) => node.kind === "element")) return nodes;
  const blocks: StoredNode[] = [];
  let line: TextLeaf[] = [];
  const endLine = () => {
    if (line.length === 0) return;
    blocks.push({ kind: "element", element: { type: "p", url: undefined, children: line, properties: {} } });
    line = [];
  };
  for (const node of nodes) {
    if (node.kind === "leaf") {
      line.push(node.leaf);
      continue;
    }
    endLine();
    blocks.push(node);
  }
  endLine();
  return blocks;
}

function renderNodes(nodes: readonly StoredNode[], rendering: Rendering, depth: number): RichNode[] {
  const rendered: RichNode[] = [];
  for (const node of nodes) {
    if (node.kind === "element") append(rendered, renderElement(node.element, rendering, depth));
    else append(rendered, renderLeaf(node.leaf, piecesOf(node.leaf, rendering), rendering));
  }
  return rendered;
}

/** An element that holds nothing but one variable is replaced by the value, unless it is a link. */
function renderElement(element: StoredElement, rendering: Rendering, depth: number): RichNode[] {
  const nodes = depth < limits.richText.depth ? readNodes(element.children) : [];
  const [first, second] = nodes;
  if (first?.kind !== "leaf" || second) {
    return [withChildren(element, renderNodes(nodes, rendering, depth + 1), rendering)];
  }
  const pieces = piecesOf(first.leaf, rendering);
  const children = renderLeaf(first.leaf, pieces, rendering);
  return isOneVariable(pieces) && element.type !== "a" ? children : [withChildren(element, children, rendering)];
}

function withChildren(element: StoredElement, children: RichNode[], { templating }: Rendering): RichElement {
  const { type, url, properties } = element;
  if (url === undefined) return { ...properties, type, children };
  return { ...properties, type, url: url.includes("{{") ? templating.plain(url) : url, children };
}

const noPieces: readonly Piece[] = [];

function piecesOf(leaf: TextLeaf, { templating }: Rendering): readonly Piece[] {
  if (!leaf.text.includes("{{")) return noPieces;
  return templating.pieces(leaf.text).filter((piece) => piece.kind === "reference" || piece.text !== "");
}

function isOneVariable(pieces: readonly Piece[]): boolean {
  const [first, second] = pieces;
  return first?.kind === "reference" && first.isPlainVariable && !second;
}

function renderLeaf(leaf: TextLeaf, pieces: readonly Piece[], rendering: Rendering): RichNode[] {
  if (!pieces.some((piece) => piece.kind === "reference")) return [leaf];
  const [first, second] = pieces;
  if (first && !second && !isMarked(leaf)) {
    return insert(rendering.templating.reader?.(leaf.text) ?? parseValue, first.text, rendering);
  }
  const rendered: RichNode[] = [];
  for (const piece of pieces) {
    if (piece.kind === "literal") {
      rendered.push({ ...leaf, text: piece.text });
      continue;
    }
    for (const parsed of insert(parseValueInline, piece.text, rendering)) rendered.push({ ...leaf, ...parsed });
  }
  return rendered;
}

function isMarked(leaf: TextLeaf): boolean {
  for (const key in leaf) {
    if (key !== "text" && leaf[key] === true) return true;
  }
  return false;
}

/** Parses a value, cut to what the bubble may still hold. */
function insert<Node extends RichNode>(parse: (text: string) => Node[], text: string, rendering: Rendering): Node[] {
  rendering.templating.meter?.spend("markdownCharacters", text.length);
  const nodes = parse(cut(text, rendering.charactersLeft));
  rendering.charactersLeft -= text.length + limits.richText.charactersPerNode * countNodes(nodes);
  return nodes;
}

/** The beginning of a text, without half a surrogate pair at its end. */
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
