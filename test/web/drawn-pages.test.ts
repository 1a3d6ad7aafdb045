import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { loadAssets } from "../../src/web/server/assets.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer } from "../support/live-page.ts";

// Tests the first step of a page with scripts, which the server renders before the chat has started.

let host: ChatHost;
const inBrowser = browserTests();
beforeAll(async () => {
  // The assets are bundled first, because on a busy machine the first page would otherwise exceed the server's timeout.
  [host] = await Promise.all([openChatHost(), loadAssets()]);
});
afterAll(() => host.close());

const settings = { typingEmulation: { enabled: false } };
const said = (page: Page) => page.locator(".typebot-host-bubble.text-bubble").allInnerTexts();
const notice = (page: Page) => page.locator(".chat-notice");

/** Delays the page's start until it is released. */
async function holdStart(page: Page) {
  const gate = Promise.withResolvers<void>();
  await page.route("**/startChat", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

async function publishAgain(botId: string, bot: object) {
  const { api, owner } = host;
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

inBrowser("a server-rendered page keeps its random values, and an early answer counts", async ({ page, problems }) => {
  const price = { id: "price", type: "Set variable", options: { variableId: idOf("Name"), type: "Random ID" } };
  const blocks = [price, says("It costs {{Name}}"), asks("text input"), says("You pay {{Name}}"), asks("email input")];
  const bot = await host.publish({ ...flowOf(blocks), settings });
  const letGo = await holdStart(page);
  await page.goto(bot.address);
  await page.locator("body.is-live form").waitFor();
  const [drawn = ""] = await said(page);
  await answer(page, "I accept");
  letGo();
  await page.getByText("You pay").waitFor();

  expect(await said(page)).toEqual([drawn, drawn.replace("It costs", "You pay")]);
  expect(await host.answersOf(bot)).toEqual([["I accept"]]);
  expect(problems).toEqual([]);
});

inBrowser("an answer stays in its field if a publication changed the question", async ({ page, problems }) => {
  const flow = (question: string) => ({
    ...flowOf([says(question, "question"), asks("text input"), says("Done"), asks("email input")]),
    settings,
  });
  const bot = await host.publish(flow("Your name?"));
  const letGo = await holdStart(page);
  await page.goto(bot.address);
  await page.locator("body.is-live form").waitFor();
  await answer(page, "Ana Maria");
  await publishAgain(bot.botId, flow("Your boss?"));
  letGo();
  await notice(page).waitFor();
  await page.getByRole("textbox").waitFor();

  expect(await notice(page).textContent()).toBe("The conversation has moved on. Please answer here.");
  expect(await page.getByRole("textbox").inputValue()).toBe("Ana Maria");
  expect(await said(page)).toEqual(["Your boss?"]);
  expect(await host.answersOf(bot)).toEqual([[]]);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Done").waitFor();
  expect(await notice(page).count()).toBe(0);
  expect(await host.answersOf(bot)).toEqual([["Ana Maria"]]);
  expect(problems).toEqual([]);
});
