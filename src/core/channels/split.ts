import { endOf, type MarkedText, type Span } from "./marked-text.ts";

export type TextRoom = {
  /** The maximum length in UTF-16 units. */
  readonly length: number;
  /** The maximum number of formatted spans in a message. Absent if there is no limit. */
  readonly spans?: number;
};

/**
 * Splits a text into messages no longer than `room`. The text is cut between paragraphs if possible, otherwise between
 * lines, sentences, words or grapheme clusters. Spans at a cut continue in the next message. Links and inline code that
 * fit into a message are not cut. Text beyond the maximum number of messages (`most`) is dropped: `isCut` is true and
 * the last message ends in `…`. An empty text yields no message.
 */
export function splitText(
  whole: MarkedText,
  { room, most }: { readonly room: TextRoom; readonly most: number },
): { readonly parts: readonly MarkedText[]; readonly isCut: boolean } {
  const parts: MarkedText[] = [];
  let rest = whole;
  while (rest.text !== "") {
    const end = Math.min(fittingLength(rest, room), rest.text.length);
    if (end === rest.text.length) {
      parts.push(rest);
      return { parts, isCut: false };
    }
    if (parts.length === most - 1) {
      parts.push(withEllipsis(rest, end));
      return { parts, isCut: true };
    }
    const cut = cutBefore(rest, end);
    parts.push(sliced(rest, 0, cut));
    rest = sliced(rest, cut, rest.text.length);
  }
  return { parts, isCut: false };
}

/**
 * Shortens a text to at most `most` UTF-16 units. The text is cut between grapheme clusters, and a shortened text ends
 * in `…`.
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, graphemeBefore(text, Math.max(0, most - 1))).trimEnd()}…`;
}

/**
 * Returns the end of a text, with at most `most` UTF-16 units. A shortened text starts with `…` and, if possible, is
 * cut at the start of a line.
 */
export function lastPart(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most + 1;
  const line = text.indexOf("\n", from - 1) + 1;
  const isNear = line > 0 && line - from < most / 2;
  return `…${text.slice(isNear ? line : graphemeFrom(text, from))}`;
}

function fittingLength({ text, spans }: MarkedText, room: TextRoom): number {
  const beyond = room.spans === undefined ? undefined : spans.toSorted((a, b) => a.from - b.from)[room.spans];
  return Math.max(1, Math.min(room.length, text.length, beyond?.from ?? text.length));
}

/**
 * Returns the best position for a cut at or before `end`. A position in the first third of the message is used only if
 * a span would otherwise be cut.
 */
function cutBefore(whole: MarkedText, end: number): number {
  const { text, spans } = whole;
  const head = text.slice(0, end + 1);
  const least = Math.floor(end / 3);
  const isGood = (place: number) => place > least && place <= end && !isInOneThing(spans, place, end);
  const found = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["'»”)\]]*\s/g, /\s/g].map((pattern) =>
    [...head.matchAll(pattern)]
      .map(({ index, 0: match }) => index + (match.trimEnd() === "" ? 0 : match.trimEnd().length))
      .findLast(isGood),
  );
  const place = found.find((one) => one !== undefined);
  if (place !== undefined) return place;
  const held = spans.find((span) => isHeld(span, end) && span.from < end && end < endOf(span) && span.from > 0);
  return held ? held.from : Math.max(1, graphemeBefore(text, end));
}

function isInOneThing(spans: readonly Span[], place: number, end: number): boolean {
  return spans.some((span) => isHeld(span, end) && span.from < place && place < endOf(span));
}

function isHeld(span: Span, room: number): boolean {
  return (span.kind === "link" || span.kind === "code") && span.length <= room;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** The number of characters on each side of a position that are searched for a grapheme boundary. */
const lookBack = 200;

/** Returns the last grapheme boundary at or before `end`. Returns `end` if no boundary is found nearby. */
function graphemeBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const from = Math.max(0, end - lookBack);
  const starts = [...graphemes.segment(text.slice(from, end + lookBack))].map(({ index }) => from + index);
  const found = starts.findLast((start) => start <= end && start > from) ?? end;
  return found === 0 ? end : found;
}

/** Returns the first grapheme boundary at or after `start`. */
function graphemeFrom(text: string, start: number): number {
  const from = Math.max(0, start - lookBack);
  const starts = [...graphemes.segment(text.slice(from, start + lookBack))].map(({ index }) => from + index);
  return starts.find((found) => found >= start) ?? start;
}

/** Returns a part of a text without surrounding white space, including the spans inside the part. */
function sliced({ text, spans }: MarkedText, from: number, to: number): MarkedText {
  const words = text.slice(from, to);
  const start = from + (words.length - words.trimStart().length);
  const end = from + words.trimEnd().length;
  if (end <= start) return { text: "", spans: [] };
  return {
    text: text.slice(start, end),
    spans: spans.flatMap((span) => {
      const first = Math.max(span.from, start);
      const last = Math.min(endOf(span), end);
      return first < last ? withoutEnds(text, { ...span, from: first, length: last - first }, start) : [];
    }),
  };
}

function withoutEnds(text: string, span: Span, start: number): Span[] {
  const words = text.slice(span.from, endOf(span));
  const length = words.trim().length;
  if (length === 0) return [];
  return [{ ...span, from: span.from - start + (words.length - words.trimStart().length), length }];
}

function withEllipsis(rest: MarkedText, end: number): MarkedText {
  const { text, spans } = sliced(rest, 0, Math.max(1, graphemeBefore(rest.text, end - 1)));
  return { text: `${text}…`, spans };
}
