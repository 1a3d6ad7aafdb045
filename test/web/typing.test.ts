import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const dots = (page: Page) => page.locator(".typebot-loading-chunk");

inBrowser("the typing indicator is shown while an answer is awaited", async ({ page, context }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  const arrived = Promise.withResolvers<void>();
  await context.route("**/continueChat", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await answer(page, "Ana");
  await dots(page).waitFor();

  let failures = 0;
  page.on("requestfailed", () => {
    failures += 1;
  });
  await context.unroute("**/continueChat");
  await context.setOffline(true);
  arrived.resolve();
  await page.getByText("You are offline.").waitFor();
  // By the third failure, the page has waited longer than the delay until the bot seems to type.
  await waitFor(() => failures > 2, { what: "the answer to be sent again" });
  expect(await dots(page).count()).toBe(0);

  await context.setOffline(false);
  await page.locator("[type=email]").waitFor();
  expect(await dots(page).count()).toBe(0);
  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

inBrowser("a tap immediately shows the text that the bot is typing", async ({ page }) => {
  const settings = { typingEmulation: { speed: 1, maxDelay: 600 } };
  const { address } = await host.publish({
    ...flowOf([
      says("Your name?"),
      asks("text input"),
      says("Five words take five minutes"),
      says("Then more"),
      asks("email input"),
    ]),
    settings,
  });
  await openChat(page, address);
  await answer(page, "Ana");

  await dots(page).click();
  await page.getByText("Five words take five minutes").waitFor();
  await dots(page).click();
  await page.getByText("Then more").waitFor();
  await page.locator("[type=email]").waitFor();
});

/** Records the transitions that begin: the text of the moving element, and the duration in milliseconds. */
async function watchMotion(page: Page): Promise<() => Promise<readonly (readonly [string, number])[]>> {
  await page.addInitScript(`
    window.moved = [];
    addEventListener("transitionrun", ({ target }) => {
      for (const { effect } of target.getAnimations()) window.moved.push([target.textContent, effect.getTiming().duration]);
    });`);
  return () => page.evaluate("window.moved");
}

const choice = { id: "c", type: "choice input", items: [{ id: "y", content: "Yes" }] };
const askedTwice = flowOf([says("Shall we?"), choice, says("Your name?"), asks("text input"), says("Bye")]);

inBrowser("the transitions of new bubbles take at most 150 milliseconds", async ({ page, problems }) => {
  const moved = await watchMotion(page);
  await openChat(page, (await host.publish(askedTwice)).address);
  await page.getByRole("button", { name: "Yes" }).click();
  await answer(page, "Ana");
  await page.getByText("Bye").waitFor();

  const bubbles = (await moved()).filter(([text]) => /Your name|Ana|Bye/.test(text));
  expect(bubbles.length).toBeGreaterThan(0);
  expect(bubbles.filter(([, duration]) => duration > 150)).toEqual([]);
  expect(problems).toEqual([]);
});

inLongRun(
  "no message is animated with reduced motion",
  async ({ page }) => {
    const moved = await watchMotion(page);
    await openChat(page, (await host.publish(askedTwice)).address);
    await page.getByRole("button", { name: "Yes" }).click();
    await answer(page, "Ana");
    await page.getByText("Bye").waitFor();

    expect(await moved()).toEqual([]);
  },
  { reducedMotion: "reduce" },
);
