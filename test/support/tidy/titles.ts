import type { Source } from "./source.ts";

/** The title of a test or a group as written: with the placeholders of its values. */
export type Title = { readonly at: number; readonly text: string };

/**
 * `test` and `describe`, with or without a table, and the tests of `long-test.ts` and `browser.ts` by their names in
 * files.
 */
const callers = /(?:\b(?:test|describe|longTest|inBrowser|browserTest|inLongRun)(?:\.\w+)*|\))\(\s*(["'`])/g;

/** The titles of the tests of a file, in order. */
export function titlesOf({ text, code }: Source): Title[] {
  return [...code.matchAll(callers)].flatMap(({ index, 0: start, 1: quote = "" }) => {
    const at = index + start.length;
    const end = code.indexOf(quote, at);
    // A call of a call's result is a table of tests only if a function follows.
    const isTitle = !start.startsWith(")") || /^["'`],\s*(?:async )?\(/.test(code.slice(end));
    return isTitle ? [{ at, text: text.slice(at, end) }] : [];
  });
}

/** "that fails is tried again" has no subject; "what fails is tried again" has a clause in its place. */
const beginning = /^(?:that|as|what|who|whoever)\b/i;
const phrases =
  /\b(?:as ever|for ever|is none|comes? to the same|anew|goes on|whatever|whichever|wherever|also (?:if|when|while))\b/i;

/** Titles that do not state subject, verb, and expected outcome. */
export function titleProblems(source: Source): string[] {
  return titlesOf(source).flatMap(({ at, text }) => {
    const found = beginning.exec(text) ?? phrases.exec(text);
    const line = source.text.slice(0, at).split("\n").length;
    return found ? [`${source.path}:${line}: "${found[0]}" in "${text}"`] : [];
  });
}
