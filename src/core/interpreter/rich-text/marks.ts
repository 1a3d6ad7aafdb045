/** A mark of text: how it is written and shown. The editors' marks are in `src/web/app/text/marks.ts`. */
type MarkKind = {
  /** The mark's element in HTML. */
  readonly html: "code" | "strong" | "em" | "s" | "u" | "mark" | "small" | "sub" | "sup";
  /** The delimiters around the text in Markdown; a tag of HTML is closed after the text. */
  readonly markdown: string;
  /** The text is inserted unchanged, so delimiters within it must be shorter than those around it. */
  readonly isVerbatim?: true;
  /**
   * How a page draws the mark: by its class, which authors' style sheets may name (`slate-bold`; its rule is in
   * `src/web/styles/transcript.css`), by its element of HTML, or by a part of the page that loads for it.
   */
  readonly page: "class" | "element" | "part";
  /** How messengers show the mark. Absent: they do not support it, and get plain text. */
  readonly messenger?: "bold" | "italic" | "underline" | "strikethrough" | "code";
};

/** The marks that a leaf may have, by their stored names, innermost first. A stored mark of another name is kept. */
export const marks = {
  math: { html: "code", markdown: "$", page: "part", messenger: "code" },
  code: { html: "code", markdown: "`", isVerbatim: true, page: "element", messenger: "code" },
  bold: { html: "strong", markdown: "**", page: "class", messenger: "bold" },
  italic: { html: "em", markdown: "_", page: "class", messenger: "italic" },
  strikethrough: { html: "s", markdown: "~~", page: "element", messenger: "strikethrough" },
  underline: { html: "u", markdown: "<u>", page: "class", messenger: "underline" },
} as const satisfies Readonly<Record<string, MarkKind>>;

export type Mark = keyof typeof marks;

/** All marks with a value. */
export type Marks = { readonly [name in Mark]?: true };

export const markNames: readonly Mark[] = Object.keys(marks).filter(isMark);

export function isMark(name: string): name is Mark {
  return Object.hasOwn(marks, name);
}

export function markKind(name: Mark): MarkKind {
  return marks[name];
}

/** The marks of a leaf, innermost first. */
export function marksOf(leaf: { readonly [member: string]: unknown }): readonly Mark[] {
  return markNames.filter((mark) => leaf[mark] === true);
}
