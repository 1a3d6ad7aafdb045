import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { isLong } from "../../support/campaigns.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../../support/chat-host.ts";
import { askingFlow, inputs, named } from "./flows.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

async function open(page: Page, language: string, ...blocks: readonly object[]): Promise<PublishedBot> {
  const settings = { typingEmulation: { enabled: false }, general: { language } };
  const bot = await host.publish({ ...askingFlow(...blocks), settings });
  await page.goto(bot.address);
  await page.waitForSelector("body.is-live");
  return bot;
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const focusedDay = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("data-day") ?? document.activeElement?.className);

const answers = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");

inBrowser(
  "the keyboard moves through the days of a calendar",
  async ({ page, problems }) => {
    const bot = await open(page, "en", inputs.date);
    await page.locator("[name=from]").fill("31 Dec 2026");
    await press(page, "Tab", "Enter");
    await page.getByRole("dialog", { name: "Calendar: Date" }).waitFor();
    const seen: unknown[] = [];
    for (const key of ["Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Shift+PageDown"]) {
      await press(page, key);
      seen.push([key, await focusedDay(page)]);
    }

    expect(await page.locator("[name=from]").inputValue()).toBe("31/12/2026");
    expect(seen).toEqual([
      ["Home", "2026-12-28"],
      ["End", "2027-01-03"],
      ["PageUp", "2026-12-03"],
      ["PageDown", "2027-01-03"],
      ["ArrowUp", "2026-12-27"],
      ["ArrowLeft", "2026-12-26"],
      ["ArrowRight", "2026-12-27"],
      ["Shift+PageDown", "2027-12-27"],
    ]);
    expect(await page.locator("[data-day]:focus").getAttribute("aria-disabled")).toBe("true");
    await press(page, "Enter");
    expect(await page.locator("[name=from]").inputValue()).toBe("31/12/2026");
    await press(page, "Shift+PageUp", "Enter");
    await page.locator("[name=from]:focus").waitFor();
    expect(await page.locator("[name=from]").inputValue()).toBe("27/12/2026");
    await press(page, "Tab", "Space", "Escape");
    await page.locator("[name=from]:focus").waitFor();
    expect(await page.locator(".calendar").count()).toBe(0);
    await press(page, "Enter");
    await answers(page).waitFor();
    expect(await host.answersOf(bot)).toEqual([["27/12/2026"]]);
    expect(problems).toEqual([]);
  },
  { locale: "en-GB" },
);

inBrowser(
  "typed dates are parsed in the format of the visitor's country",
  async ({ page }) => {
    const bot = await open(page, "en", inputs.date, { ...inputs.date, id: "again" }, inputs.moment, inputs.time);
    const field = page.locator("[name=from]");
    const year = new Date().getFullYear();

    await field.fill("31/02/2026");
    await press(page, "Enter");
    await page.getByText(`Please enter a date, such as 31/12/${year}.`).waitFor();
    expect(await field.inputValue()).toBe("31/02/2026");
    await field.fill("4/5/26");
    await press(page, "Enter");
    await answers(page).nth(0).waitFor();
    await page.locator("[name=from]:focus").fill("1 May 2025");
    await press(page, "Enter");
    await page.getByText("Please choose January 1, 2026 or later.").waitFor();
    await field.fill("4 May 2026");
    await press(page, "Enter");
    await answers(page).nth(1).waitFor();
    await page.locator("[name=from]:focus").fill("4.5.2026");
    await press(page, "Tab", "Tab");
    await page.keyboard.type("9pm");
    await press(page, "ArrowUp");
    expect(await page.locator("[name=from-time]").inputValue()).toBe("22:00");
    await press(page, "End", "ArrowDown", "Enter");
    await answers(page).nth(2).waitFor();
    await page.locator("[name=text]:focus").fill("25:00");
    await press(page, "Enter");
    await page.getByText("Please enter a time, such as 14:30.").waitFor();
    await page.locator("[name=text]").fill("930");
    await press(page, "Enter");
    await answers(page).nth(3).waitFor();

    expect(await host.answersOf(bot)).toEqual([["04/05/2026", "04/05/2026", "04/05/2026 21:55", "09:30"]]);
  },
  { locale: "en-GB" },
);

inBrowser(
  "a range is chosen from two calendars",
  async ({ page }) => {
    const bot = await open(page, "ar", inputs.range);
    await page.locator("[name=from]").fill("2026-05-28");
    await page.locator(".calendar-button").first().click();
    // From right to left, the next day is on the left.
    await press(page, "ArrowLeft");
    expect(await focusedDay(page)).toBe("2026-05-29");
    await press(page, "Enter", "ArrowRight");
    expect(await page.locator("[data-day]:focus").getAttribute("aria-disabled")).toBe("true");
    await press(page, "ArrowLeft", "PageDown");
    await press(page, "Enter");
    await page.locator("[name=to]:focus").waitFor();
    await press(page, "Enter");
    await answers(page).waitFor();

    expect(await host.answersOf(bot)).toEqual([["29/05/2026 to 29/06/2026"]]);
  },
  { locale: "ar-EG" },
);

inLongRun("a text that only the service can parse as a date is sent to the service", async ({ page }) => {
  const bot = await open(page, "en", named("when", "date input", { format: "yyyy-MM-dd" }));
  await page.locator("[name=from]").fill("on the 2nd of January in 2024");
  await press(page, "Enter");
  await answers(page).waitFor();

  expect(await host.answersOf(bot)).toEqual([["2024-01-02"]]);
});

for (const language of isLong ? ["he", "de"] : ["he"])
  inBrowser(
    `in the language ${language}, no date is truncated on a narrow page, with normal or doubled text`,
    async ({ page }) => {
      const range = named("long", "date input", { isRange: true, hasTime: true });
      for (const block of [inputs.moment, range, inputs.time])
        for (const zoom of ["200%", "100%"]) {
          await open(page, language, block);
          await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), zoom);
          for (const field of await page.locator(".typebot-datetime-input").all()) {
            await field.fill(/time|text/.test((await field.getAttribute("name")) ?? "") ? "23:55" : "2026-12-28");
            await field.blur();
          }
          if (block !== inputs.time) {
            await page.locator(".calendar-button").first().click();
            await page.locator("[data-day]:focus").waitFor();
          }
          const cut = await page.evaluate(() => {
            const parts = document.querySelectorAll<HTMLElement>(
              ".typebot-datetime-input, .calendar :is(button, th, select)",
            );
            const found = [...parts]
              .filter((part) => part.scrollWidth > part.clientWidth + 1)
              .map((part) => part.outerHTML);
            return document.documentElement.scrollWidth > innerWidth ? ["the page", ...found] : found;
          });
          expect([block.id, zoom, cut]).toEqual([block.id, zoom, []]);
          if (zoom === "100%") expect(await axeProblems(page)).toEqual([]);
        }
    },
    { viewport: { width: 320, height: 640 } },
  );
