import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { named } from "./inputs/flows.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

async function open(page: Page, options: object): Promise<void> {
  const bot = await host.publish(
    flowOf([says("How was it?"), named("scale", "rating input", options), says("Thanks")]),
  );
  await page.goto(bot.address);
  await page.locator("body.is-live .rating-step").first().waitFor();
}

const labels = { left: "Not at all likely", right: "Extremely likely" };

for (const width of [320, 390, 1440]) {
  inBrowser(
    `a scale from 0 to 10 is one row of equal steps with labels under both ends, at ${width} px`,
    async ({ page }) => {
      await open(page, { length: 10, labels });
      const seen = await page.evaluate(() => {
        const box = (element: Element) => element.getBoundingClientRect();
        const steps = [...document.querySelectorAll(".rating-step")].map(box);
        const row = box(document.querySelector(".rating-steps") ?? document.body);
        const [left, right] = [...document.querySelectorAll(".rating-label")].map(box);
        const around = (a = 0, b = 0) => Math.abs(a - b) < 1.5;
        return {
          count: steps.length,
          rows: new Set(steps.map(({ top }) => Math.round(top))).size,
          areEqual: steps.every((step) => around(step.width, steps[0]?.width)),
          narrowest: Math.min(...steps.map((step) => step.width)),
          lowest: Math.min(...steps.map(({ height }) => height)),
          areWordsBelow: left && right && left.top >= row.bottom && right.top >= row.bottom,
          areWordsAtEnds: around(left?.left, row.left) && around(right?.right, row.right),
          isWide: document.documentElement.scrollWidth > innerWidth,
        };
      });

      expect(seen).toMatchObject({ count: 11, rows: 1, areEqual: true, areWordsBelow: true, areWordsAtEnds: true });
      expect(seen.narrowest).toBeGreaterThanOrEqual(24);
      expect(seen.lowest).toBeGreaterThanOrEqual(44);
      expect(seen.isWide).toBe(false);
    },
    { viewport: { width, height: 700 } },
  );
}

inLongRun(
  "in forced colours, a chosen step is excluded from the browser's adjustment, and chosen icons have another colour",
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await open(page, { length: 10, labels });
    await page.locator(".rating-step").nth(8).click();
    const style = (selector: string, name: string) =>
      page.locator(selector).evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);
    // Without this property, browsers paint a background behind the text of a chosen step.
    expect(await style(".rating-step:has(:checked)", "forced-color-adjust")).toBe("none");

    await open(page, { length: 5, buttonType: "Icons" });
    await page.locator(".rating-step").nth(3).click();
    const fill = () => style(".rating-step:has(:checked) .rating-icon-container > *", "fill");
    const forced = await fill();
    await page.emulateMedia({ forcedColors: "none" });
    expect(await fill()).not.toBe(forced);
  },
);

inLongRun(
  "no figure is wider than its step with doubled text",
  async ({ page }) => {
    await open(page, { length: 10, labels });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    const tight = await page.locator(".rating-step").evaluateAll((steps) =>
      steps.filter((step) => {
        const [figure] = step.querySelectorAll("span");
        return !figure || figure.getBoundingClientRect().width > step.getBoundingClientRect().width;
      }),
    );

    expect(tight).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  },
  { viewport: { width: 320, height: 700 } },
);

inBrowser("a digit selects its step, and a zero after a one selects the tenth step", async ({ page }) => {
  await open(page, { length: 10 });
  const chosen = () => page.locator(".rating-step :checked").getAttribute("value");
  await page.keyboard.press("Tab");
  await page.keyboard.press("7");
  expect(await chosen()).toBe("7");
  await page.keyboard.press("1");
  expect(await chosen()).toBe("1");
  await page.keyboard.press("0");
  expect(await chosen()).toBe("10");
  await page.keyboard.press("Control+5");
  await page.keyboard.press("0");
  expect(await chosen()).toBe("0");
  await page.keyboard.press("Enter");
  await page.getByText("Thanks").waitFor();

  expect(await page.locator(".typebot-guest-bubble").textContent()).toBe("0 of 10");
});

inBrowser("a digit sends the answer of a one-click scale", async ({ page }) => {
  await open(page, { length: 12, startsAt: 1, isOneClickSubmitEnabled: true });
  await page.keyboard.press("Tab");
  await page.keyboard.press("1");
  await page.keyboard.press("4");
  await page.getByText("Thanks").waitFor();

  expect(await page.locator(".typebot-guest-bubble").textContent()).toBe("4 of 12");
});

inLongRun("a scale that is too long for one row has columns", async ({ page }) => {
  await open(page, { length: 30, startsAt: 1 });
  const places = await page.locator(".rating-step").evaluateAll((steps) =>
    steps.map((step) => {
      const { left, top } = step.getBoundingClientRect();
      return { left: Math.round(left), top: Math.round(top) };
    }),
  );
  const columns = places.filter(({ top }) => top === places[0]?.top).length;

  expect(columns).toBeGreaterThan(5);
  expect(new Set(places.map(({ left }) => left)).size).toBe(columns);
});

const heart = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 21 3 12a5 5 0 0 1 9-6 5 5 0 0 1 9 6Z"/></svg>`;

for (const [name, customIcon] of Object.entries({ stars: undefined, hearts: { isEnabled: true, svg: heart } })) {
  inBrowser(`${name} are empty before a rating is chosen, and then filled up to the rating`, async ({ page }) => {
    await open(page, { buttonType: "Icons", length: 5, ...(customIcon && { customIcon }) });
    /** Returns for each icon whether it is filled: neither outlined nor grey. */
    const full = () =>
      page.locator(".rating-icon-container > *").evaluateAll((icons) =>
        icons.map((icon) => {
          const { fill, filter } = getComputedStyle(icon);
          return icon.tagName === "IMG" ? filter === "none" : fill !== "none";
        }),
      );
    expect(await full()).toEqual([false, false, false, false, false]);

    await page.getByRole("radio", { name: "3 of 5" }).check({ force: true });
    await page.mouse.move(0, 0);
    expect(await full()).toEqual([true, true, true, false, false]);

    await page.locator(".rating-step").nth(1).hover();
    expect(await full()).toEqual([true, true, false, false, false]);
  });
}

inBrowser(
  "one tap sends a rating if the author has disabled the send button",
  async ({ page }) => {
    await open(page, { length: 10, isOneClickSubmitEnabled: true });
    expect(await page.locator(".send-button").count()).toBe(0);
    await page.getByRole("button", { name: "10" }).tap();
    await page.getByText("Thanks").waitFor();

    expect(await page.locator(".typebot-guest-bubble").textContent()).toBe("10 of 10");
  },
  { hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } },
);
