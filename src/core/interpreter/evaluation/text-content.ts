import type { Message } from "../program/outcome.ts";
import type { ContentFormat, View } from "../program/view.ts";
import { readBlocks } from "../rich-text/blocks.ts";
import { toHtml } from "../rich-text/html.ts";
import { toMarkdown } from "../rich-text/markdown.ts";
import type { RichNode, Templating } from "../rich-text/nodes.ts";
import { linesAsHtml, plainLines } from "../rich-text/plain-lines.ts";
import { toPlainText } from "../rich-text/plain-text.ts";
import { prepareRichText } from "../rich-text/prepared.ts";
import { beginRendering, renderNodes } from "../rich-text/render.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";

/** Returns the content of a text bubble in the requested format. The HTML in `html` is safe to insert. */
export function textContent(nodes: readonly RichNode[], format: ContentFormat): Record<string, unknown> {
  if (format === "markdown") return { type: "markdown", markdown: toMarkdown(nodes) };
  const lines = plainLines(nodes);
  if (lines) return { type: "richText", richText: nodes, html: linesAsHtml(lines), plainText: lines.join("\n") };
  const blocks = readBlocks(nodes);
  return { type: "richText", richText: nodes, html: toHtml(nodes, blocks), plainText: toPlainText(nodes, blocks) };
}

/**
 * Prepares a bubble's content, so that its nodes are parsed only once. Content without variables is also rendered only
 * once per format.
 */
export function prepareContent(
  stored: readonly unknown[],
): (templating: () => Templating, format: ContentFormat) => Record<string, unknown> {
  const prepared = prepareRichText(stored);
  const fixed = prepared.flatMap((node) => (node.kind === "fixed" ? [node.node] : []));
  if (fixed.length === prepared.length) return fixedContent(fixed);
  return (templating, format) => textContent(renderNodes(prepared, beginRendering(templating())), format);
}

function fixedContent(nodes: readonly RichNode[]): (_: unknown, format: ContentFormat) => Record<string, unknown> {
  const contents = new Map<ContentFormat, Record<string, unknown>>();
  return (_, format) => {
    const known = contents.get(format);
    if (known) return known;
    const content = textContent(nodes, format);
    contents.set(format, content);
    return content;
  };
}

/** Returns a text bubble with one plain paragraph. In Markdown, the text is inserted unchanged. */
export function textMessage(id: string, text: string, format: ContentFormat): Message {
  if (format === "markdown") return { id, type: "text", content: { type: "markdown", markdown: text } };
  return { id, type: "text", content: textContent([{ type: "p", children: [{ text }] }], format) };
}

/**
 * Returns the text and the bubble that replace a missing model answer. Both are empty if the author configured an empty
 * text.
 */
export function noAnswer(blockId: string, view: View): { readonly text: string; readonly messages: Message[] } {
  const own = view.program.settings.general?.systemMessages?.noAnswer;
  if (own === "") return { text: "", messages: [] };
  const text = view.text(own ?? defaultSystemMessages.noAnswer);
  const message = textMessage(blockId, text, view.contentFormat);
  return { text, messages: [own === undefined ? { ...message, notice: { code: "model.no_answer" } } : message] };
}
