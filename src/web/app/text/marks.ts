import { Bold, Code, type IconNode, Italic, Strikethrough, Underline } from "lucide";
import type { DOMOutputSpec, TagParseRule } from "prosemirror-model";
import { type Mark, markKind } from "../../../core/interpreter/rich-text/marks.ts";

/** A mark that authors can set. Its label is in `src/web/app/words/en/text.json`, by the name of the mark. */
type EditedMark<Name extends Mark> = {
  readonly name: Name;
  readonly icon: IconNode;
  /** A shortcut in ProseMirror notation, in which `Mod` is Ctrl, or ⌘ on a Mac. */
  readonly key: string;
  /**
   * Patterns of typed text that is converted to the mark. The mark applies to the first group, and the pattern matches
   * at the end of the typed text.
   */
  readonly typed: readonly RegExp[];
  /** The pasted elements that are read as the mark. */
  readonly parseDOM: readonly TagParseRule[];
  readonly toDOM: () => DOMOutputSpec;
  /** Whether typed patterns stay unchanged within the mark. */
  readonly code: boolean;
};

/** A mark that the editor preserves but neither shows nor sets. Only answers of language models contain formulas. */
type Unedited = "math";

export type Format = Exclude<Mark, Unedited>;

/** The marks in the order of their buttons. Each entry is also the mark's specification in the editor's schema. */
export const editedMarks: { readonly [Name in Format]: EditedMark<Name> } = {
  bold: edited("bold", {
    icon: Bold,
    key: "Mod-b",
    typed: [/\*\*([^*]+)\*\*$/],
    pasted: [
      { tag: "strong" },
      // Google Docs wraps all copied content in a `b` element with a normal font weight.
      { tag: "b", getAttrs: (element) => (/font-weight:\s*(normal|400)/.test(styleOf(element)) ? false : null) },
      styled(/font-weight:\s*(bold|[6-9]\d\d)/),
    ],
  }),
  italic: edited("italic", {
    icon: Italic,
    key: "Mod-i",
    typed: [/(?<![*\w])\*([^*]+)\*$/, /(?<![_\w])_([^_]+)_$/],
    pasted: [{ tag: "em" }, { tag: "i" }, styled(/font-style:\s*italic/)],
  }),
  underline: edited("underline", {
    icon: Underline,
    key: "Mod-u",
    typed: [],
    pasted: [{ tag: "u" }, styled(/text-decoration(-line)?:[^;]*underline/)],
  }),
  strikethrough: edited("strikethrough", {
    icon: Strikethrough,
    key: "Mod-Shift-x",
    typed: [/~~([^~]+)~~$/],
    pasted: [{ tag: "s, del, strike" }, styled(/text-decoration(-line)?:[^;]*line-through/)],
  }),
  code: edited("code", {
    icon: Code,
    key: "Mod-e",
    typed: [/`([^`]+)`$/],
    pasted: [{ tag: "code, kbd, samp, tt" }],
  }),
};

export const formats: readonly Format[] = Object.values(editedMarks).map(({ name }) => name);

export function isFormat(name: string): name is Format {
  return Object.hasOwn(editedMarks, name);
}

type Editing = Pick<EditedMark<Mark>, "icon" | "key" | "typed"> & { readonly pasted: readonly TagParseRule[] };

function edited<Name extends Mark>(name: Name, { pasted, ...rest }: Editing): EditedMark<Name> {
  const { html, isVerbatim } = markKind(name);
  return { ...rest, name, parseDOM: pasted, toDOM: () => [html, 0], code: isVerbatim === true };
}

/**
 * Returns the rule that reads a mark from the styles of a pasted element, which are in `data-style`, see
 * `withoutInline`.
 */
function styled(pattern: RegExp): TagParseRule {
  return {
    tag: "[data-style]",
    consuming: false,
    getAttrs: (element) => (pattern.test(styleOf(element)) ? null : false),
  };
}

function styleOf(element: HTMLElement): string {
  return element.getAttribute("data-style") ?? "";
}
