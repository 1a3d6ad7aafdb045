import type { List, ListItem, PhrasingContent, RootContent } from "mdast";
import type * as Markdown from "mdast-util-from-markdown";
import { limits } from "../../../limits/index.ts";
import type { Marks } from "./marks.ts";
import { paragraph, type RichElement, type RichNode } from "./nodes.ts";
import { safeAddress } from "./safe-address.ts";

/**
 * Converts Markdown to blocks, with empty paragraphs for blank lines. Returns undefined if the text is nested too
 * deeply.
 */
export function parseMarkdown(text: string): RichElement[] | undefined {
  const root = reader().fromMarkdown(text.replaceAll(/\r\n?/g, "\n"), parserOptions);
  if (isDeeper(root.children, limits.richText.valueDepth)) return undefined;
  return convertBlocks(root.children, { before: 0, after: root.position?.end.line ?? 0 });
}

/** The parser is loaded when the first text is parsed, because it has 62 files. */
const reader = (): typeof Markdown => require("mdast-util-from-markdown");

/**
 * Raw HTML, `<https://…>`, indented lines and definitions (`[note]: like this`, which would disappear) are treated as
 * plain text.
 */
const parserOptions: Markdown.Options = {
  extensions: [{ disable: { null: ["htmlFlow", "htmlText", "autolink", "definition", "codeIndented"] } }],
};

function isDeeper(nodes: readonly RootContent[], levels: number): boolean {
  return nodes.some((node) => {
    if (node.type !== "blockquote" && node.type !== "list" && node.type !== "listItem") return false;
    return levels === 0 || isDeeper(node.children, levels - 1);
  });
}

/** The line numbers before and after the blocks. Blank lines are counted from the distances between blocks. */
type Surroundings = { readonly before: number; readonly after: number };

function convertBlocks(nodes: readonly RootContent[], { before, after }: Surroundings): RichElement[] {
  const blocks: RichElement[] = [];
  let line = before;
  for (const node of nodes) {
    blocks.push(...emptyParagraphs(line, node.position?.start.line ?? line));
    blocks.push(...convertBlock(node));
    line = node.position?.end.line ?? line;
  }
  blocks.push(...emptyParagraphs(line, after));
  return blocks;
}

function emptyParagraphs(lineBefore: number, lineAfter: number): RichElement[] {
  return Array.from({ length: Math.max(0, lineAfter - lineBefore - 1) }, () => paragraph(""));
}

function convertBlock(node: RootContent): RichElement[] {
  switch (node.type) {
    case "paragraph":
      return [{ type: "p", children: convertInlines(node.children, {}) }];
    case "heading":
      return [{ type: `h${node.depth}`, children: convertInlines(node.children, {}) }];
    case "blockquote":
      return [{ type: "blockquote", children: convertContained(node.children) }];
    case "list":
      return [convertList(node)];
    case "code":
      return [
        {
          type: "code_block",
          ...(node.lang && { lang: node.lang }),
          children: node.value.split("\n").map((line) => ({ type: "code_line", children: [{ text: line }] })),
        },
      ];
    case "thematicBreak":
      return [{ type: "hr", children: [{ text: "" }] }];
    default:
      // Without raw HTML and definitions, the parser returns no other nodes.
      return [];
  }
}

function convertContained(nodes: readonly RootContent[]): RichNode[] {
  const first = nodes[0]?.position?.start.line ?? 1;
  const last = nodes.at(-1)?.position?.end.line ?? 1;
  return orEmptyLeaf(convertBlocks(nodes, { before: first - 1, after: last + 1 }));
}

function convertList(list: List): RichElement {
  const start = list.ordered && typeof list.start === "number" && list.start !== 1 ? { start: list.start } : {};
  return { type: list.ordered ? "ol" : "ul", ...start, children: list.children.map(convertItem) };
}

/**
 * Converts a list item. If the item starts with a paragraph, the paragraph becomes its content line, followed by nested
 * lists and further blocks.
 */
function convertItem(item: ListItem): RichElement {
  const [first, ...rest] = item.children;
  if (!first) return { type: "li", children: [{ type: "lic", children: [{ text: "" }] }] };
  if (first.type !== "paragraph") return { type: "li", children: item.children.flatMap(convertBlock) };
  const content: RichElement = { type: "lic", children: convertInlines(first.children, {}) };
  return { type: "li", children: [content, ...rest.flatMap(convertBlock)] };
}

function convertInlines(nodes: readonly PhrasingContent[], marks: Marks): RichNode[] {
  return orEmptyLeaf(nodes.flatMap((node) => convertInline(node, marks)));
}

function convertInline(node: PhrasingContent, marks: Marks): RichNode[] {
  switch (node.type) {
    case "text":
      return [{ text: node.value, ...marks }];
    case "inlineCode":
      return [{ text: node.value, ...marks, code: true }];
    case "break":
      return [{ text: "\n", ...marks }];
    case "strong":
      return convertInlines(node.children, { ...marks, bold: true });
    case "emphasis":
      return convertInlines(node.children, { ...marks, italic: true });
    case "link":
      return [{ type: "a", url: safeAddress(node.url), children: convertInlines(node.children, marks) }];
    case "image":
      // The text is shown by clients that do not support images.
      return [{ type: "img", url: safeAddress(node.url), children: [{ text: node.alt ?? "", ...marks }] }];
    default:
      return [];
  }
}

/**
 * Returns the nodes, or an empty leaf if there are none. Clients expect every element of rich text to contain at least
 * one node.
 */
function orEmptyLeaf(nodes: RichNode[]): RichNode[] {
  return nodes.length > 0 ? nodes : [{ text: "" }];
}
