/**
 * The countries whose phone numbers the service supports, each with its calling code. The table is copied from
 * libphonenumber-js, which is far too large for a page. A test compares the table with this library.
 */
const table = `
AC247 AD376 AE971 AF93 AG1 AI1 AL355 AM374 AO244 AR54 AS1 AT43 AU61 AW297 AX358 AZ994 BA387 BB1 BD880 BE32
BF226 BG359 BH973 BI257 BJ229 BL590 BM1 BN673 BO591 BQ599 BR55 BS1 BT975 BW267 BY375 BZ501 CA1 CC61 CD243
CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1
DO1 DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1 GE995
GF594 GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GT502 GU1 GW245 GY592 HK852 HN504 HR385 HT509 HU36
ID62 IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1
KP850 KR82 KW965 KY1 KZ7 LA856 LB961 LC1 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373
ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1 MQ596 MR222 MS1 MT356 MU230 MV960 MW265 MX52 MY60
MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63
PK92 PL48 PM508 PR1 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65
SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1 SY963 SZ268 TA290 TC1 TD235 TG228
TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1 TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VA39 VC1 VE58
VG1 VI1 VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263
`;

type PhoneCountry = {
  /** Two letters, such as `FR`. */
  readonly code: string;
  readonly callingCode: string;
};

export const phoneCountries: readonly PhoneCountry[] = table
  .trim()
  .split(/\s+/)
  .map((entry) => ({ code: entry.slice(0, 2), callingCode: entry.slice(2) }));

export type Country = PhoneCountry & {
  /** The country's name in the page's language. */
  readonly name: string;
  /**
   * The texts by which a country is found, in lower case without accents: its names in the page's language and in
   * English, and its two-letter code.
   */
  readonly terms: readonly string[];
};

const lists = new Map<string, readonly Country[]>();

/**
 * Lists the countries that have telephone numbers, with their names in a language, sorted by the rules of the language.
 */
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

/** Ascension and Tristan da Cunha have phone numbers of their own, but are not countries of residence. */
const ofAnotherCountry: ReadonlySet<string> = new Set(["AC", "TA"]);

/** Lists the countries that people name as their residence. */
export function homeCountries(language: string): readonly Country[] {
  return namedCountries(language).filter(({ code }) => !ofAnotherCountry.has(code));
}

/**
 * Returns the country that the whole text names: by a name, by its two-letter code, or by a name with a calling code,
 * such as `France (+33)`. Undefined if there is no such country.
 */
export function countryNamed(text: string, countries: readonly Country[]): Country | undefined {
  const wanted = folded(text.replace(/\s*\(\+\d+\)\s*$/, ""));
  return wanted === "" ? undefined : countries.find(({ terms }) => terms.includes(wanted));
}

/**
 * Lists the countries that match a text, most likely first. An empty text matches all countries, and a number matches
 * calling codes.
 */
export function countriesFound(text: string, countries: readonly Country[]): readonly Country[] {
  const wanted = folded(text);
  const digits = text.trim().replace(/^(\+|00)/, "");
  if (/^\d+$/.test(digits)) return countries.filter(({ callingCode }) => callingCode.startsWith(digits));
  if (wanted === "") return countries;
  return [0, 1, 2].flatMap((rank) => countries.filter(({ terms }) => rankOf(wanted, terms) === rank));
}

/** Ranks a match: 0 is a whole name, 1 the start of a name or of a word, 2 another part of a name, and 3 no match. */
function rankOf(wanted: string, terms: readonly string[]): number {
  if (terms.includes(wanted)) return 0;
  if (terms.some((term) => term.startsWith(wanted) || term.includes(` ${wanted}`))) return 1;
  return wanted.length > 2 && terms.some((term) => term.includes(wanted)) ? 2 : 3;
}

/**
 * Removes case, accents and punctuation, so that "cote d" finds "Côte d’Ivoire". Marks of other scripts count as
 * letters.
 */
function folded(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}
