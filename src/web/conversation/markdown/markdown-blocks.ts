import type { RichNode } from "../../../core/interpreter/rich-text/nodes.ts";
import { readInlines } from "./markdown-inlines.ts";

/** A block of a text, and its first and last line. */
export type Block = {
  readonly node: RichNode;
  readonly begin: number;
  readonly end: number;
  /** Whether its last line is one of a paragraph, which a line without a mark of its own continues. */
  readonly isContinued: boolean;
};

type Reading = {
  /** More is to come behind the last line. */
  readonly isOpen: boolean;
  readonly depth: number;
};

/** Each blank line before a block is an empty paragraph. */
export function withBlankLines(blocks: readonly Block[]): RichNode[] {
  let line = 0;
  return blocks.flatMap(({ node, begin, end }) => {
    const blank = Array.from({ length: begin - line }, () => textBlock("p", ""));
    line = end + 1;
    return [...blank, node];
  });
}

/** The blocks of these lines, with CommonMark's marks but for HTML, tables and indented code. */
export function readBlocks(lines: readonly string[], reading: Reading): Block[] {
  const blocks: Block[] = [];
  let place = { lines, at: 0, reading };
  const readers = reading.depth < maxDepth ? [...containers, ...leaves] : leaves;
  while (place.at < lines.length) {
    if (isBlank(lines[place.at])) {
      place = { ...place, at: place.at + 1 };
      continue;
    }
    let block: Block | undefined;
    for (const read of readers) block ??= read(place);
    block ??= readParagraph(place);
    blocks.push(block);
    place = { ...place, at: block.end + 1 };
  }
  return blocks;
}

/** As deep as the service reads quotes and lists. */
const maxDepth = 32;

type Place = { readonly lines: readonly string[]; readonly at: number; readonly reading: Reading };

const rule = /^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const heading = /^[ \t]*(#{1,6})(?:[ \t]+(.*))?$/;
const fence = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/;
const quote = /^[ \t]*>[ \t]?/;
const item = /^([ \t]*(?:([-+*])|(\d{1,9})([.)])))(?:([ \t]+)(?=[^ \t])|[ \t]*$)/;
const underline = /^[ \t]*(=+|-+)[ \t]*$/;

/** What ends a paragraph without a blank line: a list has to begin with words, and with 1. */
function endsParagraph(line: string): boolean {
  const isBlock = rule.test(line) || heading.test(line) || fence.test(line) || quote.test(line);
  return isBlock || /^[ \t]*(?:[-+*]|1[.)])[ \t]+[^ \t]/.test(line);
}

function readRule({ lines, at }: Place): Block | undefined {
  if (!rule.test(lines[at] ?? "")) return undefined;
  return { node: textBlock("hr", ""), begin: at, end: at, isContinued: false };
}

function readHeading({ lines, at, reading }: Place): Block | undefined {
  const found = heading.exec(lines[at] ?? "");
  if (!found) return undefined;
  const [, marks = "", rest = ""] = found;
  const text = rest.replace(/(?:^|[ \t]+)#+[ \t]*$/, "").trim();
  const children = readInlines(text, { isOpen: isLast({ lines, at, reading }) });
  return { node: { type: `h${marks.length}`, children }, begin: at, end: at, isContinued: false };
}

function readFence({ lines, at }: Place): Block | undefined {
  const found = fence.exec(lines[at] ?? "");
  if (!found) return undefined;
  const [, indent = "", marks = "", language] = found;
  const closing = new RegExp(`^[ \\t]*${marks[0]}{${marks.length},}[ \\t]*$`);
  const rest = lines.slice(at + 1);
  const length = rest.findIndex((line) => closing.test(line));
  const code = length < 0 ? rest : rest.slice(0, length);
  const children = (code.length > 0 ? code : [""]).map((line) =>
    textBlock("code_line", outdented(line, indent.length) ?? line.trimStart()),
  );
  const end = length < 0 ? lines.length - 1 : at + length + 1;
  return {
    node: { type: "code_block", ...(language && { lang: language }), children },
    ...{ begin: at, end, isContinued: false },
  };
}

function readQuote({ lines, at, reading }: Place): Block | undefined {
  const inner: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    if (quote.test(line)) inner.push(line.replace(quote, ""));
    else if (isContinuing(line, inner, reading)) inner.push(continuing(line));
    else break;
  }
  if (next === at) return undefined;
  const isOpen = isLast({ lines, at: next - 1, reading });
  const blocks = readBlocks(inner, { isOpen, depth: reading.depth + 1 });
  const first = blocks[0]?.begin ?? 0;
  const nodes = withBlankLines(blocks.map((block) => moved(block, -first)));
  const children = nodes.length > 0 ? nodes : [textBlock("p", "")];
  return {
    node: { type: "blockquote", children },
    ...{ begin: at, end: next - 1, isContinued: isContinuable(blocks, inner) },
  };
}

