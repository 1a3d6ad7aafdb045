import { type Mark, marksOf } from "./marks.ts";
import { append, isElement, type RichElement, type RichNode, type TextLeaf, textOf } from "./nodes.ts";

/** A block of rich text by its meaning, independent of node types. All printers use these kinds. */
export type Block =
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: HeadingLevel; readonly inlines: readonly Inline[] }
  | ListBlock
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "table"; readonly rows: readonly Row[] }
  /** A formula in TeX. */
  | { readonly kind: "math"; readonly text: string }
  | { readonly kind: "footnotes"; readonly notes: readonly Footnote[] };

export type Row = readonly Cell[];
export type Cell = { readonly isHead: boolean; readonly align: string; readonly inlines: readonly Inline[] };
export type Footnote = { readonly number: number; readonly blocks: readonly Block[] };

export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

export type ListBlock = {
  readonly kind: "list";
  readonly isOrdered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
};

/**
 * An item of a list. `hasOwnContent` is false if a variable's value replaced the item's content line (`lic`).
 * `checked`: the state of a task.
 */
export type ListItem = {
  readonly blocks: readonly Block[];
  readonly hasOwnContent: boolean;
  readonly checked?: boolean;
};

export type Inline =
  | { readonly kind: "text"; readonly text: string; readonly marks: readonly Mark[] }
  | { readonly kind: "break" }
  | { readonly kind: "link"; readonly url: string; readonly inlines: readonly Inline[] }
  | { readonly kind: "note"; readonly number: number }
  | { readonly kind: "image"; readonly url: string; readonly alternative: string };

const noMarks: readonly Mark[] = [];

/**
 * Converts the nodes of `renderRichText` to blocks. Text outside of a block becomes a paragraph, and an unknown element
 * is replaced by its content.
 */
export function readBlocks(nodes: readonly RichNode[]): Block[] {
  return readChildren(nodes, { isInParagraph: false });
}

/**
 * Converts child nodes to blocks. A paragraph contains blocks if a value has replaced a leaf. Paragraphs inside a
 * paragraph continue its line unless two of them are adjacent. Other blocks remain blocks.
 */
function readChildren(nodes: readonly RichNode[], { isInParagraph }: { isInParagraph: boolean }): Block[] {
  const blocks: Block[] = [];
  let line: RichNode[] = [];
  const endLine = () => {
    if (line.length > 0) blocks.push({ kind: "paragraph", inlines: readInlines(line) });
    line = [];
  };
  let previous: RichNode | undefined;
  for (const node of nodes) {
    if (!isBlock(node)) {
      line.push(node);
    } else if (isInParagraph && isLineOfText(node)) {
      if (previous && isBlock(previous)) endLine();
      append(line, node.children);
    } else {
      endLine();
      append(blocks, readBlock(node));
    }
    previous = node;
  }
  endLine();
  return blocks;
}

function readBlock(element: RichElement): Block[] {
  switch (element.type) {
    case "ul":
    case "ol":
      return [readList(element)];
    case "blockquote":
      return [{ kind: "quote", blocks: readChildren(element.children, { isInParagraph: false }) }];
    case "code_block":
      return [{ kind: "code", language: textProperty(element, "lang"), text: readCode(element) }];
    case "hr":
      return [{ kind: "rule" }];
    case "table": {
      const rows = element.children.filter(isElement).map(readRow);
      // Parley always creates tables with a header row, so a table without a header row is not printed as a table.
      return rows[0]?.some(({ isHead }) => isHead)
        ? [{ kind: "table", rows }]
        : readChildren(element.children, { isInParagraph: false });
    }
    case "math":
      return [{ kind: "math", text: textOf(element) }];
    case "footnotes":
      return [{ kind: "footnotes", notes: element.children.filter(isElement).map(readNote) }];
    case "p":
    case "lic":
      return readParagraph(element);
    default:
      return readHeading(element) ?? readChildren(element.children, { isInParagraph: false });
  }
}

function readParagraph(element: RichElement): Block[] {
  const blocks = readChildren(element.children, { isInParagraph: true });
  return blocks.length > 0 ? blocks : [{ kind: "paragraph", inlines: [] }];
}

function readHeading(element: RichElement): Block[] | undefined {
  const level = headingLevels.get(element.type);
  return level && [{ kind: "heading", level, inlines: readInlines(element.children) }];
}

