import { type Attrs, type DOMOutputSpec, Schema } from "prosemirror-model";
import { editedMarks } from "./marks.ts";

/**
 * The document of an open text. Every block has the stored node from which it was made (`source`): while the two agree,
 * the stored node itself is written back (`write-tree.ts`), with all its unknown members. A node without a place in the
 * schema is in the text as a whole.
 */
export const textSchema = new Schema({
  topNode: "doc",
  nodes: {
    // An empty list of nodes is shown as an empty paragraph.
    doc: { content: "block+", attrs: { wasEmpty: { default: false } } },
    paragraph: {
      group: "block",
      content: "inline*",
      attrs: { source: { default: null }, type: { default: "p" } },
      whitespace: "pre",
      parseDOM: [
        { tag: "p" },
        { tag: "h1, h2, h3, h4, h5, h6, blockquote, pre, dt, dd" },
        { tag: "div", priority: 10 },
      ],
      toDOM: ({ attrs }): DOMOutputSpec => ["p", { class: `app-text-${attrs["type"]}` }, 0],
    },
    ul: {
      group: "block list",
      content: "li+",
      attrs: { source: { default: null } },
      parseDOM: [{ tag: "ul" }],
      toDOM: (): DOMOutputSpec => ["ul", 0],
    },
    ol: {
      group: "block list",
      content: "li+",
      attrs: { source: { default: null } },
      parseDOM: [{ tag: "ol" }],
      toDOM: (): DOMOutputSpec => ["ol", 0],
    },
    li: {
      content: "paragraph block*",
      attrs: { source: { default: null } },
      defining: true,
      parseDOM: [{ tag: "li" }],
      toDOM: (): DOMOutputSpec => ["li", 0],
    },
    /** A block of an unknown type. */
    unknownBlock: {
      group: "block",
      atom: true,
      attrs: { source: { default: null } },
      toDOM: ({ attrs }): DOMOutputSpec => ["div", { class: "app-text-unknown", title: titleOf(attrs) }, nameOf(attrs)],
    },
    text: { group: "inline" },
    /** `{{name}}`, or `{{=code=}}`. */
    chip: {
      group: "inline",
      inline: true,
      atom: true,
      attrs: { text: {} },
      leafText: ({ attrs }) => String(attrs["text"]),
      parseDOM: [
        { tag: "span[data-chip]", getAttrs: (element) => ({ text: element.getAttribute("data-chip") ?? "" }) },
      ],
      toDOM: ({ attrs }): DOMOutputSpec => {
        const text = String(attrs["text"]);
        return ["span", { class: "app-text-chip", "data-chip": text }, text.slice(2, -2)];
      },
    },
    lineBreak: {
      group: "inline",
      inline: true,
      selectable: false,
      linebreakReplacement: true,
      leafText: () => "\n",
      parseDOM: [{ tag: "br" }],
      toDOM: (): DOMOutputSpec => ["br"],
    },
    unknownInline: {
      group: "inline",
      inline: true,
      atom: true,
      attrs: { source: { default: null } },
      toDOM: ({ attrs }): DOMOutputSpec => [
        "span",
        { class: "app-text-unknown", title: titleOf(attrs) },
        nameOf(attrs),
      ],
    },
  },
  marks: {
    link: {
      attrs: { url: { default: "" }, rest: { default: null } },
      inclusive: false,
      parseDOM: [{ tag: "a[href]", getAttrs: (element) => ({ url: element.getAttribute("href") ?? "" }) }],
      // No `href`: a press sets the caret, and opens nothing.
      toDOM: ({ attrs }): DOMOutputSpec => ["a", { class: "app-text-link", title: String(attrs["url"]) }, 0],
    },
    ...editedMarks,
    /** The other members of a leaf. */
    rest: {
      attrs: { properties: {} },
      toDOM: (): DOMOutputSpec => ["span", { class: "app-text-rest" }, 0],
    },
  },
});

/** The placeholder for an unknown node: its type. */
function nameOf({ source }: Attrs): string {
  const type: unknown = source?.value?.type;
  return typeof type === "string" ? type : "…";
}

function titleOf({ source }: Attrs): string {
  return JSON.stringify(source?.value ?? null);
}
