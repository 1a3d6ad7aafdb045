import { type PhoneCountry, phoneCountries } from "./phone-countries.ts";

/** A country as a list shows it. */
export type Country = PhoneCountry & {
  /** Its name in the page's language. */
  readonly name: string;
  /** What it is found by, in small letters without accents: its names, those in English, and its two letters. */
  readonly terms: readonly string[];
};

const lists = new Map<string, readonly Country[]>();

/** The countries that have telephone numbers, by their names in a language and in its order. */
export function namedCountries(language: string): readonly Country[] {
  const kept = lists.get(language);
  if (kept) return kept;
  const readers = [language, "en"].flatMap((one) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(one, { type: "region", style, fallback: "code" }),
    ),
  );
  const order = new Intl.Collator(language);
  const list = phoneCountries
    .map((country) => {
      const names = readers.map((reader) => reader.of(country.code) ?? country.code);
      const terms = [...new Set([...names.map(folded), country.code.toLowerCase()])];
      return { ...country, name: names[0] ?? country.code, terms };
    })
    .sort((a, b) => order.compare(a.name, b.name));
  lists.set(language, list);
  return list;
}

/** Places that have a code for telephones of their own, and no government. */
const ofAnotherCountry: ReadonlySet<string> = new Set(["AC", "TA"]);

/** The countries that people say they live in. */
export function homeCountries(language: string): readonly Country[] {
  return namedCountries(language).filter(({ code }) => !ofAnotherCountry.has(code));
}

/** The country that a text names wholly: by a name, by its two letters, or as the list of a phone number shows it. */
export function countryNamed(text: string, countries: readonly Country[]): Country | undefined {
  const wanted = folded(text.replace(/\s*\(\+\d+\)\s*$/, ""));
  return wanted === "" ? undefined : countries.find(({ terms }) => terms.includes(wanted));
}

/** The countries that a text may mean, the likeliest first; all of them for none. */
export function countriesFound(text: string, countries: readonly Country[]): readonly Country[] {
  const wanted = folded(text);
  const digits = text.trim().replace(/^(\+|00)/, "");
  if (/^\d+$/.test(digits)) return countries.filter(({ callingCode }) => callingCode.startsWith(digits));
  if (wanted === "") return countries;
  return [0, 1, 2].flatMap((rank) => countries.filter(({ terms }) => rankOf(wanted, terms) === rank));
}

/** 0: a whole name; 1: the begin of one, or of one of its words; 2: a part of one. */
function rankOf(wanted: string, terms: readonly string[]): number {
  if (terms.includes(wanted)) return 0;
  if (terms.some((term) => term.startsWith(wanted) || term.includes(` ${wanted}`))) return 1;
  return wanted.length > 2 && terms.some((term) => term.includes(wanted)) ? 2 : 3;
}

/** Without case, accents and points: "cote d" finds "Côte d’Ivoire". Marks of other scripts are letters. */
function folded(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}
