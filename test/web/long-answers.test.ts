import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type ScriptedSteps, scriptSteps } from "../support/scripted-steps.ts";

let host: ChatHost;
let told: ScriptedSteps;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  told = scriptSteps(host.api);
});
afterAll(async () => {
  await told.close();
  await host.close();
});

const sentence = "The quick brown fox jumps over the lazy dog, and then it sits down to think. ";
const long = sentence.repeat(8);
const texts = flowOf([says("Short.", "short"), says(long, "long"), asks("text input")]);

/** Returns the look of the bubble with a text: its colours, the number of its lines, and the left edge of its text. */
function lookOf(page: Page, text: string) {
  return page.locator(".text-bubble", { hasText: text }).evaluate((bubble) => {
    const { color } = getComputedStyle(bubble);
    // The background of a message is its first child, unless a style sheet styles the message itself.
    const [own, behind] = [bubble, bubble.querySelector(":scope > .bubble-typing") ?? bubble].map((one) =>
      getComputedStyle(one),
    );
    const isOwn = own?.backgroundColor !== "rgba(0, 0, 0, 0)";
    const { backgroundColor = "", borderTopColor = "" } = (isOwn ? own : behind) ?? {};
    const range = document.createRange();
    range.selectNodeContents(bubble.querySelector("span") ?? bubble);
    const rects = [...range.getClientRects()];
    const lines = new Set(rects.map(({ top }) => Math.round(top))).size;
    const start = Math.min(...rects.map(({ left }) => left));
    return { backgroundColor, borderTopColor, color, lines, start };
  });
}

const nothing = "rgba(0, 0, 0, 0)";

inBrowser(
  "a long text is shown outside a bubble",
  async ({ page }) => {
    await page.goto((await host.publish(texts)).address);
    const short = await lookOf(page, "Short.");
    const text = await lookOf(page, sentence);

    expect(short.backgroundColor).not.toBe(nothing);
    expect([text.backgroundColor, text.borderTopColor]).toEqual([nothing, nothing]);
    expect(text.start).toBe(short.start);
    // The last line is half full on average.
    const characters = long.length / (text.lines - 0.5);
    expect(characters).toBeGreaterThan(65);
    expect(characters).toBeLessThan(75);
  },
  { viewport: { width: 1440, height: 900 } },
);

inBrowser("a visitor's long text is in a bubble", async ({ page }) => {
  const list = [{ type: "ul", children: [{ type: "li", children: [{ text: "Tea" }] }] }];
  const bot = await host.publish(
    flowOf([{ id: "list", type: "text", content: { richText: list } }, asks("text input"), says("Thanks", "thanks")]),
  );
  await page.goto(bot.address);
  await page.locator("body.is-live").waitFor();
  expect((await lookOf(page, "Tea")).backgroundColor).toBe(nothing);
  await page.getByRole("textbox").fill(long);
  await page.keyboard.press("Enter");
  const answer = page.locator(".typebot-guest-bubble");
  await page.getByText("Thanks").waitFor();
  expect(await answer.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe(nothing);
});

const green = "rgb(1, 50, 32)";
const white = "rgb(255, 255, 255)";
const hostBubbles = { backgroundColor: "#013220", color: "#ffffff" };
const picture = { type: "Image", content: "https://pictures.example/garden.png" };
const grounds = [
  [
    "a long text keeps its colour if the colour is readable on the page",
    { chat: { hostBubbles: { color: "#013220" } } },
    nothing,
    green,
  ],
  [
    "a long text gets the page's text colour if its own colour is unreadable on the page",
    { chat: { hostBubbles } },
    nothing,
    "rgb(39, 39, 42)",
  ],
  [
    "a long text over a picture keeps its background",
    { general: { background: picture }, chat: { hostBubbles } },
    green,
    white,
  ],
  [
    "a long text on a transparent page keeps its background",
    { general: { background: { type: "None" } }, chat: { hostBubbles } },
    green,
    white,
  ],
  [
    "a long text on a page with a background from custom CSS keeps its own background",
    { customCss: ".typebot-container { background: black }", chat: { hostBubbles } },
    green,
    white,
  ],
] as const;

for (const [name, theme, backgroundColor, color] of grounds) {
  inBrowser(name, async ({ page }) => {
    const general = { background: { type: "Color", content: "#ffffff" } };
    await page.goto((await host.publish({ ...texts, theme: { general, ...theme } })).address);
    expect(await lookOf(page, sentence)).toMatchObject({ backgroundColor, color });
  });
}

inBrowser(
  "the text of a growing answer does not move",
  async ({ page }) => {
    const bot = await host.publish(
      flowOf([
        says("What?"),
        asks("text input", { variableId: idOf("Name") }),
        says("{{Name}}", "words"),
        asks("text input", {}, { id: "x" }),
      ]),
    );
    await page.goto(`${told.origin}/${bot.publicId}`);
    await page.locator("body.is-live form").waitFor();
    const words = long.trim();
    await page.getByRole("textbox").fill(words);
    await page.keyboard.press("Enter");
    const step = await told.next();
    step.send("delta", { blockId: "words", text: words.slice(0, 270) }, "7.0");
    await page.locator(".is-growing").waitFor();
    const seen = [await lookOf(page, "quick")];
    step.send("delta", { blockId: "words", text: words.slice(270) }, "7.1");
    await page.locator(".is-growing.is-text").waitFor();
    seen.push(await lookOf(page, "quick"));
    await step.finish();
    await page.locator(".text-bubble.is-text:not(.is-growing)").waitFor();
    seen.push(await lookOf(page, "quick"));

    expect(seen[0]?.backgroundColor).not.toBe(nothing);
    expect(new Set(seen.map(({ start }) => start)).size).toBe(1);
    expect(seen[1]).toEqual(seen[2]);
    expect(seen[0]?.lines).toBe(Math.ceil((270 / words.length) * (seen[1]?.lines ?? 0)));
  },
  { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" },
);
