import { type Block, type Footnote, type Inline, type ListBlock, readBlocks } from "../interpreter/rich-text/blocks.ts";
import { type Mark, markKind } from "../interpreter/rich-text/marks.ts";
import type { RichNode } from "../interpreter/rich-text/nodes.ts";

/** A text with formatted spans. Positions and lengths are in UTF-16 units, as in JavaScript and Telegram. */
export type MarkedText = { readonly text: string; readonly spans: readonly Span[] };

/**
 * A formatted part of a text. A span neither starts nor ends with white space. `code` and `pre` spans contain no other
 * spans.
 */
export type Span = {
  readonly kind: SpanKind;
  readonly from: number;
  readonly length: number;
  /** The web address of a `link` span. */
  readonly url?: string;
  /** The programming language of a `pre` span. */
  readonly language?: string;
};

export type SpanKind = "bold" | "italic" | "underline" | "strikethrough" | "code" | "pre" | "link" | "quote";

/** Converts rich text to a messenger's format, with each paragraph and list item on its own line. */
export function markedText(nodes: readonly RichNode[]): MarkedText {
  const writer = createWriter();
  printBlocks(readBlocks(nodes), writer);
  return writer.read();
}

export function plainText(text: string): MarkedText {
  return trimmed({ text, spans: [] });
}

/**
 * Returns the label. It is a link if the URL is a web address that differs from the label. An empty label is replaced
 * by the URL.
 */
export function linkText(label: string, url: string): MarkedText {
  const writer = createWriter();
  printLink(label, url, () => writer.write(label), writer);
  return writer.read();
}

/** Joins texts with a separator. Empty texts are skipped. */
export function joined(texts: readonly MarkedText[], between = "\n"): MarkedText {
  const [first, ...others] = texts.filter(({ text }) => text !== "");
  if (!first) return { text: "", spans: [] };
  return others.reduce(
    (all, next) => ({
      text: all.text + between + next.text,
      spans: [...all.spans, ...moved(next.spans, all.text.length + between.length)],
    }),
    first,
  );
}

/** Returns a text that is one span of the given kind. */
export function spanned(kind: SpanKind, text: string): MarkedText {
  return normalised({ text, spans: [{ kind, from: 0, length: text.length }] });
}

export function moved(spans: readonly Span[], by: number): Span[] {
  return spans.map((span) => ({ ...span, from: span.from + by }));
}

type Writer = ReturnType<typeof createWriter>;

function createWriter() {
  let text = "";
  let indent = "";
  const spans: Span[] = [];
  return {
    write(words: string): void {
      text += indent === "" ? words : words.replaceAll("\n", `\n${indent}`);
    },
    /** Adds a span around the text that `print` writes. */
    within(span: Omit<Span, "from" | "length">, print: () => void): void {
      const from = text.length;
      print();
      spans.push({ ...span, from, length: text.length - from });
    },
    /** Indents the text that `print` writes, except for its first line. */
    indented(by: string, print: () => void): void {
      const before = indent;
      indent += by;
      print();
      indent = before;
    },
    read: (): MarkedText => trimmed(normalised({ text, spans })),
  };
}

function printBlocks(blocks: readonly Block[], writer: Writer): void {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) writer.write("\n");
    printBlock(block, writer);
  }
}

function printBlock(block: Block, writer: Writer): void {
  switch (block.kind) {
    case "paragraph":
      printInlines(block.inlines, writer);
      break;
    case "heading":
      writer.within({ kind: "bold" }, () => printInlines(block.inlines, writer));
      break;
    case "list":
      printList(block, writer);
      break;
    case "quote":
      writer.within({ kind: "quote" }, () => printBlocks(block.blocks, writer));
      break;
    case "code":
      writer.within({ kind: "pre", ...(block.language !== "" && { language: block.language }) }, () =>
        writer.write(block.text),
      );
      break;
    case "rule":
      writer.write("———");
      break;
    case "table":
      printRows(
        block.rows.map((row) => row.map(({ inlines }) => inlines)),
        writer,
      );
      break;
    case "math":
      writer.within({ kind: "code" }, () => writer.write(block.text));
      break;
    case "footnotes":
      printFootnotes(block.notes, writer);
      break;
  }
}

function printList(list: ListBlock, writer: Writer): void {
  for (const [index, item] of list.items.entries()) {
    if (index > 0) writer.write("\n");
    const marker = list.isOrdered ? `${list.start + index}. ` : "- ";
    writer.write(marker + (item.checked === undefined ? "" : item.checked ? "☑ " : "☐ "));
    writer.indented(" ".repeat(marker.length), () => printBlocks(item.blocks, writer));
  }
}

