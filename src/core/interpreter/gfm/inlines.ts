import type { RichNode } from "../rich-text/nodes.ts";
import { linkAt } from "./addresses.ts";
import { characterOf } from "./characters.ts";
import { type Definitions, labelOf } from "./definitions.ts";
import { readTarget } from "./destinations.ts";
import { emphasise, type Piece, runOf } from "./emphasis.ts";
import { type BracketEnds, bracketEnds, isBracketed, longestFormula } from "./formulas.ts";
import { nodesOf } from "./pieces.ts";

export type Inlines = {
  readonly definitions: Definitions;
  /** Returns the number of the footnote with this label, or undefined if there is no such footnote. */
  note(label: string): number | undefined;
  /**
   * Whether the text is still growing. If so, an unfinished construct is parsed as its most likely form: marks extend
   * to the end of the text, and an incomplete link shows its text.
   */
  readonly isOpen: boolean;
};

/** Parses the text of a paragraph to rich text in linear time. */
export function readInlines(text: string, inlines: Inlines): RichNode[] {
  if (!isMarked.test(text)) return [{ text }];
  const whole = inlines.isOpen ? withoutHalves(text) : text;
  const reading: Reading = { text: whole, inlines, ...nothingRead() };
  for (let at = 0; at < whole.length; ) at = readPiece(reading, at);
  emphasise(reading.pieces, reading.runs, { isOpen: inlines.isOpen });
  const nodes = nodesOf(reading.pieces);
  return nodes.length > 0 ? nodes : [{ text: "" }];
}

/** Matches any text that may contain markup. Most table cells and many list items contain only plain text. */
const isMarked = /[\\\n`*_~[\]&<$@]|:\/\/|www\./i;

function nothingRead(): Omit<Reading, "text" | "inlines"> {
  return { pieces: [], runs: [], brackets: [], ticks: undefined, dollars: undefined, ends: undefined, links: 0 };
}

/** An opening bracket. `runs` and `links` are the numbers of runs and links before it. */
type Bracket = {
  readonly piece: number;
  readonly begin: number;
  readonly isImage: boolean;
  readonly runs: number;
  readonly links: number;
};

type Reading = {
  readonly text: string;
  readonly inlines: Inlines;
  readonly pieces: Piece[];
  /** The indexes of delimiter pieces that have not been paired yet. */
  readonly runs: number[];
  /** Open brackets that may start a link or an image. */
  readonly brackets: Bracket[];
  /** The positions of backtick runs by length, in reverse order. */
  ticks: Map<number, number[]> | undefined;
  /** The positions of delimiters that may close a formula, in reverse order. */
  dollars: number[] | undefined;
  ends: BracketEnds | undefined;
  /**
   * The number of links so far. A bracket before a link cannot start another link around it, because links are not
   * nested.
   */
  links: number;
};

/** Reads the construct at this position and returns the position of the next construct. */
function readPiece(reading: Reading, at: number): number {
  const { text, pieces, brackets } = reading;
  const character = text[at] ?? "";
  token.lastIndex = at;
  const [whole = character, escaped, lineBreak, reference, run] = token.exec(text) ?? [];
  const after = at + whole.length;
  if (escaped === "(" || escaped === "[") return readBracketed(reading, after, escaped);
  if (escaped) pieces.push({ text: escaped });
  else if (lineBreak !== undefined) pieces.push({ text: "\n", isBreak: /(?: {2}|\\)\n|</.test(lineBreak) });
  else if (reference) pieces.push({ text: characterOf(reference) ?? whole });
  else if (run) {
    const piece = runOf(run, characterBefore(text, at), characterAt(text, after));
    if (piece.run) reading.runs.push(pieces.length);
    pieces.push(piece);
  } else if (character === "`") return readCode(reading, at, whole);
  else if (character === "$") return readFormula(reading, at);
  else if (character === "<") return readAddress(reading, at);
  else if (character === "]") return readClosing(reading, at);
  else if (whole === "[" || whole === "![") {
    const note = readNote(reading, after - 1, whole.slice(1));
    if (note !== undefined) return note;
    brackets.push({
      piece: pieces.length,
      begin: after,
      isImage: whole === "![",
      runs: reading.runs.length,
      links: reading.links,
    });
    pieces.push({ text: whole });
  } else if (/[hHwW]/.test(character)) return readBare(reading, at, whole);
  else pieces.push({ text: whole });
  return after;
}

