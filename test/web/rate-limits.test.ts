import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { rulesOf } from "../../src/limits/rate-rules.ts";
import { createRateLimits } from "../../src/platform/rate-limits/rate-limits.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { openLive } from "../support/live-page.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

let service: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

/** The clock of the limits advances only when a test advances it. The page waits by its own clock. */
const clock = createVirtualClock();
const rateLimits = createRateLimits(rulesOf("session.steps=1/1s,session.uploads=1/1s"), { clock });
const told = 1_000;

beforeAll(async () => {
  service = await openChatHost({ rateLimits });
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await service.close();
});

const refusal = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().includes(path) && response.status() === 429);

/** Answers twice. The second answer exceeds the limit, stays on the page, and is accepted once the limit permits it. */
async function answerTwice(page: Page, chat: ReturnType<Page["locator"]>): Promise<void> {
  await chat.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await chat.locator("[type=email]").fill("ana@example.com");
  const refused = refusal(page, "/continueChat");
  await page.keyboard.press("Enter");
  expect((await refused).headers()["retry-after"]).toBe("1");
  await chat.getByText("This service is busy").waitFor();

  expect(await chat.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "ana@example.comSending…"]);
  await clock.advance(told);
  await chat.getByText("Thank you").waitFor();
  expect(await chat.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "ana@example.com"]);
}

inBrowser("an answer above a rate limit is accepted after the reported time", async ({ page }) => {
  const bot = await service.publish(nameAndEmail);
  await openLive(page, bot.address);
  await answerTwice(page, page.locator("body"));
  expect(await service.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inLongRun("an answer above a rate limit stays in an embedded chat", async ({ page }) => {
  const bot = await service.publish(nameAndEmail);
  const head = `<script src="${service.origin}/embed.js" defer></script>`;
  await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head }));
  await answerTwice(page, page.locator("parley-chat"));
  expect(await service.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inBrowser("a reload does not lose an answer that waits for a rate limit", async ({ page }) => {
  const bot = await service.publish(nameAndEmail);
  await openLive(page, bot.address);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.locator("[type=email]").fill("ana@example.com");
  const refused = refusal(page, "/continueChat");
  await page.keyboard.press("Enter");
  await refused;
  const reading = refusal(page, "/api/v1/sessions/");
  await page.reload();
  await reading;

  // Reading the chat and sending the answer each use up the limit once.
  const again = refusal(page, "/continueChat");
  await clock.advance(told);
  await again;
  await clock.advance(told);
  await page.getByText("Thank you").waitFor();
  expect(await service.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inLongRun("files above a rate limit are uploaded once the limit allows the upload", async ({ page }) => {
  const bot = await service.publish(
    flowOf([says("Files?"), asks("file input", { isMultipleAllowed: true }), says("Kept")]),
  );
  await page.goto(bot.address);
  // Before the page's script is loaded, its plain form would send the files without waiting.
  await page.locator("body.is-live .typebot-input-form").waitFor();
  const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
  await page.locator("input[type=file]").setInputFiles([file("a.txt"), file("b.txt")]);
  await page.locator("button[type=submit]:not([name])").first().click();
  // The second request has no key, so the service makes it wait.
  await waitFor(() => clock.timers() === 1, { what: () => `one timer, not ${clock.timers()}` });
  await clock.advance(told);
  await page.getByText("Kept").waitFor();
});
