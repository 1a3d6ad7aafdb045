import { type Block, type Cell, type Inline, type ListBlock, type ListItem, type Row, readBlocks } from "./blocks.ts";
import { type Mark, markKind } from "./marks.ts";
import type { RichNode } from "./nodes.ts";

/**
 * Converts rich text to HTML that is safe to insert into a page. Only the tags below are used, all text is escaped, and
 * only web, mail and telephone addresses are allowed. Passing `blocks` avoids converting the nodes again.
 */
export function toHtml(nodes: readonly RichNode[], blocks: readonly Block[] = readBlocks(nodes)): string {
  return printBlocks(blocks);
}

function printBlocks(blocks: readonly Block[]): string {
  return blocks.map(printBlock).join("");
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${printInlines(block.inlines) || "<br>"}</p>`;
    case "heading":
      return `<h${block.level}>${printInlines(block.inlines)}</h${block.level}>`;
    case "list":
      return printList(block);
    case "quote":
      return `<blockquote>${printBlocks(block.blocks)}</blockquote>`;
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case "rule":
      return "<hr>";
    case "table":
      return printTable(block.rows);
    case "math":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case "footnotes":
      return `<ol>${block.notes.map(({ number, blocks }) => `<li value="${number}">${printBlocks(blocks)}</li>`).join("")}</ol>`;
  }
}

function printTable(rows: readonly Row[]): string {
  const print = (some: readonly Row[]): string => some.map((row) => `<tr>${row.map(printCell).join("")}</tr>`).join("");
  const head = rows.filter((row) => row.some(({ isHead }) => isHead));
  const body = rows.filter((row) => !row.some(({ isHead }) => isHead));
  return `<table><thead>${print(head)}</thead><tbody>${print(body)}</tbody></table>`;
}

function printCell({ isHead, align, inlines }: Cell): string {
  const aligned = ["left", "center", "right"].includes(align) ? ` align="${align}"` : "";
  const content = printInlines(inlines);
  return isHead ? `<th scope="col"${aligned}>${content}</th>` : `<td${aligned}>${content}</td>`;
}

function printList(list: ListBlock): string {
  const items = list.items.map(printItem).join("");
  if (!list.isOrdered) return `<ul>${items}</ul>`;
  return list.start === 1 ? `<ol>${items}</ol>` : `<ol start="${list.start}">${items}</ol>`;
}

function printItem(item: ListItem): string {
  const [first, ...rest] = item.blocks;
  if (first?.kind !== "paragraph") return `<li>${printBlocks(item.blocks)}</li>`;
  return `<li>${printBox(item.checked)}${printInlines(first.inlines)}${printBlocks(rest)}</li>`;
}

function printBox(checked: boolean | undefined): string {
  return checked === undefined ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `;
}

function printInlines(inlines: readonly Inline[]): string {
  return inlines.map(printInline).join("");
}

function printInline(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return inline.marks.reduce(wrap, printText(inline.text));
    case "break":
      return "<br>";
    case "link":
      return printLink(printInlines(inline.inlines.map(withoutLinks)), inline.url);
    case "note":
      return `<sup>${inline.number}</sup>`;
    case "image":
      // An image is printed as a link because the browser would otherwise load it from a third party's server without
      // the visitor's action.
      return printLink(printText(inline.alternative), inline.url);
  }
}

/** Removes the URLs of links, and replaces images with their alternative text. HTML does not allow nested links. */
function withoutLinks(inline: Inline): Inline {
  switch (inline.kind) {
    case "link":
      return { kind: "link", url: "", inlines: inline.inlines.map(withoutLinks) };
    case "image":
      return { kind: "text", text: inline.alternative, marks: [] };
    default:
      return inline;
  }
}

function printLink(label: string, url: string): string {
  const address = url.trim();
  const content = label === "" ? escapeHtml(address) : label;
  if (!safeAddress.test(address)) return content;
  return `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer">${content}</a>`;
}

/**
 * Matches an address with a safe scheme. Browsers treat the text before the first colon as the scheme, so an address
 * with one of these prefixes cannot have another scheme.
 */
const safeAddress = /^(?:https?|mailto|tel):/i;

function wrap(html: string, mark: Mark): string {
  const { html: tag } = markKind(mark);
  return `<${tag}>${html}</${tag}>`;
}

function printText(text: string): string {
  return escapeHtml(text).replaceAll(/\r\n|\n|\r/g, "<br>");
}

/** Escapes text for use in HTML and in double-quoted attributes. */
export function escapeHtml(text: string): string {
  return needsEscape.test(text) ? text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "") : text;
}

const needsEscape = /[&<>"']/;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