/**
 * Matches an escape, a line end, a character reference, a delimiter run, backticks, an opening bracket, a letter that
 * may start an address, or any other text.
 */
const token =
  /\\([!-/:-@[-`{-~])|((?:[ \t]*|\\)\n[ \t]*|<[bB][rR] *\/?>\n?)|&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});|(\*+|_+|~+)|`+|!?\[|[hHwW]|(?:[^\\\n`*_~[\]&<$!hHwW \t]|(?<=[A-Za-z])[hHwW])+|[ \t]+(?!\n)/y;

function characterBefore(text: string, at: number): string {
  const last = text.charCodeAt(at - 1);
  const isLow = last >= 0xdc00 && last <= 0xdfff;
  return at === 0 ? " " : text.slice(at - (isLow ? 2 : 1), at);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? " " : String.fromCodePoint(code);
}

/**
 * Reads the code after opening backticks. If no run of the same length closes the code, the opening backticks are text,
 * unless the text is still growing.
 */
function readCode(reading: Reading, at: number, ticks: string): number {
  const { text, pieces, inlines } = reading;
  const begin = at + ticks.length;
  reading.ticks ??= runsOfTicks(text);
  const ends = reading.ticks.get(ticks.length) ?? [];
  while ((ends.at(-1) ?? begin) < begin) ends.pop();
  const end = ends.at(-1);
  if (end === undefined && !inlines.isOpen) {
    pieces.push({ text: ticks });
    return begin;
  }
  const code = text.slice(begin, end).replaceAll("\n", " ");
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
  pieces.push({ text: isPadded ? code.slice(1, -1) : code, only: "code" });
  return end === undefined ? text.length : end + ticks.length;
}

function runsOfTicks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: ticks, index } of text.matchAll(/`+/g)) {
    const places = runs.get(ticks.length);
    if (places) places.push(index);
    else runs.set(ticks.length, [index]);
  }
  for (const places of runs.values()) places.reverse();
  return runs;
}

/**
 * Reads a formula. No whitespace may follow the opening delimiter or precede the closing delimiter, and no digit may
 * follow the closing delimiter, so `$5 and $10` is text.
 */
function readFormula(reading: Reading, at: number): number {
  const { text, pieces } = reading;
  const size = text.startsWith("$$", at) ? 2 : 1;
  const begin = at + size;
  reading.dollars ??= [...text.matchAll(/(?<=[^\s\\$])\$\$?(?![\d$])/g)].map(({ index }) => index).reverse();
  const ends = reading.dollars;
  while ((ends.at(-1) ?? begin + 1) <= begin) ends.pop();
  const end = ends.at(-1);
  const isFormula =
    end !== undefined &&
    end - begin <= longestFormula &&
    !/^[\s$]|`/.test(text.slice(begin, end)) &&
    text.startsWith("$".repeat(size), end) &&
    (size === 2 || text[end + 1] !== "$");
  if (!isFormula) {
    pieces.push({ text: "$".repeat(size) });
    return begin;
  }
  pieces.push({ text: text.slice(begin, end).replaceAll("\n", " "), only: "math" });
  return end + size;
}

/**
 * Reads a formula between `\(` and `\)` or between `\[` and `\]`. If there is no formula, the escaped bracket becomes
 * text and does not start a link.
 */
function readBracketed(reading: Reading, begin: number, bracket: "(" | "["): number {
  const { text, pieces } = reading;
  reading.ends ??= bracketEnds(text);
  const ends = reading.ends[bracket];
  while ((ends.at(-1) ?? begin) < begin) ends.pop();
  const end = ends.at(-1);
  const body = text.slice(begin, end);
  if (end === undefined || !isBracketed(body, bracket)) {
    pieces.push({ text: bracket });
    return begin;
  }
  pieces.push({ text: body.replaceAll("\n", " ").trim(), only: "math" });
  return end + 2;
}

/** Reads an address in angle brackets. */
function readAddress({ text, pieces }: Reading, at: number): number {
  angled.lastIndex = at;
  const found = angled.exec(text);
  if (!found) {
    pieces.push({ text: "<" });
    return at + 1;
  }
  const [whole, url = "", mail] = found;
  pieces.push({ text: mail ?? url, link: mail === undefined ? url : `mailto:${mail}` });
  return at + whole.length;
}

const angled =
  /<(?:([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]{0,2000})|([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?){0,8}))>/y;

/** Reads an address without angle brackets, unless it may be part of a link's text. */
function readBare({ text, pieces, brackets }: Reading, at: number, word: string): number {
  const found = brackets.length === 0 ? linkAt(text, at) : undefined;
  pieces.push(found ? { text: found.text, link: found.url } : { text: word });
  return at + (found?.text ?? word).length;
}

/**
 * Reads a footnote reference. Returns its end, or undefined if there is no reference. `before` is not empty if an
 * exclamation mark precedes the reference.
 */
function readNote({ text, pieces, inlines }: Reading, at: number, before: string): number | undefined {
  noteMark.lastIndex = at;
  const found = noteMark.exec(text);
  const number = found ? inlines.note(labelOf(found[1] ?? "")) : undefined;
  if (!found || number === undefined) return undefined;
  if (before !== "") pieces.push({ text: "!" });
  pieces.push({ text: String(number), note: number });
  return at + found[0].length;
}

const noteMark = /\[\^((?:[^\s[\]\\]|\\.){1,200})\]/y;

/**
 * Ends the text of a link or image. A URL or a defined label must follow, or the text itself must be a defined label.
 * Otherwise the bracket is text.
 */
function readClosing(reading: Reading, at: number): number {
  const { text, pieces, brackets, inlines } = reading;
  const opening = brackets.pop();
  const isBefore = opening !== undefined && !opening.isImage && opening.links < reading.links;
  const target = opening && !isBefore ? targetBehind(text, at, { begin: opening.begin, inlines }) : undefined;
  if (!opening || !target) {
    pieces.push({ text: "]" });
    return at + 1;
  }
  emphasise(pieces, reading.runs.splice(opening.runs), { isOpen: false });
  const begin = pieces[opening.piece];
  if (begin) Object.assign(begin, { text: "", opens: { url: target.url, isImage: opening.isImage } });
  pieces.push({ text: "", closes: true });
  if (!opening.isImage) reading.links += 1;
  return target.end;
}

function targetBehind(text: string, at: number, { begin, inlines }: { begin: number; inlines: Inlines }) {
  const inline = readTarget(text, at + 1);
  if (inline) return inline;
  labelled.lastIndex = at + 1;
  const label = labelled.exec(text);
  const given = label?.[1];
  if (given === undefined && at - begin > 999) return undefined;
  const name = given ?? text.slice(begin, at);
  const url = inlines.definitions.get(labelOf(name));
  return url === undefined ? undefined : { url, end: label ? labelled.lastIndex : at + 1 };
}

const labelled = /\[(?:((?:[^[\]\\]|\\[\s\S]){1,999})\]|\])/y;

/**
 * Removes delimiters that may be incomplete from the end of a growing text. An incomplete link at the end is replaced
 * with its text.
 */
function withoutHalves(text: string): string {
  const words = withoutHalfLink(text);
  let end = words.length;
  while (/[*_~`$]/.test(words[end - 1] ?? "")) end -= 1;
  if (words[end - 1] === "\\") end -= 1;
  const tail = words.slice(Math.max(0, end - 40), end);
  const half = /(?:&[#\w]*|<[bB]?[rR]?\s?\/?)$/.exec(tail);
  return words.slice(0, end - (half?.[0].length ?? 0));
}

function withoutHalfLink(text: string): string {
  const begin = text.lastIndexOf("[");
  if (begin < 0 || text[begin - 1] === "\\") return text;
  const rest = text.slice(begin + 1);
  const closing = rest.indexOf("]");
  const words = closing < 0 ? rest : rest.slice(0, closing);
  if (words.includes("\n")) return text;
  const isImage = text[begin - 1] === "!";
  const before = text.slice(0, isImage ? begin - 1 : begin);
  // A footnote reference is displayed only when it is complete.
  if (closing < 0) return words.startsWith("^") ? before : before + words;
  return closing === rest.length - 1 || /^\([^()\s]*$/.test(rest.slice(closing + 1))
    ? keptLink(text, before, words)
    : text;
}

function keptLink(text: string, before: string, words: string): string {
  return words.startsWith("^") ? text : before + words;
}
