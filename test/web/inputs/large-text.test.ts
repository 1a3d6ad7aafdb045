import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { inputs, named } from "./flows.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const { payment: _, ...shown } = inputs;
const asked: Readonly<Record<string, object>> = {
  ...shown,
  text: asks("text input"),
  long: named("long", "text input", { isLong: true }),
  number: asks("number input"),
  email: asks("email input"),
  url: asks("url input"),
  choice: named("choice", "choice input", {}, { items: [{ id: "a", content: "Yes, and twice" }] }),
  nps: named("nps", "rating input", { length: 10 }),
};

/** More inputs, and fields with additional parts. */
const more: Readonly<Record<string, object>> = {
  euro: named("euro", "number input", { style: "currency", currency: "EUR" }),
  suggestions: named("suggestions", "text input", {
    followUps: { texts: ["What does it cost to be here?", "Returns"] },
  }),
  country: named("country", "text input", { isCountry: true }),
  address: named("address", "address input"),
  signature: named("signature", "signature input", { isRequired: false }),
  ranking: named(
    "ranking",
    "ranking input",
    {},
    { items: ["Price", "Support that answers at night"].map((content) => ({ id: idOf(content), content })) },
  ),
  matrix: named("matrix", "matrix input", {
    rows: [{ title: "Room" }, { title: "Breakfast, from seven to eleven" }],
    columns: ["Bad", "Fair", "Good", "Very good"],
  }),
};

/** The inputs whose parts depend on the writing direction. */
const mirrored = ["range", "phone", "rating", "several", "file", "attachments", "text"];

for (const language of isLong ? ["en", "ar"] : ["ar"]) {
  inBrowser(
    `the tested inputs are not truncated with doubled text in the language ${language}`,
    async ({ page }) => {
      const names = language === "en" ? Object.keys(asked) : mirrored;
      for (const name of names) {
        const settings = { general: { language }, typingEmulation: { enabled: false } };
        const { address } = await host.publish({
          ...flowOf([says("And this?"), asked[name] ?? {}, says("Done")]),
          settings,
        });
        await page.goto(address);
        await page.locator("body.is-live form").waitFor();
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
        expect({ name, cut: await cutParts(page) }).toEqual({ name, cut: [] });
      }
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  );
}

for (const language of isLong ? ["en", "ar"] : ["en"]) {
  inBrowser(
    `on a page of 320 pixels, the tested fields are not too small for doubled text in the language ${language}`,
    async ({ page }) => {
      const all = Object.entries({ ...asked, ...more });
      for (const [name, block] of all.filter((_, index) => isLong || index % 2 === 0)) {
        const settings = { general: { language }, typingEmulation: { enabled: false } };
        const { address } = await host.publish({ ...flowOf([says("And this?"), block, says("Done")]), settings });
        await page.goto(address);
        await page.locator("body.is-live form").waitFor();
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
        const calendar = page.locator(".calendar-button");
        if ((await calendar.count()) > 0) await calendar.first().click();
        const seen = { small: await smallFields(page), cut: await cutWords(page), isLong: await isLongPage(page) };
        expect({ name, ...seen }).toEqual({ name, small: [], cut: [], isLong: false });
      }
    },
    { viewport: { width: 320, height: 640 } },
  );
}

/** Returns fields of text with room for fewer than about six letters. */
function smallFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("form :is(input:not([type=hidden]), textarea)")].flatMap((field) => {
      const style = getComputedStyle(field);
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const isText = field.matches("textarea, .text-input, [role=combobox]") && field.checkVisibility();
      return isText && room < Number.parseFloat(style.fontSize) * 4.5 ? [`${field.className} ${room}`] : [];
    }),
  );
}

/** Returns texts that are wider than their container. Cards are excluded, because their row scrolls. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("form :is(button, label, p, legend, span, li, th, td)")]
      .filter(
        (part) => part.checkVisibility() && !part.closest(".visually-hidden, .cards-list") && part.clientWidth > 1,
      )
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((part) => `${part.tagName}.${part.className} ${part.scrollWidth} > ${part.clientWidth}`),
  );
}

/** Whether the page is longer or wider than its window, although the conversation is short. */
function isLongPage(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
    return scrollWidth > clientWidth || scrollHeight > innerHeight;
  });
}

/** Returns the parts of the form whose content is wider than the part, including the page itself. */
function cutParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { documentElement } = document;
    const parts = [...document.querySelectorAll("form :is(input, textarea, select, button, label, p, legend)")];
    const seen = parts.filter(
      (part) =>
        part.checkVisibility({ opacityProperty: true }) && !part.closest(".visually-hidden") && part.clientWidth > 1,
    );
    return [documentElement, ...seen]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(
        ({ tagName, className, scrollWidth, clientWidth }) => `${tagName}.${className} ${scrollWidth} > ${clientWidth}`,
      );
  });
}
