import type { RichNode } from "../../../core/interpreter/rich-text/nodes.ts";
import { safeSource } from "../../conversation/links.ts";
import { noticeText } from "../../conversation/notice.ts";
import { at, filledTextAt, textAt } from "../../conversation/read.ts";
import { hasChildren, nodesOf } from "../../conversation/rich-text.ts";
import type { Bubble } from "../../conversation/step.ts";
import type { Answer, Entry } from "../../conversation/transcript.ts";
import { unfinishedText } from "../../conversation/unfinished.ts";
import type { Words } from "../../conversation/words.ts";
import { shownText } from "../Answer.tsx";

export type TranscriptContext = { readonly title: string; readonly words: Words; readonly now: Date };

/** Formats a conversation as plain text. Each message is a paragraph that begins with the speaker. */
export function transcriptText(entries: readonly Entry[], context: TranscriptContext): string {
  const { title, words, now } = context;
  const time = new Intl.DateTimeFormat(words.language, { dateStyle: "long", timeStyle: "short" }).format(now);
  const said = entries.map((entry) => paragraphOf(entry, context)).filter((paragraph) => paragraph !== "");
  return `${[title, time, ...said].join("\n\n")}\n`;
}

/** Returns the file name of a saved transcript. */
export function transcriptName(title: string): string {
  return `${title.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim() || "chat"}.txt`;
}

function paragraphOf(entry: Entry, { title, words }: TranscriptContext): string {
  const spoken = (speaker: string, text: string): string => (text === "" ? "" : `${speaker}: ${text}`);
  switch (entry.kind) {
    case "bubble":
      return spoken(title, bubbleText(entry.bubble, words));
    case "answer":
      return spoken(words.you, answerText(entry.answer, words));
    case "note":
      return [entry.text, entry.link].filter(Boolean).join(" ");
    case "question":
      return "";
    default:
      return entry satisfies never;
  }
}

/** Returns a bubble's text. For a picture, video or page, returns its description and URL. */
function bubbleText(bubble: Bubble, words: Words): string {
  const { content, notice, unfinished } = bubble;
  if (notice) return noticeText(notice, words);
  if (bubble.type === "text")
    return [textOf(content).trim(), unfinishedText(unfinished, words)].filter(Boolean).join("\n");
  return [filledTextAt(content, "alt"), safeSource(textAt(content, "url"))].filter(Boolean).join(" ");
}

/**
 * Returns the plain text that the service sends together with the tree. It contains the rows of tables. If there is no
 * such text, returns the text of the tree.
 */
function textOf(content: unknown): string {
  return textAt(content, "plainText") ?? nodesOf(at(content, "richText")).map(linesOf).join("\n");
}

function linesOf(node: RichNode): string {
  if (!hasChildren(node)) return node.text;
  const joint = lineParents.has(node.type) ? "\n" : node.type === "tr" ? " | " : "";
  return nodesOf(node.children).map(linesOf).join(joint);
}

const lineParents = new Set(["ul", "ol", "li", "blockquote", "code_block", "table", "footnotes", "footnote"]);

function answerText(answer: Answer, words: Words): string {
  return [shownText(answer, words), ...answer.files, answer.audioUrl].filter(Boolean).join("\n");
}
