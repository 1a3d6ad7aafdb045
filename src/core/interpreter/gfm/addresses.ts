export type Address = { readonly text: string; readonly url: string };

/** Returns the bare web address that starts at this position, if any, according to GitHub's rules for autolinks. */
export function linkAt(text: string, at: number): Address | undefined {
  start.lastIndex = at;
  const found = start.exec(text);
  if (!found) return undefined;
  const [, scheme, domain = ""] = found;
  if (!isAllowedBehind(text[at - 1], scheme === undefined) || !isDomain(domain, scheme === undefined)) return undefined;
  rest.lastIndex = start.lastIndex;
  rest.test(text);
  const whole = withoutEnd(text.slice(at, rest.lastIndex));
  return { text: whole, url: scheme === undefined ? `http://${whole}` : whole };
}

const start = /(?:(https?:\/\/)|(?=www\.))((?:[\p{L}\p{N}_-]+(?:\.(?=[\p{L}\p{N}_-]))?)+)/iuy;
/**
 * Matches the rest of an address up to whitespace, an angle bracket, a closing square bracket at the end of a word, or
 * the punctuation of languages that write no space after an address.
 */
const rest = /(?:[^\s<>\]，。、；：！？）】》」』]|\](?![(\s\]]|$))*/y;

function isAllowedBehind(before: string | undefined, isBare: boolean): boolean {
  if (before === undefined || /[\s\p{P}\p{S}]/u.test(before)) return true;
  return !isBare && !/[A-Za-z]/.test(before);
}

function isDomain(domain: string, isBare: boolean): boolean {
  const parts = domain.split(".");
  return !parts.slice(-2).some((part) => part.includes("_")) && (!isBare || parts.length > 1);
}

/**
 * Removes trailing punctuation and character references, because they belong to the sentence. Also removes closing
 * parentheses without a matching opening parenthesis.
 */
function withoutEnd(address: string): string {
  let end = address.length;
  let surplus = address.split(")").length - address.split("(").length;
  while (end > 0) {
    const last = address[end - 1] ?? "";
    if (/[?!.,:*_~'"]/.test(last)) end -= 1;
    else if (last === ")" && surplus > 0) {
      surplus -= 1;
      end -= 1;
    } else if (last === ";") {
      const reference = /&[A-Za-z\d]{1,31};$/.exec(address.slice(Math.max(0, end - 34), end));
      end -= reference ? reference[0].length : 1;
    } else break;
  }
  return address.slice(0, end);
}

/** Splits a text into mail and web addresses and the text between them. */
export function withAddresses(text: string): (string | Address)[] {
  if (!/@|:\/\/|www\./i.test(text)) return [text];
  const parts: (string | Address)[] = [];
  let from = 0;
  const add = (address: Address, at: number): void => {
    if (at > from) parts.push(text.slice(from, at));
    parts.push(address);
    from = at + address.text.length;
  };
  for (const { 0: found, index } of text.matchAll(/https?:\/\/|www\.|@/gi)) {
    if (index < from) continue;
    if (found !== "@") {
      const link = linkAt(text, index);
      if (link) add(link, index);
      continue;
    }
    const mail = mailAround(text, index, from);
    if (mail) add({ text: mail.text, url: `mailto:${mail.text}` }, mail.begin);
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

function mailAround(
  text: string,
  at: number,
  from: number,
): { readonly text: string; readonly begin: number } | undefined {
  let begin = at;
  while (begin > from && at - begin < 64 && /[\w.+-]/.test(text[begin - 1] ?? "")) begin -= 1;
  if (begin === at || text[begin - 1] === "/") return undefined;
  domain.lastIndex = at + 1;
  const found = domain.exec(text);
  if (!found || /[-_]$/.test(found[0])) return undefined;
  return { text: text.slice(begin, domain.lastIndex), begin };
}

const domain = /[A-Za-z\d_-]+(?:\.[A-Za-z\d_-]+)+/y;
