import { limits } from "../../../limits/index.ts";
import { parseMarkdown } from "./markdown-value.ts";
import { isElement, type RichElement, type RichNode, type TextLeaf, textOf } from "./nodes.ts";
import { isPlainLine, mayBeMarkdown, plainBlocks } from "./plain-value.ts";

/**
 * Parses the value of a variable as Markdown blocks. The value is treated as plain text if its Markdown would display
 * nothing (`-` is not an empty list), is nested too deeply, or would take too long to parse.
 */
export function parseValue(text: string): RichElement[] {
  if (!mayBeMarkdown(text) || isCostly(text)) return plainBlocks(text);
  const blocks = parseMarkdown(text);
  return blocks?.some(isVisible) ? blocks : plainBlocks(text);
}

/**
 * Parses a value inside a line to leaves. Blocks are joined without separators, links lose their address, and an empty
 * paragraph becomes two line breaks.
 */
export function parseValueInline(text: string): TextLeaf[] {
  if (isPlainLine(text)) return [{ text }];
  const leaves = parseValue(text).flatMap(leavesOf);
  const isLost = text.trim() !== "" && leaves.every((leaf) => leaf.text.trim() === "");
  return isLost ? plainBlocks(text).flatMap(leavesOf) : leaves;
}

/**
 * Whether the value is too long or contains too much syntax that is slow to parse. The measurements are in
 * `src/limits/chats.ts`.
 */
function isCostly(text: string): boolean {
  if (text.length > limits.richText.markdownCharacters) return true;
  let lines = 1;
  let emphasis = 0;
  let brackets = 0;
  for (const character of text) {
    if (character === "\n" || character === "\r") lines += 1;
    else if (character === "*" || character === "_") emphasis += 1;
    else if (character === "[") brackets += 1;
  }
  if (lines > limits.richText.markdownLines || emphasis > limits.richText.emphasisCharacters) return true;
  return brackets > limits.richText.brackets || tooManyMarkersInALine.test(text);
}

const tooManyMarkersInALine = new RegExp(
  `^(?:[ \\t]*(?:>|[*+-][ \\t]|[0-9]{1,9}[.)][ \\t])){${limits.richText.valueDepth + 1}}`,
  "m",
);

/** Whether any part of a node is visible. */
export function isVisible(node: RichNode): boolean {
  if (!isElement(node)) return node.text.trim() !== "";
  return node.type === "hr" || node.url !== undefined || node.children.some(isVisible);
}

function leavesOf(node: RichNode): TextLeaf[] {
  if (!isElement(node)) return node.text === "" ? [] : [node];
  if (node.type === "code_block") return [{ text: node.children.map(textOf).join("\n") }];
  const isEmptyParagraph = node.type === "p" && node.children.every((child) => !isElement(child) && child.text === "");
  return isEmptyParagraph ? [{ text: "\n\n" }] : node.children.flatMap(leavesOf);
}
