import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { endless, openChat, say, talk } from "../support/long-chats.ts";

let host: ChatHost;
let bot: PublishedBot;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  bot = await host.publish(endless);
});
afterAll(() => host.close());

/** No animations, since the number of frames of a smooth scroll varies. */
const still = { reducedMotion: "reduce" } as const;
/** Chunks of both chats begin at the same places of their stretches. */
const [few, many] = [5, 293];

inBrowser(
  "an answer has the page do the same after three hundred messages as after five",
  async ({ page, context }) => {
    const short = await callsOfAnswers(page, context, few);
    const long = await callsOfAnswers(await context.newPage(), context, many);

    expect(short.touched).toBeGreaterThan(0);
    expect(long.touched).toBe(short.touched);
    // Only each stretch is compared; earlier each message was drawn again, which took ten times as many calls.
    expect(long.calls / short.calls).toBeLessThan(1.6);
  },
  still,
);

inBrowser(
  "distant messages are not laid out until a visitor looks at them, or prints them",
  async ({ page }) => {
    await openChat(page, bot.address, await talk(host.origin, bot.publicId, many), many);
    const isDrawn = (text: string) => page.evaluate(isTextDrawn, text);
    const spaceBelow = () =>
      page.evaluate(() => {
        const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
        return scrollHeight - clientHeight - scrollTop;
      });

    expect(await isDrawn("kind 1")).toBe(false);
    expect(await isDrawn(`kind ${many - 2}`)).toBe(true);
    expect(await spaceBelow()).toBeLessThan(2);
    await page.getByText("kind 51", { exact: true }).first().click();
    await page.waitForFunction(isTextDrawn, "kind 51");
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction(isTextDrawn, "kind 1");
  },
  still,
);

function isTextDrawn(text: string): boolean | undefined {
  const entries = [...document.querySelectorAll(".chunk-entries > *")];
  const entry = entries.find(({ textContent }) => textContent?.includes(text));
  return entry?.checkVisibility({ contentVisibilityAuto: true });
}

/** The calls of functions in the page's scripts, and the changes of its document, during two more answers. */
async function callsOfAnswers(page: Page, context: BrowserContext, messages: number) {
  await openChat(page, bot.address, await talk(host.origin, bot.publicId, messages), messages);
  await say(page, "tea");
  const devtools = await context.newCDPSession(page);
  await devtools.send("Profiler.enable");
  await devtools.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await page.evaluate(() => {
    const touched: number[] = [];
    const watch = new MutationObserver((records) => touched.push(records.length));
    watch.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
    Object.assign(window, { touched });
  });
  for (const text of ["coffee", "cocoa"]) await say(page, text);
  const { result } = await devtools.send("Profiler.takePreciseCoverage");
  const calls = result
    .filter(({ url }) => url.includes("/assets/chat/"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges[0]?.count ?? 0));
  const touched: number[] = await page.evaluate(() => Reflect.get(window, "touched"));
  return { calls: sum(calls), touched: sum(touched) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
