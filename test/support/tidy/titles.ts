import type { Source } from "./source.ts";

/** The title of a test or a group as written, with placeholders. */
export type Title = { readonly at: number; readonly text: string };

/**
 * Matches `test` and `describe`, with or without a table, and the test functions of `long-test.ts` and `browser.ts` by
 * their usual names.
 */
const callers = /(?:\b(?:test|describe|longTest|inBrowser|browserTest|inLongRun)(?:\.\w+)*|\))\(\s*(["'`])/g;

/** Returns the titles of a file's tests and groups, in order. */
export function titlesOf({ text, code }: Source): Title[] {
  return [...code.matchAll(callers)].flatMap(({ index, 0: start, 1: quote = "" }) => {
    const at = index + start.length;
    const end = code.indexOf(quote, at);
    // A call of a call's result is a test table only if a function follows the title.
    const isTitle = !start.startsWith(")") || /^["'`],\s*(?:async )?\(/.test(code.slice(end));
    return isTitle ? [{ at, text: text.slice(at, end) }] : [];
  });
}

/** Titles that begin with these words have no subject, or have a clause as subject. */
const beginning = /^(?:that|as|what|who|whoever)\b/i;
const phrases =
  /\b(?:as ever|for ever|is none|comes? to the same|anew|goes on|whatever|whichever|wherever|also (?:if|when|while))\b/i;

/** Returns titles without a subject or with a clause as subject, and titles with an unclear phrase. */
export function titleProblems(source: Source): string[] {
  return titlesOf(source).flatMap(({ at, text }) => {
    const found = beginning.exec(text) ?? phrases.exec(text);
    const line = source.text.slice(0, at).split("\n").length;
    return found ? [`${source.path}:${line}: "${found[0]}" in "${text}"`] : [];
  });
}
