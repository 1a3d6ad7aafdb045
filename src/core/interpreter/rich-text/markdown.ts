import { type Block, type Inline, type ListBlock, type ListItem, type Row, readBlocks } from "./blocks.ts";
import { type Mark, markKind } from "./marks.ts";
import type { RichNode } from "./nodes.ts";

/**
 * Converts rich text to CommonMark. Text is not escaped, so Markdown typed by an author or visitor remains Markdown.
 */
export function toMarkdown(nodes: readonly RichNode[]): string {
  const printed = printBlocks(readBlocks(nodes));
  return printed.endsWith("\n") ? printed.slice(0, -1) : printed;
}

/** Separates blocks with a line break next to a paragraph, and with a blank line between other blocks. */
function printBlocks(blocks: readonly Block[]): string {
  let printed = "";
  let previous: Block | undefined;
  let bullet = "*";
  for (const block of blocks) {
    // The bullet character changes between two consecutive bullet lists, which would otherwise be merged.
    bullet = bullet === "*" && isBulletList(previous) && isBulletList(block) ? "-" : "*";
    if (previous) printed += previous.kind === "paragraph" || block.kind === "paragraph" ? "\n" : "\n\n";
    printed += printBlock(block, bullet);
    previous = block;
  }
  return printed;
}

function isBulletList(block: Block | undefined): boolean {
  return block?.kind === "list" && !block.isOrdered;
}

function printBlock(block: Block, bullet: string): string {
  switch (block.kind) {
    case "paragraph":
      return printInlines(block.inlines);
    case "heading":
      return `${"#".repeat(block.level)} ${printInlines(block.inlines).replaceAll(/\\?\n/g, " ")}`.trimEnd();
    case "list":
      return printList(block, bullet);
    case "quote":
      return printBlocks(block.blocks)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "code":
      return printCode(block.language, block.text);
    case "rule":
      // Asterisks are used because hyphens below a paragraph would turn it into a heading.
      return "***";
    case "table":
      return printTable(block.rows);
    case "math":
      return `$$\n${block.text}\n$$`;
    case "footnotes":
      return block.notes.map(({ number, blocks }) => `[^${number}]: ${indented(printBlocks(blocks), 4)}`).join("\n");
  }
}

function printTable(rows: readonly Row[]): string {
  const [head = [], ...body] = rows.map((row) => row.map(({ inlines }) => printCell(printInlines(inlines))));
  const delimiters = rows[0]?.map(({ align }) => delimiterOf[align] ?? "---") ?? [];
  return [head, delimiters, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const delimiterOf: Readonly<Record<string, string>> = { left: ":--", center: ":-:", right: "--:" };

function printCell(text: string): string {
  return text.replaceAll(/\\?\n/g, "<br>").replaceAll("|", "\\|");
}

function printList(list: ListBlock, bullet: string): string {
  return list.items
    .map((item, index) => printItem(item, list.isOrdered ? `${list.start + index}. ` : `${bullet} `))
    .join("\n");
}

/**
 * Prints a list item. Further lines are indented by the width of the marker: three spaces after `1. `, two after a
 * bullet.
 */
function printItem(item: ListItem, marker: string): string {
  // A value that has replaced the content line is not printed. Existing clients depend on this behaviour.
  const blocks = item.hasOwnContent ? item.blocks : item.blocks.filter((block) => block.kind !== "paragraph");
  const content = indented(printBlocks(blocks), marker.length);
  const box = item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
  return content === "" ? marker.trimEnd() : marker + box + content;
}

function indented(text: string, width: number): string {
  return text.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(width)}`);
}

function printCode(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRunOfBackticks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function printInlines(inlines: readonly Inline[]): string {
  return inlines.map(printInline).join("");
}

function printInline(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return printText(inline.text, inline.marks);
    case "break":
      return "\\\n";
    case "link":
      return printLink(printInlines(inline.inlines), inline.url);
    case "note":
      return `[^${inline.number}]`;
    case "image":
      return `![${inline.alternative}](${printAddress(inline.url)})`;
  }
}

function printLink(label: string, url: string): string {
  if (label === "") return url;
  return url === "" ? label : `[${label}](${printAddress(url)})`;
}

/** Encodes the white space in a URL, because white space would end the URL. */
function printAddress(url: string): string {
  return url.replaceAll(/\s/g, encodeURIComponent);
}

/**
 * Prints a text with its marks. Surrounding white space is placed outside of the marks, because `** bold **` would not
 * be bold.
 */
function printText(text: string, marks: readonly Mark[]): string {
  if (marks.length === 0) return text;
  const marked = text.trim();
  if (marked === "") return text;
  const start = text.length - text.trimStart().length;
  return text.slice(0, start) + marks.reduce(wrap, marked) + text.slice(start + marked.length);
}

function wrap(text: string, mark: Mark): string {
  const { markdown, isVerbatim } = markKind(mark);
  if (isVerbatim) return wrapCode(text);
  return markdown + text + markdown.replace("<", "</");
}

function wrapCode(text: string): string {
  const fence = "`".repeat(longestRunOfBackticks(text) + 1);
  const padding = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return fence + padding + text + padding + fence;
}

function longestRunOfBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