function printRows(rows: readonly (readonly (readonly Inline[])[])[], writer: Writer): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) writer.write("\n");
    for (const [column, inlines] of row.entries()) {
      if (column > 0) writer.write(" · ");
      printInlines(inlines, writer);
    }
  }
}

function printFootnotes(notes: readonly Footnote[], writer: Writer): void {
  for (const [index, { number, blocks }] of notes.entries()) {
    if (index > 0) writer.write("\n");
    writer.write(`[${number}] `);
    printBlocks(blocks, writer);
  }
}

function printInlines(inlines: readonly Inline[], writer: Writer): void {
  for (const inline of inlines) printInline(inline, writer);
}

function printInline(inline: Inline, writer: Writer): void {
  switch (inline.kind) {
    case "text":
      printMarked(inline.text, inline.marks, writer);
      break;
    case "break":
      writer.write("\n");
      break;
    case "note":
      writer.write(`[${inline.number}]`);
      break;
    case "image":
      printLink(inline.alternative, inline.url, () => writer.write(inline.alternative), writer);
      break;
    case "link":
      printLink(wordsOf(inline.inlines), inline.url, () => printInlines(inline.inlines, writer), writer);
      break;
  }
}

function printMarked(text: string, [mark, ...others]: readonly Mark[], writer: Writer): void {
  if (mark === undefined) {
    writer.write(text);
    return;
  }
  const print = () => printMarked(text, others, writer);
  const { messenger: kind } = markKind(mark);
  if (kind === undefined) print();
  else writer.within({ kind }, print);
}

/**
 * Writes a link to a web address. The address of a mail, phone or SMS link is written in brackets after the label. A
 * mail or phone address that equals the label is not repeated. Any other link is written as its label.
 */
function printLink(label: string, url: string, print: () => void, writer: Writer): void {
  const words = /^(?:mailto|tel|sms):(.+)$/is.exec(url)?.[1];
  const isSaid = url === "" || url === label || words === label;
  if (label === "") writer.write(url);
  else if (/^https?:\/\//i.test(url) && !isSaid) writer.within({ kind: "link", url }, print);
  else print();
  if (words !== undefined && !isSaid && label !== "") writer.write(` (${words})`);
}

function wordsOf(inlines: readonly Inline[]): string {
  const writer = createWriter();
  printInlines(inlines, writer);
  return writer.read().text;
}

/** Removes white space at the ends of spans, merges adjacent spans of one kind, and removes spans inside code. */
function normalised({ text, spans }: MarkedText): MarkedText {
  const found: Span[] = [];
  for (const span of spans.map((one) => withoutBlanks(text, one)).toSorted(outerFirst)) {
    if (span.length === 0) continue;
    const before = found.findLast((one) => one.kind === span.kind && one.url === span.url);
    if (before && isOneText(before, span)) {
      found[found.indexOf(before)] = { ...before, length: Math.max(endOf(before), endOf(span)) - before.from };
    } else {
      found.push(span);
    }
  }
  const verbatim = found.filter(({ kind }) => kind === "code" || kind === "pre");
  const isWithinCode = (span: Span) =>
    verbatim.some(
      (code) => code !== span && code.from <= span.from && endOf(span) <= endOf(code) && isInner(span, code),
    );
  return { text, spans: found.filter((span) => !isWithinCode(span)) };
}

/** Returns whether two spans can be merged. Adjacent code blocks and adjacent links stay separate. */
function isOneText(a: Span, b: Span): boolean {
  return b.from < endOf(a) || (b.from === endOf(a) && a.kind !== "pre" && a.kind !== "link");
}

/**
 * Returns whether a span that lies inside the code span is removed. Code blocks are never removed. Inline code is
 * removed only if it is shorter than the code span or inside a code block.
 */
function isInner(span: Span, code: Span): boolean {
  return span.kind !== "pre" && (span.kind !== "code" || span.length < code.length || code.kind === "pre");
}

function withoutBlanks(text: string, span: Span): Span {
  const words = text.slice(span.from, endOf(span));
  const start = words.length - words.trimStart().length;
  return { ...span, from: span.from + start, length: words.trim().length };
}

function outerFirst(a: Span, b: Span): number {
  return a.from - b.from || b.length - a.length;
}

export function endOf({ from, length }: Span): number {
  return from + length;
}

/**
 * Removes empty lines at the beginning and white space at the end. Spaces at the beginning of the first line are kept.
 */
function trimmed({ text, spans }: MarkedText): MarkedText {
  const start = /^(?:[^\S\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const end = text.trimEnd().length;
  if (end <= start) return { text: "", spans: [] };
  return { text: text.slice(start, end), spans: moved(spans, -start) };
}
