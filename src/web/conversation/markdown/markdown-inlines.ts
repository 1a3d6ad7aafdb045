import type { RichNode, TextLeaf } from "../../../core/interpreter/rich-text/nodes.ts";

/**
 * The text of a paragraph as rich text: the nodes that the service makes of the same words. While the text is open, because more of it is to come,
 * what has begun is taken for what it will most likely be: marks hold to its end, and half a link is its words.
 */
export function readInlines(text: string, { isOpen }: { isOpen: boolean }): RichNode[] {
  const pieces = piecesOf(isOpen ? withoutHalves(text) : text, isOpen);
  emphasise(pieces, isOpen);
  const nodes = nodesOf(pieces);
  return nodes.length > 0 ? nodes : [{ text: "" }];
}

type Piece = {
  text: string;
  isBold?: boolean;
  isItalic?: boolean;
  isCode?: boolean;
  /** Of a run of `*` or `_`: what is left of it, and what it may do. */
  run?: { size: number; canOpen: boolean; canClose: boolean };
  /** A bracket that may begin a link. */
  isBracket?: boolean;
  link?: { readonly url: string; readonly pieces: Piece[] };
};

/** Half a link, and marks of which the rest may be missing. */
function withoutHalves(text: string): string {
  return text.replace(/\[([^[\]\n]*)(?:\](?:\([^()\s]*)?)?$/, "$1").replace(/(?:[*_`]+|\\|&[#\w]*)$/, "");
}

function piecesOf(text: string, isOpen: boolean): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const [whole = "", escaped, hardBreak, softBreak, reference, ticks, run, other] = token.exec(text) ?? [];
    const after = at + Math.max(1, whole.length);
    let next = after;
    if (escaped) pieces.push({ text: escaped });
    else if (hardBreak || softBreak) pieces.push({ text: "\n" });
    else if (reference) pieces.push({ text: characterOf(reference) ?? whole });
    else if (ticks) {
      const code = codeBehind(text, after, { ticks, isOpen });
      next = code?.end ?? after;
      pieces.push(code ? { text: code.text, isCode: true } : { text: ticks });
    } else if (run) pieces.push(runOf(run, text[at - 1], text[after]));
    else if (whole === "[") pieces.push({ text: "[", isBracket: true });
    else if (whole === "]") {
      const begin = pieces.findLastIndex(({ isBracket }) => isBracket);
      const target = begin < 0 ? undefined : targetBehind(text, after);
      if (target) {
        const inside = pieces.splice(begin).slice(1);
        emphasise(inside, false);
        pieces.push({ text: "", link: { url: target.url, pieces: inside } });
        // A link holds no link.
        for (const piece of pieces) piece.isBracket = false;
        next = target.end;
      } else {
        const bracket = pieces[begin];
        if (bracket) bracket.isBracket = false;
        pieces.push({ text: "]" });
      }
    } else pieces.push({ text: other || whole || (text[at] ?? "") });
    at = next;
  }
  return pieces;
}

/** An escape, a hard and a soft break, a character reference, backticks, a run of marks, and whatever is none of these. */
const token =
  /\\([!-/:-@[-`{-~])|((?: {2,}|\\)\n[ \t]*)|([ \t]*\n[ \t]*)|&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);|(`+)|(\*+|_+)|([^\\\n`*_[\]& \t]+|[ \t]+(?!\n))|[\s\S]/y;

function characterOf(reference: string): string | undefined {
  if (reference[0] !== "#") return characters[reference];
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1));
  return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

/** The ones that models write. Others are shown as written until the answer is whole. */
const characters: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" },
  ...{ copy: "©", hellip: "…", mdash: "—", ndash: "–", times: "×", rarr: "→" },
};

/** The code behind its opening backticks, where as many close it. */
function codeBehind(
  text: string,
  begin: number,
  { ticks, isOpen }: { ticks: string; isOpen: boolean },
): { readonly text: string; readonly end: number } | undefined {
  const closing = new RegExp(`(?<!\`)${ticks}(?!\`)`, "g");
  closing.lastIndex = begin;
  const end = closing.exec(text)?.index ?? -1;
  if (end < 0) return isOpen ? { text: text.slice(begin), end: text.length } : undefined;
  const code = text.slice(begin, end);
  const isPadded = /^[ \n][\s\S]*[^ \n][\s\S]*[ \n]$/.test(code);
  return { text: isPadded ? code.slice(1, -1) : code, end: end + ticks.length };
}

