/** How a text mark is written and displayed. The editors' marks are defined in `src/web/app/text/marks.ts`. */
type MarkKind = {
  readonly html: "code" | "strong" | "em" | "s" | "u" | "mark" | "small" | "sub" | "sup";
  /** The Markdown delimiter on both sides of the text, or an HTML tag, which is closed after the text. */
  readonly markdown: string;
  /**
   * Whether the text is inserted unchanged. The surrounding delimiters must then be longer than any delimiters inside
   * the text.
   */
  readonly isVerbatim?: true;
  /**
   * How a page displays the mark. `class`: by a class that authors' style sheets may use (`slate-bold`, defined in
   * `src/web/styles/transcript.css`). `element`: by its HTML element. `part`: by a part of the page that is loaded for
   * the mark.
   */
  readonly page: "class" | "element" | "part";
  /** How messengers display the mark. If absent, the text is sent without formatting. */
  readonly messenger?: "bold" | "italic" | "underline" | "strikethrough" | "code";
};

/** All supported marks by stored name, innermost first. A stored mark with another name is kept. */
export const marks = {
  math: { html: "code", markdown: "$", page: "part", messenger: "code" },
  code: { html: "code", markdown: "`", isVerbatim: true, page: "element", messenger: "code" },
  bold: { html: "strong", markdown: "**", page: "class", messenger: "bold" },
  italic: { html: "em", markdown: "_", page: "class", messenger: "italic" },
  strikethrough: { html: "s", markdown: "~~", page: "element", messenger: "strikethrough" },
  underline: { html: "u", markdown: "<u>", page: "class", messenger: "underline" },
} as const satisfies Readonly<Record<string, MarkKind>>;

export type Mark = keyof typeof marks;

/** An object with all marks that are set. */
export type Marks = { readonly [name in Mark]?: true };

export const markNames: readonly Mark[] = Object.keys(marks).filter(isMark);

export function isMark(name: string): name is Mark {
  return Object.hasOwn(marks, name);
}

export function markKind(name: Mark): MarkKind {
  return marks[name];
}

/** Returns the marks of a leaf, innermost first. */
export function marksOf(leaf: { readonly [member: string]: unknown }): readonly Mark[] {
  return markNames.filter((mark) => leaf[mark] === true);
}
