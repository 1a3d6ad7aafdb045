/** A range of a text, from `start` (inclusive) to `end` (exclusive), and the text between its brackets. */
export type Span = { readonly start: number; readonly end: number; readonly inner: string };

/**
 * A parsed text: its non-empty literal parts and the names between them. `parts` is absent if the text contains inline
 * code.
 */
export type Template = { readonly text: string; readonly parts?: readonly TemplatePart[] };

export type TemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "name"; readonly name: string };

/** A piece of a rendered text: literal text, or a reference with the text that replaces it. */
export type Piece =
  | { readonly kind: "literal"; readonly text: string }
  /** `isPlainVariable` distinguishes `{{name}}` from inline code `{{=code=}}`. */
  | { kind: "reference"; text: string; isPlainVariable: boolean };

export function readTemplate(text: string): Template {
  return inlineCodes(text).length > 0 ? { text } : { text, parts: readParts(text) };
}

export function readParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const { start, end, inner } of findVariables(text)) {
    if (start > from) parts.push({ kind: "literal", text: text.slice(from, start) });
    parts.push({ kind: "name", name: inner });
    from = end;
  }
  if (from < text.length) parts.push({ kind: "literal", text: text.slice(from) });
  return parts;
}

/**
 * Returns every `{{=code=}}` from left to right. Each match is the shortest code with at least one character and no
 * line break.
 */
export function inlineCodes(text: string): Span[] {
  return shortestSpans(text, "{{=", "=}}");
}

/**
 * Returns every `{{name}}` that counts as a mention of a variable: the shortest name with at least one character on a
 * single line.
 */
export function mentions(text: string): Span[] {
  return shortestSpans(text, "{{", "}}");
}

/** Returns every `{{name}}` that is replaced by a value. A name contains no curly brackets. */
export function findVariables(text: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf("{{"); start >= 0; start = text.indexOf("{{", start)) {
    const nameStart = start + 2;
    const nameEnd = nextBracket(text, nameStart);
    const isReference = nameEnd > nameStart && text.startsWith("}}", nameEnd);
    if (isReference) spans.push({ start, end: nameEnd + 2, inner: text.slice(nameStart, nameEnd) });
    // The last two of three brackets may start a name.
    start = isReference ? nameEnd + 2 : start + 1;
  }
  return spans;
}

function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === openBracket || code === closeBracket) return at;
  }
  return text.length;
}

const openBracket = 0x7b;
const closeBracket = 0x7d;
const lineBreak = /[\n\r\u2028\u2029]/g;

/**
 * Returns the shortest spans between `open` and `close` on a single line. Takes linear time even for a text full of
 * opening brackets, because each closing bracket and line break is searched for only once.
 */
function shortestSpans(text: string, open: string, close: string): Span[] {
  const spans: Span[] = [];
  let closing = -1;
  let breaking = -1;
  for (let start = text.indexOf(open); start >= 0; ) {
    const innerStart = start + open.length;
    if (closing <= innerStart) closing = text.indexOf(close, innerStart + 1);
    if (closing < 0) break;
    if (breaking < innerStart) breaking = nextLineBreak(text, innerStart);
    const isSpan = closing < breaking;
    const end = closing + close.length;
    if (isSpan) spans.push({ start, end, inner: text.slice(innerStart, closing) });
    start = text.indexOf(open, isSpan ? end : start + 1);
  }
  return spans;
}

function nextLineBreak(text: string, from: number): number {
  lineBreak.lastIndex = from;
  return lineBreak.exec(text)?.index ?? text.length;
}
