import type { Message } from "../program/outcome.ts";
import type { ContentFormat, View } from "../program/view.ts";
import { readBlocks } from "../rich-text/blocks.ts";
import { toHtml } from "../rich-text/html.ts";
import { toMarkdown } from "../rich-text/markdown.ts";
import type { RichNode } from "../rich-text/nodes.ts";
import { toPlainText } from "../rich-text/plain-text.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";

/** The content of a text bubble in the format that the caller asked for. `html` is safe to insert. */
export function textContent(nodes: readonly RichNode[], format: ContentFormat): Record<string, unknown> {
  if (format === "markdown") return { type: "markdown", markdown: toMarkdown(nodes) };
  const blocks = readBlocks(nodes);
  return { type: "richText", richText: nodes, html: toHtml(nodes, blocks), plainText: toPlainText(nodes, blocks) };
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
