import { expect, test } from "bun:test";
import { dateAsTyped, typedDay, typedMoment } from "../../../src/web/conversation/dates/typed-dates.ts";
import { timeAsTyped, timeLater, typedTime } from "../../../src/web/conversation/dates/typed-times.ts";

/** The fourth of May 2026, and 14:30, as people type them in each language. */
const typed: Readonly<Record<string, { readonly days: readonly string[]; readonly times: readonly string[] }>> = {
  "en-US": {
    days: ["5/4/2026", "05-04-26", "05042026", "050426", "May 4, 2026", "4 may 2026"],
    times: ["2:30 PM", "2.30pm", "230 p.m.", "14:30", "1430"],
  },
  "en-GB": { days: ["4/5/2026", "04.05.26", "04052026", "4th May 2026"], times: ["14:30", "2:30pm"] },
  de: {
    days: ["4.5.2026", "04.05.26", "04052026", "4. Mai 2026", "4. mai 26"],
    times: ["14:30", "14.30", "14:30 Uhr", "1430"],
  },
  fr: { days: ["4/5/2026", "04/05/26", "4 mai 2026"], times: ["14:30", "14h30", "14 h 30"] },
  es: { days: ["4/5/2026", "04-05-26", "4 de mayo de 2026"], times: ["14:30", "2:30 p. m."] },
  "pt-BR": { days: ["04/05/2026", "4 de maio de 2026"], times: ["14:30", "14h30"] },
  pl: { days: ["4.05.2026", "4 maja 2026", "4 maj 2026"], times: ["14:30"] },
  nl: { days: ["4-5-2026", "4 mei 2026"], times: ["14:30", "14.30"] },
  tr: { days: ["04.05.2026", "4 Mayıs 2026"], times: ["14:30", "14.30"] },
  sv: { days: ["2026-05-04", "20260504", "260504", "4 maj 2026"], times: ["14:30", "14.30"] },
  ja: { days: ["2026/5/4", "2026年5月4日", "20260504", "26/5/4"], times: ["14:30", "14時30分", "午後2:30"] },
  zh: { days: ["2026/5/4", "2026年5月4日"], times: ["14:30", "下午2:30", "14点30分"] },
  ko: { days: ["2026. 5. 4.", "2026년 5월 4일"], times: ["오후 2:30", "14시 30분"] },
  "ar-EG": { days: ["٤‏/٥‏/٢٠٢٦", "4/5/2026", "٤ مايو ٢٠٢٦"], times: ["٢:٣٠ م", "14:30", "٢٫٣٠ م"] },
  he: { days: ["4.5.2026", "4 במאי 2026"], times: ["14:30"] },
  hi: { days: ["4/5/2026", "४/५/२०२६", "4 मई 2026"], times: ["2:30 pm", "14:30"] },
  bn: { days: ["৪/৫/২০২৬", "4/5/26"], times: ["২:৩০ PM", "14:30"] },
};

for (const [locale, { days, times }] of Object.entries(typed)) {
  test(`days and times are parsed in the format of ${locale}`, () => {
    expect(days.map((text) => [text, typedDay(text, locale, 2026)])).toEqual(days.map((text) => [text, "2026-05-04"]));
    expect(times.map((text) => [text, typedTime(text, locale)])).toEqual(times.map((text) => [text, "14:30"]));
    expect(typedDay("2026-05-04", locale)).toBe("2026-05-04");
    for (const day of days)
      expect([day, typedMoment(`${day} ${times[0]}`, locale, 2026)]).toEqual([day, "2026-05-04T14:30"]);
  });
}

test("a displayed value is parsed back unchanged in dozens of locales", () => {
  const locales = [
    ...Object.keys(typed),
    "ar",
    "fa",
    "th",
    "bg",
    "hu",
    "lv",
    "lt",
    "fi",
    "cs",
    "uk",
    "ru",
    "vi",
    "zh-TW",
    "en-CA",
    "ur",
    "mr",
    "my",
    "sr",
    "hr",
    "bg",
    "he",
    "el",
    "id",
    "ro",
  ];
  for (const locale of locales) {
    const day = dateAsTyped("2026-12-03", locale);
    const moment = dateAsTyped("1999-01-31T00:05", locale);
    expect([locale, day, typedDay(day, locale)]).toEqual([locale, day, "2026-12-03"]);
    expect([locale, moment, typedMoment(moment, locale)]).toEqual([locale, moment, "1999-01-31T00:05"]);
    for (const time of ["00:00", "09:05", "12:00", "23:59"]) {
      const shown = timeAsTyped(time, locale);
      expect([locale, shown, typedTime(shown, locale)]).toEqual([locale, shown, time]);
    }
  }
});

test("non-existent and ambiguous days are not guessed", () => {
  for (const text of [
    "31/02/2026",
    "0/1/2026",
    "13/13/2026",
    "5/2026",
    "5",
    "2026",
    "",
    "soon",
    "1/2/3/4",
    "1/1/202",
    "123456789",
    "5 May 2026 10 30",
    "01/05/0005",
    "2026-31-12",
  ])
    expect([text, typedDay(text, "en-GB")]).toEqual([text, undefined]);
  expect(typedDay("4/5/2026", "sv")).toBeUndefined();
  expect(typedDay("31/12/2026", "sv")).toBe("2026-12-31");
  expect(typedDay("31/12/2026", "en-US")).toBe("2026-12-31");
  expect(typedDay("29/2/2024", "en-GB")).toBe("2024-02-29");
  // The name of the first month is part of the name of the eleventh.
  expect(typedDay("2026 十一月 5", "zh")).toBe("2026-11-05");
});

test("a two-digit year is at most twenty years in the future", () => {
  expect(typedDay("1.2.46", "de", 2026)).toBe("2046-02-01");
  expect(typedDay("1.2.47", "de", 2026)).toBe("1947-02-01");
  expect(typedDay("1.2.05", "de", 2095)).toBe("2105-02-01");
});

test("a moment is parsed only if it has both a date and a valid time", () => {
  expect(typedMoment("31/05/2026", "en-GB")).toBeUndefined();
  expect(typedMoment("31/05/2026 25:00", "en-GB")).toBeUndefined();
  expect(typedMoment("053120260930AM", "en-US")).toBe("2026-05-31T09:30");
  expect(typedMoment("310520260930", "en-GB")).toBe("2026-05-31T09:30");
  expect(typedMoment("31. Mai 2026 um 9:30", "de")).toBe("2026-05-31T09:30");
  expect(typedMoment("2026-05-31T09:30", "ja")).toBe("2026-05-31T09:30");
});

test("the time 0 pm is refused", () => {
  expect(typedTime("0 pm", "en-US")).toBeUndefined();
});

test("times are parsed in common notations", () => {
  for (const [text, time] of Object.entries({
    "9": "09:00",
    "9am": "09:00",
    "9 PM": "21:00",
    "12am": "00:00",
    "12pm": "12:00",
    "0": "00:00",
    "930": "09:30",
    "09:30:15": "09:30",
  }))
    expect([text, typedTime(text, "en")]).toEqual([text, time]);
  for (const text of ["24", "9:60", "24:00", "14am", "", "noon", "9:3", "123456", "-1"])
    expect([text, typedTime(text, "en")]).toEqual([text, undefined]);
  expect(typedTime("14 pm", "en")).toBe("14:00");
  expect([timeLater("23:55", 10), timeLater("00:00", -5)]).toEqual(["00:05", "23:55"]);
});
