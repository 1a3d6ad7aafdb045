/** The two-letter codes of all countries. */

const codes = `
AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL
CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT
GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO
TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

const known: ReadonlySet<string> = new Set(codes);

/**
 * The languages of the pages, with English first. Country names are recognised in these languages and in the bot's
 * language.
 */
const readLanguages = "en de fr es it nl pl pt tr ar he hi ja zh".split(" ");

/** Everyday names that `Intl.DisplayNames` does not contain. */
const everyday: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ usa: "US", america: "US", "united states of america": "US", uae: "AE", emirates: "AE" },
    ...{ "great britain": "GB", britain: "GB", england: "GB", scotland: "GB", wales: "GB", "northern ireland": "GB" },
    ...{ holland: "NL", turkey: "TR", "czech republic": "CZ", burma: "MM", swaziland: "SZ", macedonia: "MK" },
    ...{
      "ivory coast": "CI",
      "cabo verde": "CV",
      "east timor": "TL",
      palestine: "PS",
      vatican: "VA",
      "holy see": "VA",
    },
    ...{ "russian federation": "RU", "republic of ireland": "IE", "viet nam": "VN", congo: "CG", drc: "CD" },
  }),
);

type Named = { readonly text: string; readonly replyId?: string };

/**
 * Returns the name of the country in the reply, or undefined if the reply is not a country. The name is in the bot's
 * language, or in the language of the reply if the bot has no language. Clients with their own list of countries may
 * send the two-letter code as `replyId`.
 */
export function countryIn({ text, replyId = "" }: Named, language: string | undefined): string | undefined {
  const own = languageTag(language);
  const [code, read] = codeIn(text, own) ?? [replyId];
  if (!known.has(code)) return undefined;
  const spelled = text.trim();
  const isSpelledIn = (one: string) => namesIn(one).byCode.get(code) === spelled;
  const spoken = own ?? readLanguages.find(isSpelledIn) ?? read ?? "en";
  return namesIn(spoken).byCode.get(code);
}

/**
 * Returns the two-letter code of a country. If only a name in another language matches, also returns this language.
 * Returns undefined if no country matches.
 */
function codeIn(text: string, own: string | undefined): readonly [code: string, language?: string] | undefined {
  const letters = text.trim().toUpperCase();
  if (known.has(letters)) return [letters];
  const wanted = folded(text).replace(/^the /, "");
  const [first = "en", ...others] = own === undefined ? readLanguages : [own, ...readLanguages];
  const codeBy = (language: string) => namesIn(language).byName.get(wanted);
  const code = codeBy(first) ?? codeBy("en") ?? everyday.get(wanted);
  if (code !== undefined) return [code];
  const language = others.find((one) => codeBy(one) !== undefined);
  const found = language && codeBy(language);
  return found ? [found, language] : undefined;
}

type Names = { readonly byName: ReadonlyMap<string, string>; readonly byCode: ReadonlyMap<string, string> };

const lists = new Map<string, Names>();

/** Returns the long and short country names in a language. A language without names falls back to English. */
function namesIn(language: string): Names {
  const long = new Intl.DisplayNames([language, "en"], { type: "region" });
  // Names are cached by resolved locale. Authors may enter any language tag, but only a few hundred locales have names.
  const { locale } = long.resolvedOptions();
  const kept = lists.get(locale);
  if (kept) return kept;
  const short = new Intl.DisplayNames([language, "en"], { type: "region", style: "short" });
  const byCode = new Map(codes.map((code) => [code, long.of(code) ?? code]));
  // The long name of a country takes precedence over the short name of another country.
  const byName = new Map([
    ...codes.map((code) => [folded(short.of(code) ?? code), code] as const),
    ...[...byCode].map(([code, name]) => [folded(name), code] as const),
  ]);
  const names = { byName, byCode };
  lists.set(locale, names);
  return names;
}

/** Returns the language in the bot's settings, or undefined if it is not a language tag. */
function languageTag(language: string | undefined): string | undefined {
  if (language === undefined || !/^[a-z]{2,3}(-|$)/i.test(language)) return undefined;
  try {
    return new Intl.Locale(language).toString();
  } catch {
    return undefined;
  }
}

/**
 * Removes case, accents and punctuation, so that `cote d’ivoire` matches `Côte d’Ivoire`. Combining marks of non-Latin
 * scripts are kept as letters.
 */
function folded(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}
