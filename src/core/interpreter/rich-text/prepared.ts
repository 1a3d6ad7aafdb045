import { limits } from "../../../limits/index.ts";
import { readTemplate, type Template } from "../language/template-scan.ts";
import type { RichElement, RichNode, TextLeaf } from "./nodes.ts";
import { readStoredNode, type StoredElement, type StoredNode } from "./stored-nodes.ts";

/** A node of a bubble, parsed once for all visitors. A fixed node has no variables and is the same for all visitors. */
export type PreparedNode =
  | { readonly kind: "fixed"; readonly node: RichNode }
  | PreparedLeaf
  | { readonly kind: "element"; readonly element: StoredElement; readonly children: readonly PreparedNode[] };

export type PreparedLeaf = {
  readonly kind: "leaf";
  readonly leaf: TextLeaf;
  readonly template: Template;
  /** Whether the leaf has no properties except its text. */
  readonly isBare: boolean;
  readonly isMarked: boolean;
};

/**
 * Parses the nodes of a bubble. The nodes of a flow may have any value, and invalid nodes are skipped without an error.
 * Fixed nodes may be shared with the flow and must not be modified.
 */
export function prepareRichText(nodes: readonly unknown[]): PreparedNode[] {
  return inParagraphs(readNodes(nodes)).map((node) => prepareNode(node, 1));
}

function readNodes(nodes: readonly unknown[]): StoredNode[] {
  const read: StoredNode[] = [];
  for (const node of nodes) {
    const known = readStoredNode(node);
    if (known) read.push(known);
  }
  return read;
}

/** Wraps top-level leaves in paragraphs, because clients expect blocks at the top level. */
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

function prepareNode(node: StoredNode, depth: number): PreparedNode {
  if (node.kind === "leaf") return prepareLeaf(node.leaf);
  const { element } = node;
  const nodes = depth < limits.richText.depth ? readNodes(element.children) : [];
  const children = nodes.map((child) => prepareNode(child, depth + 1));
  const isFixed = !element.url?.includes("{{") && children.every(({ kind }) => kind === "fixed");
  if (!isFixed) return { kind: "element", element, children };
  const fixed = children.flatMap((child) => (child.kind === "fixed" ? [child.node] : []));
  return { kind: "fixed", node: withChildren(element, fixed, element.url) };
}

function prepareLeaf(leaf: TextLeaf): PreparedNode {
  if (!leaf.text.includes("{{")) return { kind: "fixed", node: leaf };
  const others = Object.entries(leaf).filter(([key]) => key !== "text");
  const isMarked = others.some(([, value]) => value === true);
  return { kind: "leaf", leaf, template: readTemplate(leaf.text), isBare: others.length === 0, isMarked };
}

export function withChildren(
  { type, properties }: StoredElement,
  children: RichNode[],
  url: string | undefined,
): RichElement {
  return url === undefined ? { ...properties, type, children } : { ...properties, type, url, children };
}
