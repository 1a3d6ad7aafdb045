import { afterAll, expect, test } from "bun:test";
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { listIndexedResults } from "../../../src/management/person-erasures/person-erasures.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { createTestDatabase } from "../../support/database.ts";
import { createExplainer } from "../../support/plans.ts";
import { putResult } from "../../support/results.ts";

const { sql, url, close } = await createTestDatabase({ connections: 2 });
afterAll(close);

test.each([
  [
    "case and blanks at the ends",
    "ada@example.com",
    [" Ada@Example.COM\n", "\u00a0ADA@EXAMPLE.COM", "\u3000ada@example.com\u200b"],
  ],
  ["inner white space", "ada lovelace", ["Ada  Lovelace", "Ada\t Lovelace", "ADA\u00a0LOVELACE"]],
  ["composed letters", "José Ångström", ["Jose\u0301 A\u030angstro\u0308m", "JOSÉ ÅNGSTRÖM", "josé \u212bngström"]],
  ["the case of other scripts", "Юлия ΝΊΚΟΣ", ["юлия νίκος", "ЮЛИЯ Νίκοσ", "Юлия νίκος"]],
  ["letters such as ß", "STRASSE", ["straße", "Strasse", "STRAẞE", "ſtraße"]],
  ["the Turkish i", "ışık İstanbul", ["IŞIK istanbul", "işik ISTANBUL"]],
  ["the width of letters", "ada@example.com", ["ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ"]],
  [
    "the notation of phone numbers",
    "+49170123",
    [
      "0049170123",
      "+49 170 123",
      "+49-170/123",
      "(+49) 170.123",
      "00 49 (0) 170 123",
      "+49 0170 123",
      "\u202a+49 170\u2011123\u202c",
      "＋４９１７０１２３",
      "+٤٩ ١٧٠ ١٢٣",
    ],
  ],
  ["the notation of Italian phone numbers", "+390669812345", ["+39 06 6981 2345", "0039 (0)6 69812345"]],
])("differences in %s are ignored in a comparison of values", async (_, text, others) => {
  const [found] = await sql`
    select array_agg(folded(other) = folded(${text}) order by place) as same
    from unnest(${others}::text[]) with ordinality as others (other, place)`;
  expect(found?.["same"]).toEqual(others.map(() => true));
});

test.each([
  ["ada@example.com", "ada@example.com.au"],
  ["ada@example.com", "ad.a@example.com"],
  ["Müller", "Muller"],
  ["Müller", "Mueller"],
  ["AdaLovelace", "Ada Lovelace"],
  // The country of the number is unknown.
  ["0170 1234567", "+491701234567"],
  // In texts that are not phone numbers, spaces and punctuation are significant.
  ["2024-01-02", "20240102"],
  ["1.5", "15"],
  ["0170-123", "0170123"],
  ["+49 170 123 ext. 5", "+49 170 123"],
  ["+1-2-3", "+123"],
])("the value %s is not equal to %s", async (one, other) => {
  expect(await fold([one, other])).toEqual([expect.any(String), expect.any(String)]);
  expect(new Set(await fold([one, other])).size).toBe(2);
});

test("letters of every script have the same folded form in lower and upper case", async () => {
  const letters = Array.from({ length: 0x1_fa_ff }, (_, at) => String.fromCodePoint(at + 1)).filter(
    (letter) => letter.isWellFormed() && letter.toLowerCase() !== letter.toUpperCase(),
  );
  const [same, small, capital] = await Promise.all(
    [letters, letters.map((letter) => letter.toLowerCase()), letters.map((letter) => letter.toUpperCase())].map(fold),
  );

  expect(letters.length).toBeGreaterThan(2_700);
  expect(letters.filter((_, at) => same?.[at] !== small?.[at])).toEqual([]);
  expect(letters.filter((_, at) => same?.[at] !== capital?.[at])).toEqual([]);
});

test("phone numbers of every country are parsed as in libphonenumber-js", async () => {
  const written = getCountries().flatMap(spellingsOf);
  const folded = await fold(written.map(({ text }) => text));

  expect(written.length).toBeGreaterThan(1_500);
  expect(written.filter(({ number }, at) => folded[at] !== number)).toEqual([]);
});

test("a person is found through an index, even by a very long value", async () => {
  const botId = newId();
  const long = `${"é".repeat(300)}a`;
  const put = (value: string) => putResult(sql, botId, { variables: [{ id: idOf("e"), name: "Email", value }] });
  const [ada, longer] = [await put("ADA@example.com"), await put(long)];
  await put(`${"é".repeat(300)}b`);
  for (let index = 0; index < 300; index++) await put(`visitor-${index}@example.com`);
  for (const task of resultValues(sql)) while ((await task.removeSome()) > 0);
  await sql`analyze result_values`;
  const explainer = createExplainer(url);
  const find = async (value: string) => {
    const [folded = ""] = await fold([value]);
    const wanted = { name: "Email", value: folded, isPrefix: false, isFolded: true };
    const found = await listIndexedResults(explainer.sql, { botId, wanted, after: undefined, limit: 100 });
    return found.filter(({ isMeant }) => isMeant).map(({ id }) => id);
  };

  expect(await find(long.toUpperCase().normalize("NFD"))).toEqual([longer.resultId]);
  expect(await find(" ada@EXAMPLE.com")).toEqual([ada.resultId]);
  const plan = await explainer.plan();
  await explainer.close();
  expect(plan).toContain("result_values_folded");
});

test("statistics of the index contain no visitor's texts", async () => {
  const sampled =
    await sql`select from pg_stats where tablename = 'result_values_folded' and most_common_vals::text like '%@%'`;
  expect(sampled).toHaveLength(0);
  const [column] = await sql`
    select attstattarget as target
    from pg_attribute
    where attrelid = 'result_values_folded'::regclass and attnum = 3`;
  expect(column).toEqual({ target: 0 });
});

/** Returns spellings of a country's number, with the number that the library parses from each spelling. */
function spellingsOf(country: CountryCode): readonly { text: string; number: string }[] {
  const example = getExampleNumber(country, examples);
  if (!example) return [];
  const { countryCallingCode: code, nationalNumber: rest } = example;
  const spaced = example.formatInternational();
  return [
    ...[spaced, spaced.replaceAll(" ", "-"), `(+${code}) ${rest}`, `+${code}${rest}`],
    ...[`+${code} (0)${rest}`, `+${code} 0 ${rest}`],
  ].flatMap((text) => {
    const read = parsePhoneNumberFromString(text, { extract: false });
    // The number is not valid with a leading 0 that the country does not use.
    if (!read?.isValid()) return [];
    return [
      { text, number: read.number },
      { text: text.replace("+", "00"), number: read.number },
    ];
  });
}

async function fold(texts: readonly string[]): Promise<string[]> {
  const rows = await sql<{ folded: string }[]>`
    select folded(text)
    from unnest(${[...texts]}::text[]) with ordinality as given (text, place)
    order by place`;
  return rows.map(({ folded }) => folded);
}
