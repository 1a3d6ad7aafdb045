import { unescaped } from "./characters.ts";

/**
 * Reads a link's URL, with or without angle brackets. Returns the URL, which may be empty, and its end position.
 * Returns undefined if a bracket or parenthesis is not closed, or if the parentheses are nested too deeply.
 */
export function readDestination(
  text: string,
  begin: number,
): { readonly url: string; readonly end: number } | undefined {
  bracketed.lastIndex = begin;
  const found = bracketed.exec(text);
  if (found) return { url: unescaped(found[1] ?? ""), end: bracketed.lastIndex };
  if (text[begin] === "<") return undefined;
  let depth = 0;
  let at = begin;
  for (; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\" && isPunctuation(text[at + 1])) at += 1;
    else if (character === "(") depth += 1;
    else if (character === ")" && depth === 0) break;
    else if (character === ")") depth -= 1;
    else if (character <= " " || character === "\u007f") break;
    if (depth > 32) return undefined;
  }
  return depth === 0 ? { url: unescaped(text.slice(begin, at)), end: at } : undefined;
}

const bracketed = /<((?:[^<>\n\\]|\\.)*)>/y;

/** Returns the end position of a link's title, which follows whitespace, or undefined if there is no title. */
export function readTitle(text: string, begin: number): number | undefined {
  title.lastIndex = begin;
  return title.test(text) ? title.lastIndex : undefined;
}

const title = /[ \t\n]+(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))/y;

/** Reads the URL in parentheses after a link's text. Returns undefined if there is no such URL. */
export function readTarget(text: string, begin: number): { readonly url: string; readonly end: number } | undefined {
  if (text[begin] !== "(") return undefined;
  const destination = readDestination(text, pastBlanks(text, begin + 1));
  if (!destination) return undefined;
  const end = pastBlanks(text, readTitle(text, destination.end) ?? destination.end);
  return text[end] === ")" ? { url: destination.url, end: end + 1 } : undefined;
}

function pastBlanks(text: string, begin: number): number {
  let at = begin;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n") at += 1;
  return at;
}

export function isPunctuation(character = ""): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character);
}