const headingLevels: ReadonlyMap<string, HeadingLevel> = new Map([
  ["h1", 1],
  ["h2", 2],
  ["h3", 3],
  ["h4", 4],
  ["h5", 5],
  ["h6", 6],
]);

function readList(list: RichElement): ListBlock {
  const start = list["start"];
  return {
    kind: "list",
    isOrdered: list.type === "ol",
    start: typeof start === "number" && Number.isSafeInteger(start) && start >= 0 ? start : 1,
    items: list.children.map(readItem),
  };
}

function readItem(node: RichNode): ListItem {
  if (!isElement(node) || node.type !== "li") {
    return { blocks: readChildren([node], { isInParagraph: false }), hasOwnContent: true };
  }
  return {
    blocks: readChildren(node.children, { isInParagraph: false }),
    hasOwnContent: node.children.some((child) => !isBlock(child) || child.type === "lic"),
    ...(typeof node["checked"] === "boolean" && { checked: node["checked"] }),
  };
}

function readRow(row: RichElement): Row {
  return row.children.filter(isElement).map((cell) => ({
    isHead: cell.type === "th",
    align: textProperty(cell, "align"),
    inlines: readInlines(cell.children),
  }));
}

function readNote(note: RichElement): Footnote {
  return { number: numberOf(note), blocks: readChildren(note.children, { isInParagraph: false }) };
}

function numberOf(element: RichElement): number {
  const number = element["number"];
  return typeof number === "number" ? number : 0;
}

function readCode(element: RichElement): string {
  const lines = element.children.filter(isElement);
  return lines.length > 0 ? lines.map(textOf).join("\n") : textOf(element);
}

function readInlines(nodes: readonly RichNode[]): Inline[] {
  const inlines: Inline[] = [];
  let previous: RichNode | undefined;
  for (const node of nodes) {
    if (!isElement(node)) {
      appendLeaf(inlines, node);
    } else if (node.type === "a") {
      inlines.push({ kind: "link", url: node.url ?? "", inlines: readInlines(node.children) });
    } else if (node.type === "footnote_reference") {
      inlines.push({ kind: "note", number: numberOf(node) });
    } else if (node.type === "img") {
      inlines.push({ kind: "image", url: node.url ?? "", alternative: textOf(node) });
    } else {
      if (previous && isBlock(previous)) inlines.push({ kind: "break" });
      append(inlines, readInlines(node.children));
    }
    previous = node;
  }
  return inlines;
}

/**
 * Merges adjacent leaves with the same marks, so that a bold leaf with a variable inside is printed as a single bold
 * text.
 */
function appendLeaf(inlines: Inline[], leaf: TextLeaf): void {
  if (leaf.text === "") return;
  // A leaf that consists of a line break is a hard break.
  if (leaf.text === "\n") {
    inlines.push({ kind: "break" });
    return;
  }
  // Marks on line breaks have no effect.
  const marks = /^\n+$/.test(leaf.text) ? noMarks : marksOf(leaf);
  const last = inlines.at(-1);
  if (last?.kind === "text" && haveSameMarks(last.marks, marks)) {
    inlines[inlines.length - 1] = { kind: "text", text: last.text + leaf.text, marks };
    return;
  }
  inlines.push({ kind: "text", text: leaf.text, marks });
}

function haveSameMarks(left: readonly Mark[], right: readonly Mark[]): boolean {
  return left.length === right.length && left.every((mark, index) => mark === right[index]);
}

/** Whether a node is a block: any element except links, images and footnote references. Unknown elements are blocks. */
function isBlock(node: RichNode): node is RichElement {
  return isElement(node) && !inlineTypes.has(node.type);
}

const inlineTypes = new Set(["a", "img", "footnote_reference"]);

/** Whether a block is a paragraph or an unknown element that contains only text and links. */
function isLineOfText(block: RichElement): boolean {
  return !blockTypes.has(block.type) && !block.children.some(isBlock);
}

const blockTypes = new Set([
  ...["ul", "ol", "li", "blockquote", "code_block", "hr", "table", "math", "footnotes"],
  ...headingLevels.keys(),
]);

function textProperty(element: RichElement, key: string): string {
  const value = element[key];
  return typeof value === "string" ? value : "";
}
