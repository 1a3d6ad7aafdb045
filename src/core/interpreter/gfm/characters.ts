/** Returns a text with backslash escapes and character references resolved. */
export function unescaped(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replaceAll(
    /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g,
    (whole, escaped?: string, reference?: string) => escaped ?? characterOf(reference ?? "") ?? whole,
  );
}

/**
 * Returns the character for a reference such as `#60` or `lt`, or undefined for an unknown name. For an invalid number,
 * returns U+FFFD.
 */
export function characterOf(reference: string): string | undefined {
  if (reference[0] !== "#") return names[reference];
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

/**
 * The character names that models use. A table of all 2,125 HTML names would be three times as large as the rest of the
 * parser.
 */
const names: Readonly<Record<string, string>> = {
  ...{
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00a0",
    ensp: "\u2002",
    emsp: "\u2003",
    thinsp: "\u2009",
  },
  ...{ copy: "©", reg: "®", trade: "™", hellip: "…", mdash: "—", ndash: "–", shy: "\u00ad", bull: "•", middot: "·" },
  ...{ laquo: "«", raquo: "»", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", sect: "§", para: "¶", dagger: "†" },
  ...{ times: "×", divide: "÷", minus: "−", plusmn: "±", deg: "°", micro: "µ", frac12: "½", frac14: "¼", frac34: "¾" },
  ...{ le: "≤", ge: "≥", ne: "≠", asymp: "≈", infin: "∞", radic: "√", sum: "∑", pi: "π", sup2: "²", sup3: "³" },
  ...{ larr: "←", rarr: "→", uarr: "↑", darr: "↓", harr: "↔", rArr: "⇒", check: "✓", cross: "✗", star: "☆" },
  ...{ euro: "€", pound: "£", yen: "¥", cent: "¢", auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü" },
  ...{ szlig: "ß", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç", ntilde: "ñ" },
};
