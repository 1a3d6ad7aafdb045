import { css, cssLanguage } from "@codemirror/lang-css";
import { html, htmlLanguage } from "@codemirror/lang-html";
import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { Language, LanguageSupport } from "@codemirror/language";
import type { Parser } from "@lezer/common";
import { MaskedParser } from "./masked-parser.ts";

/** What a field holds; `script`: JavaScript of the sandbox. */
export type CodeLanguage = "script" | "css" | "html" | "json" | "svg";

/** A language whose code may have variables in it. */
export function languageOf(name: CodeLanguage): { readonly support: LanguageSupport; readonly parser: Parser } {
  const [language, support] = known(name);
  // In the place of a value JSON takes no name.
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
