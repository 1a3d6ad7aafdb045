import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const flow = flowOf([
  says("Your name?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Your town, {{Name}}?"),
  asks("text input", {}, { id: "town" }),
  says("Good bye, {{Name}}"),
]);

const publish = (more: { answers?: object; rememberUser?: object; theme?: object } = {}) =>
  host.publish({
    ...flow,
    theme: more.theme ?? {},
    settings: {
      typingEmulation: { enabled: false },
      general: { rememberUser: more.rememberUser ?? { isEnabled: true, storage: "local" } },
      answers: more.answers ?? { hasNewChat: true, hasEarlierChats: true },
    },
  });

async function say(page: Page, text: string): Promise<void> {
  await page.locator("[name=text]").fill(text);
  await page.keyboard.press("Enter");
  await page.locator(".typebot-guest-bubble").last().getByText(text).waitFor();
}

const bubbles = (page: Page) => page.locator(":is(.typebot-host-bubble, .typebot-guest-bubble)").allTextContents();
const newChat = (page: Page) => page.getByRole("button", { name: "New chat" });
const earlierChats = (page: Page) => page.getByRole("button", { name: "Earlier chats" });

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("body.is-live form").waitFor();
}

inBrowser("a visitor continues a previous chat from a list", async ({ page, problems }) => {
  const bot = await publish();
  await visit(page, bot.address);
  expect((await newChat(page).count()) + (await earlierChats(page).count())).toBe(0);
  await say(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  await newChat(page).click();
  await page.getByText("Ana", { exact: true }).waitFor({ state: "detached" });
  await page.locator("[name=text]").waitFor();
  await say(page, "Ben");
  await page.getByText("Your town, Ben?").waitFor();
  await say(page, "Bonn");
  await page.getByText("Good bye, Ben").waitFor();

  await earlierChats(page).click();
  expect(await axeProblems(page)).toEqual([]);
  const list = page.getByRole("list", { name: "Earlier chats" }).getByRole("button");
  expect(await list.locator(".earlier-words").allTextContents()).toEqual(["Ana"]);
  await list.click();
  await page.getByText("Your town, Ana?").waitFor();
  expect(await bubbles(page)).toEqual(["Your name?", "Ana", "Your town, Ana?"]);
  await page.reload();
  await page.getByText("Your town, Ana?").waitFor();
  await say(page, "Aachen");
  await page.getByText("Good bye, Ana").waitFor();

  await earlierChats(page).click();
  await list.filter({ hasText: "Ben" }).click();
  await page.getByText("Good bye, Ben").waitFor();
  expect(await bubbles(page)).toEqual(["Your name?", "Ben", "Your town, Ben?", "Bonn", "Good bye, Ben"]);
  expect(await page.locator("[name=text]").count()).toBe(0);
  await page.getByRole("link", { name: "Start again" }).waitFor();
  expect(problems).toEqual([]);
  // Both chats belong to one result. The first chat continued last, and did not repeat its visitor's name.
  const { token } = host.owner;
  const listed = await host.api.client.get(`/api/v1/bots/${bot.botId}/results`, { token });
  expect(listed.at("results.*.variables.*.value")).toEqual([["Ben"]]);
});

inBrowser("a chat that the service has deleted disappears from the list", async ({ page }) => {
  const bot = await publish();
  await visit(page, bot.address);
  await say(page, "Ana");
  await newChat(page).click();
  await page.getByText("Ana", { exact: true }).waitFor({ state: "detached" });
  await page.route("**/api/v1/sessions/*", (route) =>
    route.fulfill({ status: 404, json: { code: "session.not_found", message: "Session not found.", status: 404 } }),
  );

  await earlierChats(page).click();
  await page.locator(".earlier-chat").click();
  await page.getByText("This chat has ended.").waitFor();
  await earlierChats(page).waitFor({ state: "detached" });
  expect(await bubbles(page)).toEqual(["Your name?"]);
});

inLongRun(
  "the list of earlier chats has at most twenty chats, and is absent if the bot does not remember visitors",
  async ({ page }) => {
    const bot = await publish();
    await visit(page, bot.address);
    const name = `parley-chat-${bot.publicId}-earlier`;
    const kept = Array.from({ length: 25 }, (_, index) => ({
      ...{ sessionId: `s${index}`, words: `Chat ${index}`, at: "2026-01-01T10:00:00Z" },
    }));
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [name, JSON.stringify(kept)] as const);
    await say(page, "Ana");
    await page.getByText("Your town, Ana?").waitFor();
    await page.waitForFunction((key) => JSON.parse(localStorage.getItem(key) ?? "[]")[0]?.words === "Ana", name);
    expect(await page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "[]").length, name)).toBe(20);

    const forgetful = await publish({ rememberUser: { isEnabled: false } });
    await visit(page, forgetful.address);
    await say(page, "Ben");
    await newChat(page).click();
    await page.getByText("Ben", { exact: true }).waitFor({ state: "detached" });
    expect(await earlierChats(page).count()).toBe(0);
    expect(
      await page.evaluate((key) => localStorage.getItem(key), `parley-chat-${forgetful.publicId}-earlier`),
    ).toBeNull();
  },
);

inBrowser("the header starts a new chat even while an answer arrives", async ({ page, problems }) => {
  const theme = { general: { header: { isEnabled: true } } };
  const bot = await publish({ theme });
  await visit(page, bot.address);
  await say(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  const held = Promise.withResolvers<void>();
  await page.route("**/continueChat", async (route) => {
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  await say(page, "Aachen");
  await page.getByRole("link", { name: "New chat" }).click();
  await newChat(page).click();
  await page.getByText("Ana", { exact: true }).waitFor({ state: "detached" });
  await page.locator("[name=text]").waitFor();
  const arrived = page.waitForResponse("**/continueChat");
  held.resolve();
  await arrived;
  await page.unrouteAll({ behavior: "wait" });
  await say(page, "Ben");
  await page.getByText("Your town, Ben?").waitFor();
  expect(await bubbles(page)).toEqual(["Your name?", "Ben", "Your town, Ben?"]);
  expect(await page.locator(".other-chats").getByRole("button").allTextContents()).toEqual(["Earlier chats"]);
  expect(problems).toEqual([]);
});
