import { decodeNamedCharacterReference } from "decode-named-character-reference";

/**
 * Returns the text of a bubble that an old flow stored as HTML. Each block and line break starts a new line, character
 * references are resolved, and scripts, styles and comments are removed. Never throws: an unclosed tag is treated as
 * text.
 */
export function textOfHtml(html: string): string {
  const lines = collectLines();
  let position = 0;
  while (position < html.length) {
    const start = html.indexOf("<", position);
    if (start < 0) break;
    lines.add(html.slice(position, start));
    const tag = readTag(html, start);
    if (tag.kind === "unended") {
      position = start;
      break;
    }
    if (tag.kind === "text") lines.add("<");
    if (tag.kind === "tag" && tag.name === "br") lines.break();
    if (tag.kind === "tag" && blockTags.has(tag.name)) lines.endBlock();
    position = tag.end;
  }
  lines.add(html.slice(position));
  return lines.toText();
}

type Tag =
  | { readonly kind: "tag"; readonly name: string; readonly end: number }
  /** Comments, declarations, and scripts and styles with their content. */
  | { readonly kind: "hidden"; readonly end: number }
  /** A `<` that does not start a tag. */
  | { readonly kind: "text"; readonly end: number }
  | { readonly kind: "unended" };

/** Reads the tag at a `<`. A script or style is read together with its content, up to its closing tag. */
export function readTag(html: string, start: number): Tag {
  if (html.startsWith("<!--", start)) return hiddenUntil(html, "-->", start + 4);
  if (html[start + 1] === "!" || html[start + 1] === "?") return hiddenUntil(html, ">", start + 2);
  tagName.lastIndex = start + 1;
  const match = tagName.exec(html);
  if (!match) return { kind: "text", end: start + 1 };
  const end = endOfTag(html, tagName.lastIndex);
  if (end < 0) return { kind: "unended" };
  const name = (match[1] ?? "").toLowerCase();
  const isOpening = !match[0].startsWith("/");
  return isOpening && (name === "script" || name === "style")
    ? { kind: "hidden", end: endOfRawText(html, name, end) }
    : { kind: "tag", name, end };
}

const tagName = /\/?([a-z][a-z0-9]{0,30})(?=[\s/>])/iy;

function hiddenUntil(html: string, closing: string, from: number): Tag {
  const end = html.indexOf(closing, from);
  return { kind: "hidden", end: end < 0 ? html.length : end + closing.length };
}

/** Returns the end of a tag. A `>` within quotes does not end the tag. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let index = from; index < html.length; index += 1) {
    const character = html.charAt(index);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return index + 1;
  }
  return -1;
}

/**
 * Returns the end of a script's or style's content. The content ends at the first closing tag, even within a string, or
 * at the end of the HTML.
 */
function endOfRawText(html: string, name: "script" | "style", from: number): number {
  const closing = name === "script" ? /<\/script/gi : /<\/style/gi;
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

const blockTags = new Set(
  "address article aside blockquote dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);

type Lines = {
  add(html: string): void;
  /** Ends the line, even if it is empty. */
  break(): void;
  /** Ends the line unless it is empty, as browsers do at the edges of a block. */
  endBlock(): void;
  toText(): string;
};

function collectLines(): Lines {
  const lines: string[] = [];
  let pieces: string[] = [];
  const takeLine = () => {
    const line = textOfLine(pieces);
    pieces = [];
    return line;
  };
  const endBlock = () => {
    const line = takeLine();
    if (line !== "") lines.push(line);
  };
  return {
    add: (html) => void pieces.push(html),
    break: () => void lines.push(takeLine()),
    endBlock,
    toText: () => {
      endBlock();
      return lines.join("\n");
    },
  };
}

function textOfLine(pieces: readonly string[]): string {
  return decode(pieces.join("").replaceAll(/[ \t\r\n\f]+/g, " "))
    .replace(/^ /, "")
    .replace(/ $/, "");
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{1,31}));/gi, (reference, ...parts) => {
    const [hexadecimal, decimal, name]: unknown[] = parts;
    if (typeof hexadecimal === "string") return characterOf(Number.parseInt(hexadecimal, 16));
    if (typeof decimal === "string") return characterOf(Number.parseInt(decimal, 10));
    return (typeof name === "string" && decodeNamedCharacterReference(name)) || reference;
  });
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
