import { limits } from "../../../limits/index.ts";
import { type Block, type Inline, type ListBlock, readBlocks } from "./blocks.ts";
import { paragraph, type RichNode } from "./nodes.ts";

/**
 * Converts rich text to plain text. Each paragraph and list item is on its own line. The address of a link follows in
 * brackets, unless it equals the link's text. Passing `blocks` avoids converting the nodes again.
 */
export function toPlainText(nodes: readonly RichNode[], blocks: readonly Block[] = readBlocks(nodes)): string {
  return blocks.map(printBlock).join("\n");
}

/** Converts each line of a text to a paragraph. An empty text yields no paragraphs. */
export function nodesFromPlainText(text: string): RichNode[] {
  return linesOf(text, limits.richText.plainLines).map(paragraph);
}

/**
 * Splits a text into lines. Spaces and tabs after the last line break are not a line. Lines beyond the limit become
 * part of the last line.
 */
export function linesOf(text: string, maxLines: number): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  const last = lines.at(-1) ?? "";
  if (/^[ \t]*$/.test(last)) lines.pop();
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), lines.slice(maxLines - 1).join("\n")];
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return printInlines(block.inlines);
    case "list":
      return printList(block);
    case "quote":
      return block.blocks.map(printBlock).join("\n");
    case "code":
      return block.text;
    case "rule":
      return "---";
    case "table":
      return block.rows.map((row) => row.map(({ inlines }) => printInlines(inlines)).join(" | ")).join("\n");
    case "math":
      return block.text;
    case "footnotes":
      return block.notes.map(({ number, blocks }) => `[${number}] ${blocks.map(printBlock).join("\n")}`).join("\n");
  }
}

function printList(list: ListBlock): string {
  return list.items
    .map((item, index) => {
      const marker = list.isOrdered ? `${list.start + index}. ` : "- ";
      const box = item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
      const content = box + item.blocks.map(printBlock).join("\n");
      return (marker + content.replaceAll("\n", `\n${" ".repeat(marker.length)}`)).trimEnd();
    })
    .join("\n");
}

function printInlines(inlines: readonly Inline[]): string {
  return inlines.map(printInline).join("");
}

function printInline(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "break":
      return "\n";
    case "note":
      return `[${inline.number}]`;
    case "image":
      return printAddress(inline.alternative, inline.url);
    case "link":
      return printAddress(printInlines(inline.inlines), inline.url);
  }
}

function printAddress(label: string, url: string): string {
  if (label === "") return url;
  return url === "" || url === label || url === `mailto:${label}` || url === `tel:${label}` || url === `sms:${label}`
    ? label
    : `${label} (${url})`;
}
