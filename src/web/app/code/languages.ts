import { css, cssLanguage } from "@codemirror/lang-css";
import { html, htmlLanguage } from "@codemirror/lang-html";
import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { Language, LanguageSupport } from "@codemirror/language";
import { type Input, Parser, type PartialParse, type TreeFragment } from "@lezer/common";
import { masked } from "./masked.ts";

/** The content of a field; `script`: JavaScript of the sandbox. */
export type CodeLanguage = "script" | "css" | "html" | "json" | "svg";

/** A language whose code may have variables in it. */
export function languageOf(name: CodeLanguage): { readonly support: LanguageSupport; readonly parser: Parser } {
  const [language, support] = known(name);
  // JSON does not allow a name in the place of a value.
  const parser = new MaskedParser(language.parser, name === "json" ? "1" : "_");
  const own = new Language(language.data, parser, [], language.name);
  return { support: new LanguageSupport(own, support.support), parser };
}

function known(name: CodeLanguage): readonly [Language, LanguageSupport] {
  switch (name) {
    case "script":
      return [javascriptLanguage, javascript()];
    case "css":
      return [cssLanguage, css()];
    case "html":
    case "svg":
      return [htmlLanguage, html()];
    case "json":
      return [jsonLanguage, json()];
  }
}

/** A parser that treats variables as names of its language. Positions in its trees are those of the written text. */
class MaskedParser extends Parser {
  readonly #inner: Parser;
  readonly #letter: string;

  /** `letter`: the placeholder for a variable, repeated to its length. */
  constructor(inner: Parser, letter: string) {
    super();
    this.#inner = inner;
    this.#letter = letter;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { readonly from: number; readonly to: number }[],
  ): PartialParse {
    const text = masked(input.read(0, input.length), this.#letter);
    const whole: Input = {
      length: text.length,
      lineChunks: false,
      chunk: (from) => text.slice(from),
      read: (from, to) => text.slice(from, to),
    };
    return this.#inner.createParse(whole, fragments, ranges);
  }
}
