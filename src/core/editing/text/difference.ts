import { type Content, lengthOfSegment, looksBetween, readerOf, type Segment } from "./content.ts";
import { type OpsBuilder, opsBuilder, type TextOp } from "./ops.ts";
import { matchingWords } from "./words.ts";

/**
 * Returns the edit that turns one text into another of the same kind. Unchanged characters are kept. If several
 * alignments are possible, the surrounding words decide.
 */
export function diffContents(before: Content, after: Content): readonly TextOp[] {
  const nodes = new Map<string, number>();
  const [from, to] = [codesOf(before, nodes), codesOf(after, nodes)];
  // The end of a rich text is always kept, even if all text before it is replaced.
  const last = typeof before === "string" ? 0 : 1;
  const ops = opsBuilder();
  const way: Way = { from, to, old: readerOf(before), now: readerOf(after), ops };
  const start = sharedStart(way, { a: 0, b: 0 }, Math.min(from.length, to.length) - last);
  const end = sharedEnd(way, { a: from.length, b: to.length }, Math.min(from.length, to.length) - start);
  keep(way, start);
  between(way, { a: start, b: start }, { a: from.length - end, b: to.length - end });
  keep(way, end);
  return ops.ops;
}

type Way = {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly old: ReturnType<typeof readerOf>;
  readonly now: ReturnType<typeof readerOf>;
  readonly ops: OpsBuilder;
};

type At = { readonly a: number; readonly b: number };

/** Adds the operations for a range in which the texts differ both at the beginning and at the end. */
function between(way: Way, from: At, to: At): void {
  const [a, b] = [tokensOf(way.from, from.a, to.a), tokensOf(way.to, from.b, to.b)];
  const matches = matchingWords(
    a.map(({ text }) => text),
    b.map(({ text }) => text),
  );
  let at = from;
  for (const [inA, inB] of matches) {
    const [old, now] = [a[inA], b[inB]];
    // If there are many nodes, tokens may have equal text by coincidence.
    if (!old || !now || way.from[old.at] !== way.to[now.at]) continue;
    replace(way, at, { a: old.at, b: now.at });
    keep(way, old.text.length);
    at = { a: old.at + old.text.length, b: now.at + now.text.length };
  }
  replace(way, at, to);
}

/** Replaces a changed range, but keeps a common prefix and suffix. */
function replace(way: Way, from: At, to: At): void {
  const most = Math.min(to.a - from.a, to.b - from.b);
  const start = sharedStart(way, from, most);
  const end = sharedEnd(way, to, most - start);
  keep(way, start);
  const [gone, come] = [to.a - from.a - start - end, to.b - from.b - start - end];
  way.ops.put(way.now.take(come));
  way.old.take(gone);
  way.ops.drop(gone);
  keep(way, end);
}

/** Keeps units that are in both texts, and updates their formatting if it differs. */
function keep({ old, now, ops }: Way, count: number): void {
  for (let left = count; left > 0; ) {
    const before = old.takeSegment(left);
    if (!before) return;
    for (let rest = lengthOfSegment(before); rest > 0; ) {
      const after = now.takeSegment(rest);
      if (!after) return;
      const length = lengthOfSegment(after);
      ops.look(length, looksBetween(before, after));
      rest -= length;
      left -= length;
    }
  }
}

function sharedStart({ from, to }: Way, at: At, most: number): number {
  let count = 0;
  while (count < most && from[at.a + count] === to[at.b + count]) count++;
  return cuts(from, at.a + count) || cuts(to, at.b + count) ? count - 1 : count;
}

function sharedEnd({ from, to }: Way, at: At, most: number): number {
  let count = 0;
  while (count < most && from[at.a - 1 - count] === to[at.b - 1 - count]) count++;
  return cuts(from, at.a - count) || cuts(to, at.b - count) ? count - 1 : count;
}

/** Returns whether a position is inside a surrogate pair. */
function cuts(codes: Uint32Array, at: number): boolean {
  return at > 0 && isHigh(codes[at - 1]) && isLow(codes[at]);
}

function isHigh(code = 0): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code = 0): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Returns one number per unit, for characters, ends of lines and nodes. Formatting is ignored. */
function codesOf(content: Content, nodes: Map<string, number>): Uint32Array {
  const segments: readonly Segment[] = typeof content === "string" ? [{ text: content }] : content;
  const codes = new Uint32Array(segments.reduce((sum, segment) => sum + lengthOfSegment(segment), 0));
  let at = 0;
  for (const segment of segments) {
    if ("text" in segment)
      for (let index = 0; index < segment.text.length; index++) codes[at++] = segment.text.charCodeAt(index);
    else if ("line" in segment) codes[at++] = lineCode;
    else {
      const text = JSON.stringify(segment.node) ?? "";
      const code = nodes.get(text) ?? firstNodeCode + nodes.size;
      nodes.set(text, code);
      codes[at++] = code;
    }
  }
  return codes;
}

const lineCode = 0x10000;
const firstNodeCode = 0x10001;

/** A word, the space between two words, a node or the end of a line. The token's text has one character per unit. */
type Token = { readonly at: number; readonly text: string };

function tokensOf(codes: Uint32Array, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    const kind = kindOf(codes[start]);
    if (at < to && kind !== "other" && kindOf(codes[at]) === kind) continue;
    tokens.push({ at: start, text: textOf(codes.subarray(start, at)) });
    start = at;
  }
  return tokens;
}

function kindOf(code = 0): "word" | "space" | "other" {
  if (code >= lineCode) return "other";
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 ? "space" : "word";
}

/**
 * Returns a text with one character per unit. Nodes and ends of lines are represented by unpaired surrogates, which
 * never occur in texts.
 */
function textOf(codes: Uint32Array): string {
  return Array.from(codes, (code) =>
    String.fromCharCode(code < lineCode ? code : 0xdc00 + ((code - lineCode) % 0x400)),
  ).join("");
}
