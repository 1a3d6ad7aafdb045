import { Type } from "@sinclair/typebox";
import { prepareContent } from "../../interpreter/evaluation/text-content.ts";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { readAnswer } from "../../interpreter/gfm/read.ts";
import { pieces } from "../../interpreter/language/template.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { toMarkdown } from "../../interpreter/rich-text/markdown.ts";
import { markNames } from "../../interpreter/rich-text/marks.ts";
import type { RichNode, Templating } from "../../interpreter/rich-text/nodes.ts";
import { isVisible, parseValue } from "../../interpreter/rich-text/parse-value.ts";
import { nodesFromPlainText } from "../../interpreter/rich-text/plain-text.ts";
import { renderRichText } from "../../interpreter/rich-text/render.ts";
import { textOfHtml } from "../../interpreter/rich-text/text-of-html.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { advanced, helped, option } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  richText: Type.Optional(
    Type.Array(Type.Unknown(), {
      title: "Text",
      description: "The bot's message, with paragraphs, lists and links.",
      widget: "richText",
    }),
  ),
  html: advanced(
    helped(
      "From an older editor; used if there is neither rich nor plain text.",
      option.longText("The text of an older editor as HTML, used if there is neither rich nor plain text."),
    ),
  ),
  plainText: advanced(
    helped(
      "From an older editor; used if there is no rich text.",
      option.longText("The text of an older editor without formatting, used if there is no rich text."),
    ),
  ),
});

const sources = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.String({ pattern: "^S\\d{1,2}$", description: "Id by which the text refers to the source: `[S1]`." }),
      title: Type.String({ description: "Title of the source." }),
      url: Type.Optional(Type.String({ description: "URL of the source, with `http` or `https`." })),
      place: Type.Optional(Type.String({ description: "Position within the source, such as a page." })),
    }),
    { maxItems: 12, description: "The sources of an answer. No block sets them yet." },
  ),
);

const richTextSchema = Type.Object(
  {
    type: Type.Literal("richText", { description: "Marks the format: the text as a tree, which is the default." }),
    richText: Type.Array(Type.Unknown(), {
      description: `The text as a tree of paragraphs, lists, links and marked leaves, with the values of variables in it. A leaf has \`text\` and marks (${markNames.map((mark) => `\`${mark}\``).join(", ")}), an element \`type\` and \`children\`. Answers of models also have \`table\` (of \`tr\` of \`th\` and \`td\`, with \`align\`), \`math\`, \`footnote_reference\`, \`footnotes\` and, in \`li\`, \`checked\`.`,
    }),
    html: Type.String({ description: "The text as HTML, escaped and safe to insert." }),
    plainText: Type.String({ description: "The text without formatting." }),
    sources,
  },
  { $id: "RichTextContent", description: "A text for clients that do not request Markdown." },
);

const markdownSchema = Type.Object(
  {
    type: Type.Literal("markdown", { description: "Marks the format that `textBubbleContentFormat` requests." }),
    markdown: Type.String({ description: "The text, formatted with Markdown." }),
    sources,
  },
  { $id: "MarkdownContent", description: "A text for clients that request Markdown." },
);

export const text = defineBubble({
  type: "text",
  summary: "Shows rich text. The values of variables in it are read as Markdown.",
  content: contentSchema,
  shown: Type.Union([richTextSchema, markdownSchema]),
  show(content) {
    const contentOf = prepareContent(content.richText ?? legacyNodes(content));
    return (view) => contentOf(() => templatingOf(view), view.contentFormat);
  },
  transcript: (shown) => textAt(shown, "markdown") ?? markdownOf(valueAt(shown, "richText")),
  editor: {
    name: "Text",
    icon: "message-square-text",
    words: ["say", "message", "paragraph", "bubble", "markdown"],
    row: ["{content.richText}", "{content.plainText}", "{content.html}"],
    form: [cells("content.richText"), { cells: [{ widget: "follows" }] }],
    related: ["image", "video", "audio", "embed"],
  },
  examples: examples["text"],
});

/**
 * Returns the templating of a flow's bubbles. In flows older than version 6, a list is rendered as its last element.
 */
function templatingOf(view: View): Templating {
  const mode = view.program.isLegacy ? "last" : "plain";
  return {
    pieces: (leaf) => pieces(leaf, view.templates, mode),
    plain: (address) => view.text(address),
    reader: (leaf) => (view.isAnswer(leaf) ? readWhole : undefined),
    meter: view.templates.meter,
  };
}

/**
 * Parses a model's answer. An answer that renders as nothing visible, such as a lone `-`, is parsed as the value of a
 * variable.
 */
function readWhole(answer: string): RichNode[] {
  const nodes = readAnswer(answer);
  return nodes.some(isVisible) ? nodes : parseValue(answer);
}

function legacyNodes({ plainText, html }: { plainText?: string; html?: string }): unknown[] {
  const words = plainText ?? (html === undefined ? "" : textOfHtml(html));
  return words === "" ? [] : nodesFromPlainText(words);
}

/** Converts nodes to Markdown. Variables in the nodes are already replaced. */
function markdownOf(nodes: unknown): string {
  const unchanged: Templating = { pieces: ({ text }) => [{ kind: "literal", text }], plain: (text) => text };
  return toMarkdown(renderRichText(Array.isArray(nodes) ? nodes : [], unchanged));
}
