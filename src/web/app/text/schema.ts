import { type Attrs, type DOMOutputSpec, Schema } from "prosemirror-model";
import { editedMarks } from "./marks.ts";

/**
 * The schema of a text in the editor. Each block has a reference to the stored node from which it was created
 * (`source`). While the block is equal to the stored node, `write-tree.ts` writes the stored node itself, including all
 * unknown members. A node that the schema does not support is preserved as a whole.
 */
export const textSchema = new Schema({
  topNode: "doc",
  nodes: {
    // An empty list of nodes is displayed as an empty paragraph.
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
    /** A block of a type that the schema does not support. */
    unknownBlock: {
      group: "block",
      atom: true,
      attrs: { source: { default: null } },
      toDOM: ({ attrs }): DOMOutputSpec => ["div", { class: "app-text-unknown", title: titleOf(attrs) }, nameOf(attrs)],
    },
    text: { group: "inline" },
    /** A variable such as `{{name}}`, or inline code such as `{{=code=}}`. */
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
      // The element has no `href`, so that a press sets the caret instead of opening the link.
      toDOM: ({ attrs }): DOMOutputSpec => ["a", { class: "app-text-link", title: String(attrs["url"]) }, 0],
    },
    ...editedMarks,
    /** The additional members of a leaf. */
    rest: {
      attrs: { properties: {} },
      toDOM: (): DOMOutputSpec => ["span", { class: "app-text-rest" }, 0],
    },
  },
});

/** Returns the text that represents an unknown node: its type, or an ellipsis if it has none. */
function nameOf({ source }: Attrs): string {
  const type: unknown = source?.value?.type;
  return typeof type === "string" ? type : "…";
}

function titleOf({ source }: Attrs): string {
  return JSON.stringify(source?.value ?? null);
}
