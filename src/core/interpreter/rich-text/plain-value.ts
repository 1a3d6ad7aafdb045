import { limits } from "../../../limits/index.ts";
import { paragraph, type RichElement } from "./nodes.ts";
import { linesOf } from "./plain-text.ts";

/**
 * Whether a Markdown parser might find anything other than paragraphs with the same characters. The result may be true
 * for plain text (such as a lone `*`), but is never false for Markdown. A property test compares the result with the
 * parser.
 *
 * Anywhere in the text, the pattern matches emphasis (but not the underscore of `john_doe`), code, links, images,
 * escapes, character references, U+0000, and blanks before the end of a line (hard breaks). At the start of a line, the
 * pattern matches headings and their underlines, quotes, fences, bullets and numbers.
 */
export function mayBeMarkdown(text: string): boolean {
  return markdownSyntax.test(text) || text.includes("\u0000");
}

const markdownSyntax =
  /[*`[\\]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|&[#0-9A-Za-z]{1,40};|[ \t][\r\n]|^\ufeff|(?:^|[\r\n])[ \t]*(?:[#>=~]|[-+](?:[-+ \t\r\n]|$)|[0-9]{1,9}[.)](?:[ \t\r\n]|$))/;

/**
 * Whether a text is a single plain line that parsing leaves unchanged. The result may be false for such a line, but is
 * never true for any other text. Most answers of visitors are plain lines, and matching the pattern above takes as long
 * as all other steps of displaying a line.
 */
export function isPlainLine(text: string): boolean {
  if (!isLetter(text.charCodeAt(0)) || text.charCodeAt(text.length - 1) === 0x20) return false;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code) && !harmless.has(code)) return false;
  }
  return true;
}

const harmless = new Set([..." ,.'-!?:/@0123456789"].map((character) => character.charCodeAt(0)));

/** Whether a character is a Latin letter, with or without an accent. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0x24f);
}

/**
 * Converts text without Markdown to nodes, with the same result as the parser. Consecutive lines are one paragraph, a
 * blank line is an empty paragraph, and spaces and tabs around a line are removed.
 */
export function plainBlocks(text: string): RichElement[] {
  const blocks: RichElement[] = [];
  let lines: string[] = [];
  for (const line of linesOf(text, limits.richText.plainLines)) {
    const trimmed = trimBlanks(line);
    if (trimmed !== "") {
      lines.push(trimmed);
      continue;
    }
    if (lines.length > 0) blocks.push(paragraph(lines.join("\n")));
    lines = [];
    blocks.push(paragraph(""));
  }
  if (lines.length > 0) blocks.push(paragraph(lines.join("\n")));
  return blocks;
}

/** Removes only spaces and tabs. Other white space is part of the text, as in Markdown. */
function trimBlanks(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
