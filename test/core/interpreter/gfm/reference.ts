import type { ListItem, PhrasingContent, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { isElement, type RichNode } from "../../../../src/core/interpreter/rich-text/nodes.ts";

/**
 * Parses a text with the reference parser of GitHub's Markdown, without raw HTML. Returns rich text without empty
 * paragraphs.
 */
export function readByReference(text: string): RichNode[] {
  const root = fromMarkdown(text, {
    extensions: [gfm(), { disable: { null: ["htmlFlow", "htmlText"] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const urls = new Map<string, string>();
  const notes = new Map<string, number>();
  const collect = (node: RootContent): void => {
    if (node.type === "definition" && !urls.has(node.identifier)) urls.set(node.identifier, node.url);
    if ("children" in node) for (const child of node.children) collect(child);
  };
  root.children.forEach(collect);
  const converting: Converting = { urls, notes };
  const nodes = blocksOf(root.children, converting);
  const footnotes: RichNode[] = [];
  for (const [identifier, number] of notes) {
    const note = root.children.find((node) => node.type === "footnoteDefinition" && node.identifier === identifier);
    if (note?.type === "footnoteDefinition")
      footnotes.push({ type: "footnote", number, children: blocksOf(note.children, converting) });
  }
  return comparable([...nodes, ...(footnotes.length > 0 ? [{ type: "footnotes", children: footnotes }] : [])]);
}

/** Returns rich text without empty paragraphs and empty leaves. Adjacent leaves with the same marks are joined. */
export function comparable(nodes: readonly RichNode[]): RichNode[] {
  const all: RichNode[] = [];
  for (const node of nodes) {
    if (isElement(node)) {
      const children = node.type === "code_line" ? node.children : comparable(node.children);
      if (["p", "lic"].includes(node.type) && children.length === 0) continue;
      all.push({ ...node, children });
      continue;
    }
    const { text, ...marks } = node;
    const last = all.at(-1);
    if (last && !isElement(last)) {
      const { text: before, ...lastMarks } = last;
      if (Bun.deepEquals(marks, lastMarks)) {
        last.text = before + text;
        continue;
      }
    }
    if (text !== "") all.push({ ...node });
  }
  return all;
}

type Converting = { readonly urls: ReadonlyMap<string, string>; readonly notes: Map<string, number> };

function blocksOf(nodes: readonly RootContent[], converting: Converting): RichNode[] {
  return nodes.flatMap((node) => blockOf(node, converting));
}

function blockOf(node: RootContent, converting: Converting): RichNode[] {
  const inlines = (children: readonly PhrasingContent[]) => inlinesOf(children, converting, {});
  switch (node.type) {
    case "paragraph":
      return [{ type: "p", children: inlines(node.children) }];
    case "heading":
      return [{ type: `h${node.depth}`, children: inlines(node.children) }];
    case "thematicBreak":
      return [{ type: "hr", children: [{ text: "" }] }];
    case "blockquote":
      return [{ type: "blockquote", children: blocksOf(node.children, converting) }];
    case "code":
      return [
        {
          type: "code_block",
          ...(node.lang && { lang: node.lang }),
          children: node.value.split("\n").map((line) => ({ type: "code_line", children: [{ text: line }] })),
        },
      ];
    case "list":
      return [
        {
          type: node.ordered ? "ol" : "ul",
          ...(node.ordered && typeof node.start === "number" && node.start !== 1 && { start: node.start }),
          children: node.children.map((item) => itemOf(item, converting)),
        },
      ];
    case "table":
      return [
        {
          type: "table",
          children: node.children.map((row, index) => ({
            type: "tr",
            // GitHub ignores cells beyond the columns of the table's head.
            children: row.children.slice(0, node.children[0]?.children.length).map((cell, column) => ({
              type: index === 0 ? "th" : "td",
              ...(node.align?.[column] && { align: node.align[column] }),
              children: inlines(cell.children),
            })),
          })),
        },
      ];
    default:
      return [];
  }
}

function itemOf(item: ListItem, converting: Converting): RichNode {
  const [first, ...rest] = item.children;
  const checked = typeof item.checked === "boolean" && { checked: item.checked };
  if (first?.type !== "paragraph") return { type: "li", ...checked, children: blocksOf(item.children, converting) };
  const content = { type: "lic", children: inlinesOf(first.children, converting, {}) };
  return { type: "li", ...checked, children: [content, ...blocksOf(rest, converting)] };
}

function inlinesOf(nodes: readonly PhrasingContent[], converting: Converting, marks: object): RichNode[] {
  return nodes.flatMap((node): RichNode[] => {
    const inside = (more: object) =>
      "children" in node ? inlinesOf(node.children, converting, { ...marks, ...more }) : [];
    switch (node.type) {
      case "text":
        return [{ text: node.value, ...marks }];
      case "inlineCode":
        // In code, the end of a line becomes a space.
        return [{ text: node.value.replaceAll("\n", " "), ...marks, code: true }];
      case "break":
        return [{ text: "\n", ...marks }];
      case "strong":
        return inside({ bold: true });
      case "emphasis":
        return inside({ italic: true });
      case "delete":
        return inside({ strikethrough: true });
      case "link":
        return [{ type: "a", url: node.url, children: inside({}) }];
      case "linkReference":
        return [{ type: "a", url: converting.urls.get(node.identifier) ?? "", children: inside({}) }];
      case "image":
        return [{ type: "img", url: node.url, children: [{ text: node.alt ?? "", ...marks }] }];
      case "imageReference":
        return [
          {
            type: "img",
            url: converting.urls.get(node.identifier) ?? "",
            children: [{ text: node.alt ?? "", ...marks }],
          },
        ];
      case "footnoteReference": {
        const number = converting.notes.get(node.identifier) ?? converting.notes.size + 1;
        converting.notes.set(node.identifier, number);
        return [{ type: "footnote_reference", number, children: [{ text: String(number), ...marks }] }];
      }
      default:
        return [];
    }
  });
}