function runOf(run: string, before = " ", after = " "): Piece {
  const isLeft = !isBlank(after) && (!isMark(after) || isBlank(before) || isMark(before));
  const isRight = !isBlank(before) && (!isMark(before) || isBlank(after) || isMark(after));
  const isAnywhere = run[0] === "*";
  return {
    text: run,
    run: {
      size: run.length,
      canOpen: isLeft && (isAnywhere || !isRight || isMark(before)),
      canClose: isRight && (isAnywhere || !isLeft || isMark(after)),
    },
  };
}

function isBlank(character: string): boolean {
  return /\s/.test(character);
}

function isMark(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character);
}

/** The address in parentheses behind a link's words. */
function targetBehind(text: string, begin: number): { readonly url: string; readonly end: number } | undefined {
  target.lastIndex = begin;
  const found = target.exec(text);
  if (!found) return undefined;
  const [whole, bracketed, plain = ""] = found;
  const url = (bracketed ?? plain)
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);/g, (one, name: string) => characterOf(name) ?? one);
  return { url, end: begin + whole.length };
}

const target =
  /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.)*\))(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)?)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/y;

/** Finds the partners of marks as CommonMark says, and marks what is between them. */
function emphasise(pieces: readonly Piece[], isOpen: boolean): void {
  for (const [end, { run: closer, text }] of pieces.entries()) {
    if (!closer?.canClose) continue;
    for (let begin = end - 1; begin >= 0 && closer.size > 0; begin--) {
      const { run: opener, text: marks } = pieces[begin] ?? {};
      if (!opener?.canOpen || opener.size === 0 || marks?.[0] !== text[0] || areStrangers(opener, closer)) continue;
      const size = Math.min(2, opener.size, closer.size);
      opener.size -= size;
      closer.size -= size;
      for (const piece of pieces.slice(begin + 1, end)) {
        mark(piece, size);
        if (piece.run) piece.run.canOpen = false;
      }
      if (opener.size > 0) begin += 1;
    }
  }
  if (!isOpen) return;
  for (const [begin, { run }] of pieces.entries()) {
    if (!run?.canOpen || run.size === 0) continue;
    for (const piece of pieces.slice(begin + 1)) {
      if (run.size > 1) mark(piece, 2);
      if (run.size % 2 === 1) mark(piece, 1);
    }
    run.size = 0;
  }
}

type Run = NonNullable<Piece["run"]>;

function areStrangers(opener: Run, closer: Run): boolean {
  const isThird = (opener.size + closer.size) % 3 === 0 && closer.size % 3 !== 0;
  return (opener.canClose || closer.canOpen) && isThird;
}

function mark(piece: Piece, size: number): void {
  if (size === 2) piece.isBold = true;
  else piece.isItalic = true;
  for (const inner of piece.link?.pieces ?? []) mark(inner, size);
}

function nodesOf(pieces: readonly Piece[]): RichNode[] {
  const nodes: RichNode[] = [];
  let last: TextLeaf | undefined;
  for (const { text, run, isBold, isItalic, isCode, link } of pieces) {
    if (link) {
      const inside = nodesOf(link.pieces);
      nodes.push({ type: "a", url: link.url, children: inside.length > 0 ? inside : [{ text: "" }] });
      last = undefined;
      continue;
    }
    const shown = run ? text.slice(0, run.size) : text;
    if (shown === "") continue;
    const leaf: TextLeaf = {
      text: shown,
      ...(isBold && { bold: true }),
      ...(isItalic && { italic: true }),
      ...(isCode && { code: true }),
    };
    if (last && !isCode && hasMarksOf(last, leaf)) last.text += shown;
    else {
      nodes.push(leaf);
      last = leaf;
    }
  }
  return nodes;
}

function hasMarksOf(one: TextLeaf, other: TextLeaf): boolean {
  return one.bold === other.bold && one.italic === other.italic && one["code"] === other["code"];
}
