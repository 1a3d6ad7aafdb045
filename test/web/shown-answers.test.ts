import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openChat } from "../support/live-page.ts";
import { type Filled, visitor } from "../support/web-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const settingsIn = (language: string) => ({ typingEmulation: { enabled: false }, general: { language } });

/** Returns an answer as the page shows it and as it is stored. */
async function answered(block: object, values: Filled, { language, button }: { language: string; button?: string }) {
  const bot = await host.publish({ ...flowOf([block, says("Further")]), settings: settingsIn(language) });
  const ana = visitor(host.api);
  const page = await ana.post(await ana.visit(`/${bot.publicId}`), values, button);
  const [first] = page.said;
  return { shown: first?.replace(/[\u00a0\u202f\u2009]/g, " "), stored: (await host.answersOf(bot)) ?? [] };
}

const money = asks("number input", { style: "currency", currency: "EUR" });
const cases: readonly (readonly [string, object, Filled, string, string, string])[] = [
  ["an amount", money, { text: "1.234,5" }, "de", "1.234,5 €", "1234.5"],
  ["an amount in English", money, { text: "1,234.50" }, "en", "€1,234.5", "1234.5"],
  [
    "a number in the author's locale",
    asks("number input", { locale: "de" }),
    { text: "1.234,5" },
    "en",
    "1.234,5",
    "1234.5",
  ],
  ["a share", asks("number input", { style: "percent" }), { text: "12,5" }, "de", "12,5 %", "12.5"],
  ["a length", asks("number input", { style: "unit", unit: "kilometer" }), { text: "3" }, "fr", "3 km", "3"],
  ["a rating", asks("rating input", {}), { text: "8" }, "en", "8 of 10", "8"],
  ["a rating in stars", asks("rating input", { buttonType: "Icons", length: 5 }), { text: "4" }, "de", "4 von 5", "4"],
  ["a day", asks("date input"), { from: "2026-05-31" }, "en", "May 31, 2026", "31/05/2026"],
  [
    "a range of days",
    asks("date input", { isRange: true }),
    { from: "2026-05-31", to: "2026-06-02" },
    "de",
    "31. Mai – 2. Juni 2026",
    "31/05/2026 to 02/06/2026",
  ],
  [
    "a moment",
    asks("date input", { hasTime: true }),
    { from: "2026-05-31T09:30" },
    "de",
    "31. Mai 2026 um 09:30",
    "31/05/2026 09:30",
  ],
  ["a time", asks("time input"), { text: "14:30" }, "en", "2:30 PM", "14:30"],
  ["an address", asks("email input"), { text: "Ana@Example.com" }, "en", "Ana@Example.com", "ana@example.com"],
];

describe("an answer as shown and as stored", () => {
  test.each(cases)(
    "the answer is shown and stored correctly: %s",
    async (_, block, values, language, shown, stored) => {
      expect(await answered(block, values, { language })).toEqual({ shown: `visitor: ${shown}`, stored: [[stored]] });
    },
  );

  test("a chosen button is shown by its text", async () => {
    const items = [{ id: "i1", content: "Blue", value: "b" }];
    const choice = asks("choice input", {}, { items });
    expect(await answered(choice, {}, { language: "en", button: "Blue" })).toEqual({
      shown: "visitor: Blue",
      stored: [["b"]],
    });
  });

  test("a skipped file is shown as skipped, and nothing is stored", async () => {
    const file = asks("file input", { isRequired: false });
    expect(await answered(file, {}, { language: "de", button: "Überspringen" })).toEqual({
      shown: "visitor: Übersprungen",
      stored: [[]],
    });
  });
});

inBrowser("answers look the same when they are given and after a reload", async ({ page, problems }) => {
  const blocks = [
    money,
    asks("rating input", { isOneClickSubmitEnabled: true }),
    asks("file input", { isRequired: false }),
  ];
  const bot = await host.publish({ ...flowOf([...blocks, asks("text input")]), settings: settingsIn("de") });
  await openChat(page, bot.address);
  await page.getByRole("textbox").fill("1.234,5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "8", exact: true }).click();
  await page.getByRole("button", { name: "Überspringen" }).click();
  await page.getByRole("textbox").waitFor();
  const shown = async () =>
    (await page.locator(".typebot-guest-bubble").allTextContents()).map((text) => text.replace("\u00a0", " "));

  expect(await shown()).toEqual(["1.234,5 €", "8 von 10", "Übersprungen"]);
  await page.reload();
  await page.locator(".typebot-guest-bubble").nth(2).waitFor();
  expect(await shown()).toEqual(["1.234,5 €", "8 von 10", "Übersprungen"]);
  expect(problems).toEqual([]);
});
