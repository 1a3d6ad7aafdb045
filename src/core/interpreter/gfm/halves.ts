/**
 * A text that grows without the half of a link at its end, of which the words stay, and without marks of which the rest
 * may be missing.
 */
export function withoutHalves(text: string): string {
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
  // A footnote's mark comes whole.
  if (closing < 0) return words.startsWith("^") ? before : before + words;
  return closing === rest.length - 1 || /^\([^()\s]*$/.test(rest.slice(closing + 1))
    ? keptLink(text, before, words)
    : text;
}

function keptLink(text: string, before: string, words: string): string {
  return words.startsWith("^") ? text : before + words;
}
