import type { RichElement, RichNode } from "../rich-text/nodes.ts";
import type { Block, Container, Leaf } from "./blocks.ts";
import { type Inlines, readInlines } from "./inlines.ts";
import { begunTable } from "./table.ts";

/** The options for converting blocks. `open`: the block that further text may continue. */
export type Tree = Omit<Inlines, "isOpen"> & {
  readonly open: Leaf | undefined;
  /**
   * Cached nodes of texts without opening brackets. In a long, growing list, the nodes of all items except the last are
   * cached.
   */
  readonly known: Map<string, RichNode[]>;
};

/**
 * Converts blocks to rich text. Up to three blank lines between two blocks become empty paragraphs. Footnotes are
 * omitted because `footnoteOf` converts them.
 */
export function treeOf(blocks: readonly Block[], tree: Tree, previous?: Block): RichElement[] {
  let before = previous;
  return blocks.flatMap((block) => {
    if (block.kind === "footnote") return [];
    const blank = before ? block.begin - before.end - 1 : 0;
    before = block;
    return [
      ...Array.from({ length: Math.min(blank, mostBlankLines) }, () => textBlock("p", "")),
      ...elementsOf(block, tree),
    ];
  });
}

/** The maximum number of consecutive blank lines that are kept, because more blank lines are never intended. */
const mostBlankLines = 3;

/** Returns the content of a footnote with its number. */
export function footnoteOf({ blocks }: Container, number: number, tree: Tree): RichElement {
  return { type: "footnote", number, children: orEmpty(treeOf(blocks, tree)) };
}

/**
 * Converts a block to elements. The last paragraph of a growing answer may be the beginning of a table, and is then
 * displayed as a table.
 */
function elementsOf(block: Block, tree: Tree): RichElement[] {
  if (block !== tree.open || block.kind !== "paragraph") return [elementOf(block, tree)];
  const begun = begunTable(block.lines);
  if (!begun) return [elementOf(block, tree)];
  const { lines, aligns, head } = begun;
  const { begin, end } = block;
  const table: Leaf = { kind: "table", aligns, rows: [head], begin, end };
  const words = lines.length > 0 ? [elementOf({ kind: "paragraph", lines, begin, end }, tree)] : [];
  return [...words, elementOf(table, { ...tree, open: table })];
}

function elementOf(block: Block, tree: Tree): RichElement {
  const inlines = (text: string, isOpen = block === tree.open): RichNode[] => inlinesOf(text, tree, isOpen);
  switch (block.kind) {
    case "paragraph":
      return { type: "p", children: inlines(textOf(block.lines)) };
    case "heading":
      return { type: `h${block.level}`, children: inlines(block.text) };
    case "rule":
      return textBlock("hr", "");
    case "code":
      return codeOf(block);
    case "math": {
      const text = block.lines.join("\n");
      if (!block.isClosed && block !== tree.open) return { type: "p", children: inlines(text) };
      return textBlock("math", text.slice(2, block.isClosed ? -2 : undefined).trim());
    }
    case "table": {
      const { rows, aligns } = block;
      const isGrowing = block === tree.open;
      const cell = (text: string, column: number, row: number): RichElement => ({
        type: row === 0 ? "th" : "td",
        ...(aligns[column] && { align: aligns[column] }),
        children: inlines(text, isGrowing && row === rows.length - 1),
      });
      const rowOf = (cells: readonly string[], row: number): RichElement => ({
        type: "tr",
        children: cells.map((text, column) => cell(text, column, row)),
      });
      return { type: "table", children: rows.map(rowOf) };
    }
    case "list":
      return {
        type: block.start === undefined ? "ul" : "ol",
        ...(block.start !== undefined && block.start !== 1 && { start: block.start }),
        children: block.blocks.map((item) => itemOf(item, tree)),
      };
    case "item":
      return itemOf(block, tree);
    case "document":
    case "footnote":
    case "quote":
      return { type: "blockquote", children: orEmpty(treeOf(block.blocks, tree)) };
    default:
      return block satisfies never;
  }
}

function codeOf({ language, lines, isClosed, fence }: Leaf & { kind: "code" }): RichElement {
  const shown = [...lines];
  if (!isClosed && fence) while (shown.at(-1)?.trim() === "") shown.pop();
  const children = (shown.length > 0 ? shown : [""]).map((line) => textBlock("code_line", line));
  return { type: "code_block", ...(language && { lang: language }), children };
}

/**
 * Converts a list item. If the item starts with a paragraph, the paragraph becomes its content line, which may start
 * with the checkbox of a task.
 */
function itemOf(item: Block, tree: Tree): RichElement {
  const [first, ...rest] = "blocks" in item ? item.blocks : [];
  if (!first) return { type: "li", children: [textBlock("lic", "")] };
  if (first.kind !== "paragraph")
    return { type: "li", children: [first, ...rest].map((block) => elementOf(block, tree)) };
  const text = textOf(first.lines);
  const [box, mark] = /^\[([ \nxX])\][ \t\n]+(?=\S)/.exec(text) ?? [];
  const content = inlinesOf(box ? text.slice(box.length) : text, tree, first === tree.open);
  return {
    type: "li",
    ...(mark && { checked: mark.toLowerCase() === "x" }),
    children: [{ type: "lic", children: content }, ...rest.map((block) => elementOf(block, tree))],
  };
}

function inlinesOf(text: string, tree: Tree, isOpen: boolean): RichNode[] {
  const known = isOpen ? undefined : tree.known.get(text);
  if (known) return known;
  const nodes = readInlines(text, { ...tree, isOpen });
  if (!isOpen && !text.includes("[")) tree.known.set(text, nodes);
  return nodes;
}

function textOf(lines: readonly string[]): string {
  return lines.join("\n").replace(/[ \t]+$/, "");
}

/**
 * Returns the nodes, or an empty paragraph if there are none. Clients expect every element of rich text to contain at
 * least one node.
 */
function orEmpty(nodes: RichNode[]): RichNode[] {
  return nodes.length > 0 ? nodes : [textBlock("p", "")];
}

function textBlock(type: string, text: string): RichElement {
  return { type, children: [{ text }] };
}
