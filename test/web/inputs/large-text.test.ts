import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { inputs, named } from "./flows.ts";

/** Every input with a text twice as large, on a phone, written from the left and from the right. */
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

/** Where the direction of a part is its own. */
const mirrored = ["range", "phone", "rating", "several", "file", "attachments", "text"];

for (const language of ["en", "ar"]) {
  inBrowser(
    `no input is cut where text is twice as large, in ${language}`,
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

/** The parts of the form, and the page itself, that hold more than they show in their width. */
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
