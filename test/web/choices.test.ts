import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const choice = (id: string, labels: readonly string[], options: object = {}) => ({
  id,
  type: "choice input",
  items: labels.map((content, index) => ({ id: `${id}${index}`, content })),
  options,
});

async function open(page: Page, ...blocks: readonly object[]): Promise<void> {
  const settings = { typingEmulation: { enabled: false } };
  const bot = await host.publish({ ...flowOf([says("Which?"), ...blocks, says("Thank you")]), settings });
  await page.goto(bot.address);
  await page.locator("body.is-live form").waitFor();
}

const answers = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const short = ["Yes", "No", "Later"];
const long = [
  "The visible text of a link",
  "The text in the top left of a page, which is long enough for two lines",
  "None",
];

describe("option buttons", () => {
  inBrowser(
    "option buttons are a column of equal widths if one option is long",
    async ({ page }) => {
      const boxes = () =>
        page.locator(".option").evaluateAll((options) =>
          options.map((option) => {
            const { left, width, top, height } = option.getBoundingClientRect();
            return { left: Math.round(left), width: Math.round(width), top: Math.round(top), height };
          }),
        );
      await open(page, choice("long", long), choice("short", short));
      const column = await boxes();
      expect(new Set(column.map(({ width }) => width)).size).toBe(1);
      expect(new Set(column.map(({ left }) => left)).size).toBe(1);
      expect(column.map(({ top }) => top)).toEqual(column.map(({ top }) => top).sort((a, b) => a - b));

      await page.getByRole("button", { name: "None" }).tap();
      await page.getByRole("button", { name: "Later" }).waitFor();
      const row = await boxes();
      expect(new Set(row.map(({ top }) => top)).size).toBe(1);
      expect(Math.min(...[...column, ...row].map(({ height }) => Math.round(height)))).toBeGreaterThanOrEqual(44);
    },
    phone,
  );

  inBrowser("option buttons are white, and the given answer has the main colour", async ({ page }) => {
    await open(page, choice("one", short), choice("other", short));
    await page.getByRole("button", { name: "No" }).click();
    await answers(page).waitFor();
    const fillOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);

    expect(await fillOf(".option")).toBe("rgb(255, 255, 255)");
    expect(await fillOf(".typebot-guest-bubble")).toBe("rgb(194, 65, 12)");
  });
});

describe("the letter keys of options", () => {
  const letter = (page: Page) =>
    page
      .locator(":is(.option, .typebot-selectable)")
      .first()
      .evaluate((option) => {
        const { content, display } = getComputedStyle(option, "::after");
        return content === "none" || display === "none" ? "none" : content;
      });

  inBrowser("letter keys select options from the first question on", async ({ page, problems }) => {
    await open(page, choice("one", short), choice("several", short, { isMultipleChoice: true }), choice("last", short));
    expect(await letter(page)).toContain("upper-alpha");
    await page.getByRole("button", { name: "Later", exact: true }).waitFor();
    await page.locator(".choices:focus").waitFor();

    await page.keyboard.press("Control+a");
    await page.keyboard.press("1");
    await page.keyboard.press("z");
    await page.keyboard.press("b");
    await page.locator("[type=checkbox]:focus").waitFor();
    // A key that is held down counts once.
    await page.keyboard.down("a");
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.locator("[value=several0]:checked").waitFor();
    await page.keyboard.press("c");
    await page.locator("[value=several2]:checked").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[value=last0]:focus").waitFor();
    // The key of the letter C on an Arabic keyboard.
    await page.locator("[value=last0]").dispatchEvent("keydown", { key: "ؤ", code: "KeyC", bubbles: true });
    await page.getByText("Thank you").waitFor();

    expect(await answers(page).allTextContents()).toEqual(["No", "Yes, Later", "Later"]);
    expect(problems).toEqual([]);
  });

  inLongRun("the letter keys of options select nothing while the focus is elsewhere", async ({ page }) => {
    await open(page, choice("one", short));
    await page.locator(".choices:focus").waitFor();
    await page.locator(".typebot-host-bubble").click();
    await page.waitForFunction(() => document.activeElement === document.body);
    await page.keyboard.press("a");
    await page.keyboard.press("Tab");
    await page.keyboard.press("b");
    await page.getByText("Thank you").waitFor();

    expect(await answers(page).allTextContents()).toEqual(["No"]);
  });

  inBrowser(
    "the letter keys of options are hidden on touch screens",
    async ({ page }) => {
      await open(page, choice("one", short));
      expect(await letter(page)).toBe("none");
      expect(await page.locator(".choices:focus").count()).toBe(0);
    },
    phone,
  );
});

describe("many options", () => {
  const towns = Array.from({ length: 60 }, (_, index) => `Town ${index + 1}`);
  const many = choice("town", [...towns, "São Paulo"]);
  const heightOf = (page: Page) => page.locator(".option-list").evaluate((list) => list.getBoundingClientRect().height);

  inBrowser("many options are shown in a list of limited height with a search field", async ({ page, problems }) => {
    await open(page, many);
    const filter = page.getByRole("searchbox", { name: "Filter the options..." });
    await filter.waitFor();
    expect(await heightOf(page)).toBeLessThan(353);
    expect(await axeProblems(page)).toEqual([]);

    await filter.fill("town 5");
    await page.getByRole("status").getByText("11 to choose from").waitFor({ state: "attached" });
    expect(await page.getByRole("button", { name: /^Town/ }).count()).toBe(11);
    await filter.fill("nowhere");
    await page.getByText("Nothing matches.").waitFor();
    expect(await page.locator(".option-list").isVisible()).toBe(false);
    await filter.fill("SAO");
    await page.keyboard.press("Enter");
    await page.getByText("Thank you").waitFor();

    expect(await answers(page).allTextContents()).toEqual(["São Paulo"]);
    expect(problems).toEqual([]);
  });

  inBrowser("many options can be navigated with the arrow keys", async ({ page }) => {
    await open(page, asks("text input"), many);
    await page.getByRole("textbox").fill("Hello");
    await page.keyboard.press("Enter");
    await page.locator("[type=search]:focus").waitFor();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.getByText("Thank you").waitFor();

    expect(await answers(page).allTextContents()).toEqual(["Hello", "Town 2"]);
  });

  inBrowser(
    "many options do not open a phone's keyboard automatically",
    async ({ page }) => {
      await open(page, choice("one", short), many);
      await page.getByRole("button", { name: "Later" }).tap();
      await page.locator(".option-list:focus").waitFor();
      expect(await heightOf(page)).toBeLessThan(353);
      await page.getByRole("button", { name: "Town 2", exact: true }).tap();
      await page.getByText("Thank you").waitFor();

      expect(await answers(page).allTextContents()).toEqual(["Later", "Town 2"]);
    },
    phone,
  );

  inBrowser(
    "many options are all shown without scripts",
    async ({ page }) => {
      const bot = await host.publish(flowOf([says("Which?"), many, says("Thank you")]));
      await page.goto(bot.address);
      expect(await page.locator(".option").count()).toBe(61);
      expect(await page.locator("[type=search]").count()).toBe(0);
      await page.getByRole("button", { name: "Town 44" }).click();
      await page.getByText("Thank you").waitFor();

      expect(await answers(page).allTextContents()).toEqual(["Town 44"]);
    },
    { javaScriptEnabled: false },
  );
});
