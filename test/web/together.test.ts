import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";

// The question and its input are next to each other, and all parts of the input are in one column.

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const wide = { viewport: { width: 1280, height: 800 } };

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

async function boxOf(page: Page, selector: string): Promise<Box> {
  return await page
    .locator(selector)
    .last()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    });
}

/** Returns the distance of the last message from the dock, and of the dock from the window's lower edge. */
async function gaps(page: Page, height: number): Promise<{ said: number; edge: number }> {
  const [said, dock] = [await boxOf(page, ".typebot-host-bubble"), await boxOf(page, ".chat-dock")];
  return { said: dock.top - said.bottom, edge: Math.abs(height - dock.bottom) };
}

const short = flowOf([says("Your name?"), asks("text input")]);
const sheets = [
  "",
  ".typebot-chat-view > .flex:first-child { padding-top: 80px }",
  ".typebot-chat-view { padding-bottom: 20px }",
];
const pages = [
  { name: "on a desktop", options: wide },
  { name: "on a phone", options: { viewport: { width: 390, height: 844 } } },
  { name: "without scripts", options: { ...wide, javaScriptEnabled: false } },
];

for (const { name, options } of pages) {
  const inThisRun = name === "on a desktop" ? inLongRun : inBrowser;
  inThisRun(
    `a first question is next to its input ${name}, with and without space from a style sheet`,
    async ({ page }) => {
      for (const customCss of sheets) {
        const { address } = await host.publish({ ...short, theme: { customCss } });
        await page.goto(address);
        await page.getByRole("textbox").waitFor();
        const { said, edge } = await gaps(page, options.viewport.height);
        expect({ customCss, isTogether: said > 0 && said < 48, edge }).toEqual({
          customCss,
          isTogether: true,
          edge: customCss.includes("bottom") ? 20 : 0,
        });
      }
    },
    options,
  );
}

inLongRun(
  "a long chat starts below the space that a style sheet adds, and is printed from the top",
  async ({ page }) => {
    const customCss = ".typebot-chat-view > .flex:first-child { padding-top: 80px }";
    const long = "A sentence of a reply that goes on. ".repeat(80);
    const { address } = await host.publish({
      ...flowOf([says("Your name?"), asks("text input"), says(long), asks("text input", {}, { id: "more" })]),
      theme: { customCss },
    });
    await openChat(page, address);
    await answer(page, "Ana");
    await page.getByText(long.slice(0, 20)).waitFor();
    // The page may still be scrolling to the new message.
    await page.waitForFunction(() => {
      scrollTo(0, 0);
      return (document.querySelector(".typebot-host-bubble")?.getBoundingClientRect().top ?? 0) > 80;
    });

    const { address: little } = await host.publish(short);
    await openChat(page, little);
    await page.emulateMedia({ media: "print" });
    expect((await boxOf(page, ".typebot-host-bubble")).top).toBeLessThan(100);
  },
  wide,
);

const embeds = [
  { element: "parley-chat", style: "height: 600px" },
  { element: "parley-bubble", style: "" },
  { element: "parley-popup", style: "" },
];

for (const { element, style } of embeds) {
  const inThisRun = element === "parley-bubble" ? inBrowser : inLongRun;
  inThisRun(
    `a first question is next to its input in ${element}`,
    async ({ page }) => {
      const { publicId } = await host.publish(short);
      await page.goto(
        site.page(
          `<${element} bot="${publicId}" style="display: block; ${style}"></${element}><script type="module" src="${host.origin}/embed.js"></script>`,
        ),
      );
      await page.waitForFunction(() => "Parley" in window);
      if (element !== "parley-chat") await page.evaluate(() => Reflect.get(window, "Parley").open());
      await page.getByRole("textbox").waitFor();
      const { bottom } = await boxOf(page, ".typebot-container");
      const { said, edge } = await gaps(page, bottom);

      expect([said > 0 && said < 48, edge < 1]).toEqual([true, true]);
    },
    // Windows open with an animation, which the test disables.
    { ...wide, reducedMotion: "reduce" },
  );
}

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `i${index}`, content: `Option ${index}` }));
const cards = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `c${index}`,
    title: `Card ${index}`,
    paths: [{ id: `p${index}`, text: "Take it" }],
  }));
const asked = (type: string, more: object) => ({ id: "asked", type, ...more });

const parts: readonly (readonly [string, object, readonly string[]])[] = [
  ["a field and its hint", asks("date input"), [".field-row", ".field-hint"]],
  ["a range", asks("date input", { isRange: true }), [".date-range"]],
  [
    "a list and its filter",
    asked("choice input", { items: items(40), options: { isSearchable: true } }),
    [".field-row", ".option-list"],
  ],
  ["files", asks("file input"), [".file-zone"]],
  ["a telephone number", asks("phone number input"), [".phone-field"]],
  ["two cards", asked("cards", { items: cards(2) }), [".typebot-card"]],
  ["three cards", asked("cards", { items: cards(3) }), [".typebot-card"]],
  ["one card", asked("cards", { items: cards(1) }), [".typebot-card"]],
];

inBrowser(
  "field, hint, list, cards and files share one column",
  async ({ page }) => {
    const { address } = await host.publish(short);
    await openChat(page, address);
    const column = await boxOf(page, ".field-row");
    for (const [name, block, selectors] of parts) {
      const bot = await host.publish(flowOf([says("Which?"), block]));
      await openChat(page, bot.address);
      for (const selector of selectors) {
        const { left, right } = await boxOf(page, selector);
        const first = await page
          .locator(selector)
          .first()
          .evaluate((one) => one.getBoundingClientRect().left);
        // A hint is as wide as its text, and a single card no wider than a card.
        const isNarrow = selector === ".field-hint" || name === "one card";
        const begins = name === "one card" ? column.left : first;
        const ends = selector === ".field-hint" ? column.right : right;
        expect({ name, selector, begins: Math.round(begins), ends: Math.round(ends) }).toEqual({
          name,
          selector,
          begins: Math.round(column.left),
          ends: Math.round(column.right),
        });
        expect({ name, selector, isWhole: right - first > column.right - column.left - 2 }).toEqual({
          name,
          selector,
          isWhole: !isNarrow,
        });
        expect(left).toBeGreaterThanOrEqual(Math.floor(column.left));
      }
    }
  },
  wide,
);

inBrowser(
  "the text of a choice is below its picture",
  async ({ page }) => {
    const pictureSrc = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='80' height='60'/>";
    const tiles = [
      { id: "a", title: "With a picture", pictureSrc },
      { id: "b", title: "No picture" },
      { id: "c", description: "A description alone" },
      { id: "d" },
    ];
    for (const options of [{}, { isMultipleChoice: true }]) {
      const bot = await host.publish(
        flowOf([says("Which?"), asked("picture choice input", { items: tiles, options })]),
      );
      await openChat(page, bot.address);
      const rooms = await page.locator(".picture").evaluateAll((all) =>
        all.map((tile) => {
          const { paddingLeft = "", paddingRight = "" } = getComputedStyle(
            tile.querySelector(".picture-words") ?? tile,
          );
          return [paddingLeft, paddingRight];
        }),
      );
      const beside = ["44px", "isMultipleChoice" in options ? "44px" : "14px"];
      expect(rooms).toEqual([["14px", "14px"], beside, beside, beside]);
    }
  },
  wide,
);
