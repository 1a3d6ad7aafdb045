import type { Message } from "../program/outcome.ts";
import type { ContentFormat, View } from "../program/view.ts";
import { readBlocks } from "../rich-text/blocks.ts";
import { escapeHtml, toHtml } from "../rich-text/html.ts";
import { toMarkdown } from "../rich-text/markdown.ts";
import { isElement, type RichNode, type Templating } from "../rich-text/nodes.ts";
import { toPlainText } from "../rich-text/plain-text.ts";
import { type PreparedNode, prepareRichText } from "../rich-text/prepared.ts";
import { beginRendering, renderNodes } from "../rich-text/render.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";

/** The content of a text bubble in the format that the caller asked for. `html` is safe to insert. */
export function textContent(nodes: readonly RichNode[], format: ContentFormat): Record<string, unknown> {
  if (format === "markdown") return { type: "markdown", markdown: toMarkdown(nodes) };
  const blocks = readBlocks(nodes);
  return { type: "richText", richText: nodes, html: toHtml(nodes, blocks), plainText: toPlainText(nodes, blocks) };
}

/** The content of a text bubble whose nodes are read once for all visitors. */
export function prepareContent(
  stored: readonly unknown[],
): (templating: () => Templating, format: ContentFormat) => Record<string, unknown> {
  const prepared = prepareRichText(stored);
  const fixed = fixedNodes(prepared);
  if (fixed) {
    const contents = new Map<ContentFormat, Record<string, unknown>>();
    return (_, format) => {
      const known = contents.get(format);
      if (known) return known;
      const content = textContent(fixed, format);
      contents.set(format, content);
      return content;
    };
  }
  return (templating, format) => {
    const nodes = renderNodes(prepared, beginRendering(templating()));
    const lines = format === "richText" ? plainLines(nodes) : undefined;
    if (!lines) return textContent(nodes, format);
    let html = "";
    for (const line of lines) html += `<p>${escapeHtml(line) || "<br>"}</p>`;
    return { type: "richText", richText: nodes, html, plainText: lines.join("\n") };
  };
}

/** The nodes of a bubble without variables. */
function fixedNodes(prepared: readonly PreparedNode[]): RichNode[] | undefined {
  const nodes = prepared.flatMap((node) => (node.kind === "fixed" ? [node.node] : []));
  return nodes.length === prepared.length ? nodes : undefined;
}

/** The lines of a bubble that is nothing but paragraphs of one line, without marks and links, as most with variables are. */
function plainLines(nodes: readonly RichNode[]): string[] | undefined {
  const lines: string[] = [];
  for (const node of nodes) {
    const line = isElement(node) && node.type === "p" ? plainLine(node.children) : undefined;
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

function plainLine(leaves: readonly RichNode[]): string | undefined {
  let line = "";
  for (const leaf of leaves) {
    for (const key in leaf) if (key !== "text") return undefined;
    if (isElement(leaf)) return undefined;
    line += leaf.text;
  }
  return line.includes("\n") || line.includes("\r") ? undefined : line;
}

/** A text bubble of one plain paragraph. Markdown takes the text as it is. */
export function textMessage(id: string, text: string, format: ContentFormat): Message {
  if (format === "markdown") return { id, type: "text", content: { type: "markdown", markdown: text } };
  return { id, type: "text", content: textContent([{ type: "p", children: [{ text }] }], format) };
}

/** The text that the visitor reads in place of a bubble with a model's answer. The author may leave it empty. */
export function noAnswer(blockId: string, view: View): { readonly text: string; readonly messages: Message[] } {
  const own = view.program.settings.general?.systemMessages?.noAnswer;
  if (own === "") return { text: "", messages: [] };
  const text = view.text(own ?? defaultSystemMessages.noAnswer);
  const message = textMessage(blockId, text, view.contentFormat);
  return { text, messages: [own === undefined ? { ...message, notice: { code: "model.no_answer" } } : message] };
}
