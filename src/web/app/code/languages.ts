import { css, cssLanguage } from "@codemirror/lang-css";
import { html, htmlLanguage } from "@codemirror/lang-html";
import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { Language, LanguageSupport } from "@codemirror/language";
import { type Input, Parser, type PartialParse, type TreeFragment } from "@lezer/common";
import { masked } from "./masked.ts";

/** The language of a field. `script` is JavaScript for the sandbox. */
export type CodeLanguage = "script" | "css" | "html" | "json" | "svg";

/** Returns the CodeMirror language and parser for code that may contain variables. */
export function languageOf(name: CodeLanguage): { readonly support: LanguageSupport; readonly parser: Parser } {
  const [language, support] = known(name);
  // A bare name is not a valid JSON value, so JSON uses a digit as the placeholder.
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

/**
 * A parser that treats variables as identifiers or numbers of the language. Positions in the tree refer to the original
 * text.
 */
class MaskedParser extends Parser {
  readonly #inner: Parser;
  readonly #letter: string;

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
