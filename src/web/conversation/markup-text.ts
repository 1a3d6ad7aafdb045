/** A character of a text, with its position in the markup. */
type Unit = { readonly char: string; readonly start: number; readonly end: number };

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
  ["#39", "'"],
]);

/**
 * Converts HTML to text without tags, and collapses white space. Each `<br>`, `</p>` and `</div>` becomes a line break.
 */
export function textOfMarkup(html: string): string {
  return unitsOf(html)
    .map(({ char }) => char)
    .join("");
}

/** Replaces the text of HTML and keeps its tags, except for line breaks in the part of the text that differs. */
export function markupWithText(html: string, text: string): string {
  const units = unitsOf(html);
  const before = units.map(({ char }) => char);
  const after = [...text];
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let kept = 0;
  while (kept < shorter - from && before[before.length - 1 - kept] === after[after.length - 1 - kept]) kept++;
  const start = units[from - 1]?.end ?? units[0]?.start ?? 0;
  const end = units[units.length - kept]?.start ?? units.at(-1)?.end ?? html.length;
  const tags = html.slice(start, Math.max(start, end)).match(/<[^<>]*>/g) ?? [];
  const middle = after
    .slice(from, after.length - kept)
    .map(written)
    .join("");
  return html.slice(0, start) + middle + tags.filter((tag) => !isLine(tag)).join("") + html.slice(Math.max(start, end));
}

function unitsOf(html: string): readonly Unit[] {
  const units: Unit[] = [];
  for (const { 0: found, index } of html.matchAll(/<[^<>]*>|&(?:amp|lt|gt|quot|nbsp|#39);|\s+|./gsu)) {
    const char = charOf(found);
    if (char === undefined) continue;
    const last = units.at(-1);
    const isAtLine = last === undefined || last.char === "\n";
    if (char === " " && isAtLine) continue;
    if (char === "\n" && last?.char === " ") units.pop();
    units.push({ char, start: index, end: index + found.length });
  }
  const begin = units.findIndex(({ char }) => char.trim() !== "");
  const end = units.findLastIndex(({ char }) => char.trim() !== "");
  return begin < 0 ? [] : units.slice(begin, end + 1);
}

/** Returns the character that a part of the markup represents, or undefined for a tag without a character. */
function charOf(found: string): string | undefined {
  if (found.startsWith("<") && found.length > 1) return isLine(found) ? "\n" : undefined;
  if (found.startsWith("&") && found.length > 1) return entities.get(found.slice(1, -1));
  return /\s/.test(found) ? " " : found;
}

function isLine(tag: string): boolean {
  return /^<(br|\/p|\/div)\s*\/?>$/i.test(tag);
}

function written(char: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "<br>" };
  return names[char] ?? char;
}
