import type { Mark } from "../rich-text/marks.ts";

/** The marks that are written with runs of `*`, `_` or `~`. */
export const signedMarks = ["bold", "italic", "strikethrough"] as const satisfies readonly Mark[];

export type SignedMark = (typeof signedMarks)[number];

/** A piece of a paragraph: text, or the beginning or end of a construct that contains other pieces. */
export type Piece = {
  readonly text: string;
  /** Whether the piece is a hard line break, which is a separate leaf. */
  readonly isBreak?: boolean;
  readonly only?: "code" | "math";
  /** The URL of an autolink. */
  readonly link?: string;
  readonly note?: number;
  readonly opens?: { readonly url: string; readonly isImage: boolean };
  readonly closes?: boolean;
  /** For a run of delimiters: the remaining delimiters, and whether the run may open or close emphasis. */
  run?: Run;
  /** Marks that start (1) or end (-1) before this piece. */
  marks?: (readonly [SignedMark, 1 | -1])[];
};

type Run = { size: number; readonly length: number; readonly canOpen: boolean; readonly canClose: boolean };

/**
 * Creates a piece for a run of `*`, `_` or `~`, given the adjacent characters. A run of more than two `~` is plain
 * text.
 */
export function runOf(text: string, before: string, after: string): Piece {
  const isLeft = !isBlank(after) && (!isSign(after) || isBlank(before) || isSign(before));
  const isRight = !isBlank(before) && (!isSign(before) || isBlank(after) || isSign(after));
  const isAnywhere = text[0] !== "_";
  if (text[0] === "~" && text.length > 2) return { text };
  return {
    text,
    run: {
      size: text.length,
      length: text.length,
      canOpen: isLeft && (isAnywhere || !isRight || isSign(before)),
      canClose: isRight && (isAnywhere || !isLeft || isSign(after)),
    },
  };
}

function isBlank(character: string): boolean {
  return /\s/.test(character);
}

function isSign(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character);
}

/**
 * Pairs delimiters according to CommonMark and marks the text between them. Takes linear time, because a search that
 * found no partner is not repeated for equal delimiters. While the text is incomplete, opening delimiters without a
 * partner mark the rest of the text. A single `~` does not.
 */
export function emphasise(pieces: Piece[], runs: readonly number[], { isOpen }: { isOpen: boolean }): void {
  const stack: Stack = { pieces, openers: [], bottoms: new Map() };
  for (const at of runs) {
    const { run, text } = pieces[at] ?? {};
    if (!run) continue;
    const sign = text?.[0] ?? "";
    if (run.canClose) close(stack, { at, run, sign });
    if (run.canOpen && run.size > 0) stack.openers.push({ at, run, sign });
  }
  for (const { at, run, sign } of isOpen ? stack.openers : []) {
    if (sign === "~" && run.size < 2) continue;
    const size = Math.min(3, run.size);
    run.size = 0;
    if (size !== 1) mark(pieces, markOf(sign, 2), [at + 1, pieces.length]);
    if (size !== 2) mark(pieces, markOf(sign, 1), [at + 1, pieces.length]);
  }
}

type Opener = { readonly at: number; readonly run: Run; readonly sign: string };

type Stack = { readonly pieces: Piece[]; readonly openers: Opener[]; readonly bottoms: Map<string, number> };

function close({ pieces, openers, bottoms }: Stack, closer: Opener): void {
  const { run, sign, at } = closer;
  while (run.size > 0) {
    const key = sign === "~" ? `~${run.size}` : `${sign}${run.canOpen}${run.length % 3}`;
    const bottom = bottoms.get(key) ?? 0;
    let found = openers.length - 1;
    for (; found >= bottom; found--) {
      const opener = openers[found];
      if (opener?.sign === sign && arePartners(opener.run, run, sign)) break;
    }
    const opener = openers[found];
    if (found < bottom || !opener) {
      bottoms.set(key, openers.length);
      return;
    }
    openers.length = found + 1;
    const size = sign === "~" ? run.size : Math.min(2, opener.run.size, run.size);
    opener.run.size -= size;
    run.size -= size;
    mark(pieces, markOf(sign, size), [opener.at + 1, at]);
    if (opener.run.size === 0) openers.pop();
    for (const [name, place] of bottoms) bottoms.set(name, Math.min(place, openers.length));
  }
}

function arePartners(opener: Run, closer: Run, sign: string): boolean {
  if (sign === "~") return opener.size === closer.size;
  const isThird = (opener.length + closer.length) % 3 === 0 && closer.length % 3 !== 0;
  return !((opener.canClose || closer.canOpen) && isThird);
}

function markOf(sign: string, size: number): SignedMark {
  if (sign === "~") return "strikethrough";
  return size > 1 ? "bold" : "italic";
}

function mark(pieces: Piece[], name: SignedMark, [begin, end]: readonly [number, number]): void {
  const first = pieces[begin];
  if (!first || begin >= end) return;
  first.marks ??= [];
  first.marks.push([name, 1]);
  const last = pieces[end];
  if (!last) return;
  last.marks ??= [];
  last.marks.push([name, -1]);
}
