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

/** Disables animations, because the number of frames of a smooth scroll varies. */
const still = { reducedMotion: "reduce" } as const;
/** The numbers of messages, chosen so that chunks of both chats begin at the same offsets. */
const [few, many] = [5, 293];

inBrowser(
  "an answer changes as much of the page after 293 messages as after 5",
  async ({ page, context }) => {
    const short = await callsOfAnswers(page, context, few);
    const long = await callsOfAnswers(await context.newPage(), context, many);

    expect(short.touched).toBeGreaterThan(0);
    expect(long.touched).toBe(short.touched);
    // The page compares only chunks when it renders. Earlier versions rendered every message again, which took ten
    // times as many calls.
    expect(long.calls / short.calls).toBeLessThan(1.6);
  },
  still,
);

inBrowser(
  "messages outside the window are laid out only when scrolled to or printed",
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

/**
 * Returns the number of function calls in the page's scripts, and of changes in its document, during two more answers.
 */
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