function readList({ lines, at, reading }: Place): Block | undefined {
  const first = itemAt(lines[at]);
  if (!first) return undefined;
  const items: RichNode[] = [];
  let isContinued = false;
  let end = at;
  for (let next = at; next < lines.length; ) {
    const found = itemAt(lines[next]);
    if (!found || found.kind !== first.kind) break;
    const inner = [found.text];
    for (next += 1; next < lines.length; next++) {
      const line = lines[next] ?? "";
      const own = outdented(line, found.size);
      if (isBlank(line)) {
        // An item that begins with a blank line ends with another.
        if (inner.every(isBlank)) break;
        inner.push("");
      } else if (own !== undefined) inner.push(own);
      else if (isContinuing(line, inner, reading)) inner.push(continuing(line));
      else break;
    }
    const length = inner.findLastIndex((line) => !isBlank(line)) + 1;
    end = next - inner.length + Math.max(1, length) - 1;
    const isOpen = isLast({ lines, at: end, reading });
    const blocks = readBlocks(inner.slice(0, length), { isOpen, depth: reading.depth + 1 });
    isContinued = isContinuable(blocks, inner);
    items.push(listItem(blocks));
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  const { start } = first;
  const type = start === undefined ? "ul" : "ol";
  return {
    node: { type, ...(start !== undefined && start !== 1 && { start }), children: items },
    ...{ begin: at, end, isContinued },
  };
}

const containers = [readQuote, readRule, readList];
const leaves = [readRule, readHeading, readFence];

/** The mark that a line begins an item with, which is the same in all of a list, and the item's own text, so many columns further on. */
function itemAt(line = "") {
  const found = rule.test(line) ? null : item.exec(line);
  if (!found) return undefined;
  const [, marks = "", bullet, number, delimiter, space = " "] = found;
  const prefix = marks + space;
  const start = number === undefined ? undefined : Number(number);
  return { kind: bullet ?? delimiter, start, size: columns(prefix), text: line.slice(prefix.length) };
}

/** The first paragraph of an item is its line of content. */
function listItem(blocks: readonly Block[]): RichNode {
  const nodes = blocks.map(({ node }) => node);
  const [first] = nodes;
  if (!first) return { type: "li", children: [textBlock("lic", "")] };
  const children = first["type"] === "p" ? [{ ...first, type: "lic" }, ...nodes.slice(1)] : nodes;
  return { type: "li", children };
}

function readParagraph(place: Place): Block {
  const { lines, at } = place;
  let next = at + 1;
  let level = 0;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    level = underline.test(line) ? (line.includes("=") ? 1 : 2) : 0;
    if (level > 0 || isBlank(line) || endsParagraph(line)) break;
  }
  const text = lines
    .slice(at, next)
    .join("\n")
    .replaceAll(/^[ \t]+|[ \t]+$/g, "");
  const end = level > 0 ? next : next - 1;
  const children = readInlines(text, { isOpen: level === 0 && isLast({ ...place, at: end }) });
  return { node: { type: level > 0 ? `h${level}` : "p", children }, begin: at, end, isContinued: level === 0 };
}

/** Whether a line continues the paragraph that the lines before it end with, although it lacks their marks. */
function isContinuing(line: string, inner: readonly string[], { depth }: Reading): boolean {
  if (inner.length === 0 || isBlank(line) || endsParagraph(line) || itemAt(line)) return false;
  return isContinuable(readBlocks(inner, { isOpen: false, depth: depth + 1 }), inner);
}

function isContinuable(blocks: readonly Block[], { length }: readonly string[]): boolean {
  const last = blocks.at(-1);
  return last?.isContinued === true && last.end === length - 1;
}

/** Such a line underlines nothing. */
function continuing(line: string): string {
  return underline.test(line) ? `\\${line.trim()}` : line;
}

function isLast({ lines, at, reading }: Place): boolean {
  return reading.isOpen && at === lines.length - 1;
}

function moved(block: Block, by: number): Block {
  return { ...block, begin: block.begin + by, end: block.end + by };
}

/** A block of one text. */
export function textBlock(type: string, text: string): RichNode {
  return { type, children: [{ text }] };
}

function isBlank(line = ""): boolean {
  return /^[ \t]*$/.test(line);
}

function columns(text: string): number {
  let column = 0;
  for (const character of text) column += character === "\t" ? 4 - (column % 4) : 1;
  return column;
}

/** A line without so many columns of blanks; undefined where it has fewer. */
function outdented(line: string, size: number): string | undefined {
  const blank = /^[ \t]*/.exec(line)?.[0] ?? "";
  let length = 0;
  while (length < blank.length && columns(blank.slice(0, length)) < size) length += 1;
  const width = columns(blank.slice(0, length));
  return width < size ? undefined : " ".repeat(width - size) + line.slice(length);
}
