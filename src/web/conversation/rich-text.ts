import type { RichElement, RichNode } from "../../core/interpreter/rich-text/nodes.ts";
import { isObject } from "./read.ts";

/** Returns the nodes of a text bubble's content. Invalid nodes are omitted. */
export function nodesOf(value: unknown): readonly RichNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Whether a node has children. A node without children is a leaf. */
export function hasChildren(node: RichNode): node is RichElement {
  return Array.isArray(node["children"]);
}

/** Whether a text contains rare elements, for which additional code is loaded. */
export function hasRareNodes(value: unknown): boolean {
  return nodesOf(value).some(
    (node) =>
      node.math === true ||
      node["checked"] !== undefined ||
      /^(table|code_block|math|hr|img|foot.*)$/.test(String(node["type"])) ||
      hasRareNodes(node["children"]),
  );
}

/** Returns the plain text of rich text, with one line per block. */
export function plainText(value: unknown): string {
  return nodesOf(value).map(textOf).join("\n");
}

/**
 * Returns the class of a bubble with text. A longer text, or a text with lists, code, headings and similar blocks, is
 * drawn directly on the page.
 */
export function textClass(nodes: readonly RichNode[]): string {
  const isLong = nodes.some(({ type }) => blocks.test(String(type))) || plainText(nodes).length > longestGlance;
  return `typebot-host-bubble text-bubble ${isLong ? "is-text" : ""}`;
}

const blocks = /^(h\d|[uo]l|code_block|blockquote|table)/;

/** About three lines on a computer, or seven on a phone. */
const longestGlance = 280;

function textOf(node: RichNode): string {
  return hasChildren(node) ? nodesOf(node.children).map(textOf).join("") : node.text;
}

function isNode(value: unknown): value is RichNode {
  return isObject(value) && (typeof value["text"] === "string" || Array.isArray(value["children"]));
}
