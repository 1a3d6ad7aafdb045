import type { RichElement, RichNode } from "../../core/interpreter/rich-text/nodes.ts";
import { isObject } from "./read.ts";

/** The nodes of a text bubble's content; any other node is left out. */
export function nodesOf(value: unknown): readonly RichNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Whether a node has children; any other is a leaf. */
export function hasChildren(node: RichNode): node is RichElement {
  return Array.isArray(node["children"]);
}

/** Whether the text has rare parts: such texts are drawn by a part of the page that is loaded for them. */
export function hasRareNodes(value: unknown): boolean {
  return nodesOf(value).some(
    (node) =>
      node.math === true ||
      node["checked"] !== undefined ||
      /^(table|code_block|math|hr|img|foot.*)$/.test(String(node["type"])) ||
      hasRareNodes(node["children"]),
  );
}

/** The text of rich text, one line for each block. */
export function plainText(value: unknown): string {
  return nodesOf(value).map(textOf).join("\n");
}

/**
 * The class of a bubble with a text. A longer text, or one with lists, code, headings and the like, is laid out as a
 * text on the page.
 */
export function textClass(nodes: readonly RichNode[]): string {
  const isLong = nodes.some(({ type }) => blocks.test(String(type))) || plainText(nodes).length > longestGlance;
  return `typebot-host-bubble text-bubble ${isLong ? "is-text" : ""}`;
}

const blocks = /^(h\d|[uo]l|code_block|blockquote|table)/;

/** Three lines on a computer, seven on a phone. */
const longestGlance = 280;

function textOf(node: RichNode): string {
  return hasChildren(node) ? nodesOf(node.children).map(textOf).join("") : node.text;
}

function isNode(value: unknown): value is RichNode {
  return isObject(value) && (typeof value["text"] === "string" || Array.isArray(value["children"]));
}
