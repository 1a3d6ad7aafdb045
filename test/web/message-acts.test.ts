import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, publish, says } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { waitFor } from "../support/wait.ts";

let chats: ModelChats;
let server: ReturnType<typeof Bun.serve>;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  chats = await createModelChats({ RATE_LIMITS: "off" });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: chats.api.handle });
});
afterAll(async () => {
  await server.stop(true);
  await chats.close();
});

const settings = {
  typingEmulation: { enabled: false },
  general: { isGoBackEnabled: true, rememberUser: { isEnabled: true } },
  answers: { canCopy: true, canTryAgain: true, isRated: true },
};

async function publishBot(more: object = {}) {
  const { token, workspaceId, api } = chats;
  const [name = {}, model = {}, answer = {}] = chats.answers({});
  const flow = flowOf([
    says("Who are you?"),
    name,
    model,
    { ...answer, id: "answer" },
    asks("text input", {}, { id: "more" }),
  ]);
  const bot = await publish(api.client, { token, workspaceId }, { ...flow, settings: { ...settings, ...more } });
  return { ...bot, address: `${server.url.origin}/${bot.publicId}` };
}

async function converse(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("body.is-live form").waitFor();
  await page.locator("[name=text]").fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("Answer: ").waitFor();
  await page.locator("[name=text]").waitFor();
}

const good = (page: Page) => page.getByRole("button", { name: "Good answer" });
const bad = (page: Page) => page.getByRole("button", { name: "Bad answer" });
const pressed = (page: Page) =>
  Promise.all([good(page), bad(page)].map((button) => button.getAttribute("aria-pressed")));
const ratingsOf = async (botId: string) =>
  (await chats.api.client.get(`/api/v1/bots/${botId}/results`, { token: chats.token })).at("results.0.ratings");

inBrowser("a visitor rates a model's answer and removes the rating", async ({ page, problems }) => {
  const { botId, address } = await publishBot();
  await converse(page, address);
  expect(await pressed(page)).toEqual(["false", "false"]);

  await bad(page).click();
  await page.getByText("Thank you for your rating.").waitFor({ state: "attached" });
  await page.getByRole("textbox", { name: "What should we know? (optional)" }).fill("Too short");
  await page.keyboard.press("Enter");
  await page.locator(".rating-words").waitFor({ state: "detached" });
  expect(await pressed(page)).toEqual(["false", "true"]);
  await page.reload();
  await bad(page).waitFor();
  expect(await pressed(page)).toEqual(["false", "true"]);
  expect(await ratingsOf(botId)).toEqual([expect.objectContaining({ revision: 2, isGood: false, words: "Too short" })]);
  expect(await axeProblems(page)).toEqual([]);

  await bad(page).click();
  expect(await pressed(page)).toEqual(["false", "false"]);
  await good(page).click();
  await page.getByText("Thank you for your rating.").waitFor({ state: "attached" });
  expect(await ratingsOf(botId)).toEqual([expect.objectContaining({ isGood: true, words: null })]);
  expect(problems).toEqual([]);
});

inLongRun("the comment of a rating is sent in a frame whose sandbox forbids forms", async ({ page }) => {
  const { botId, address } = await publishBot();
  await page.setContent(`<iframe src="${address}" sandbox="allow-scripts" title="Chat" height="600"></iframe>`);
  const chat = page.frameLocator("iframe");
  await chat.locator("body.is-live form").waitFor();
  await chat.locator("[name=text]").fill("Ana");
  await page.keyboard.press("Enter");
  await chat.getByRole("button", { name: "Bad answer" }).click();
  await chat.getByRole("textbox", { name: "What should we know? (optional)" }).fill("Too short");
  await page.keyboard.press("Enter");
  await chat.locator(".rating-words").waitFor({ state: "detached" });

  const words = async () => JSON.stringify(await ratingsOf(botId));
  await waitFor(async () => (await words()).includes("Too short"), { what: "the words to be kept" });
});

inBrowser("an answer is copied by keyboard as text and HTML", async ({ page, problems }) => {
  const { address } = await publishBot();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await converse(page, address);

  await page.getByRole("button", { name: "Copy" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });

  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text();
    return [await read("text/plain"), await read("text/html")];
  });
  expect(copied[0]).toStartWith("Answer: ");
  expect(copied[1]).toContain("<p>Answer: ");
  expect(problems).toEqual([]);
});

inBrowser("the visitor's last message can be edited", async ({ page, problems }) => {
  const { botId, address } = await publishBot();
  await converse(page, address);

  await page.getByRole("button", { name: "Edit your message" }).click();
  await page.locator(".typebot-guest-bubble").waitFor({ state: "detached" });
  expect(await page.locator("[name=text]").inputValue()).toBe("Ana");
  await page.locator("[name=text]").fill("Ben");
  await page.keyboard.press("Enter");
  await page.getByText("Ben", { exact: true }).waitFor();
  await bad(page).click();
  await page.getByText("Thank you for your rating.").waitFor({ state: "attached" });

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ben"]);
  expect(await ratingsOf(botId)).toEqual([expect.objectContaining({ revision: 4, isGood: false })]);
  expect(problems).toEqual([]);
});

inBrowser("a bot without settings for answers shows no actions below answers", async ({ page }) => {
  const { address } = await publishBot({ answers: {} });
  await converse(page, address);

  expect(await page.locator(".message-acts").count()).toBe(0);
});

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

inLongRun(
  "on a phone the actions of the last answer are visible, and large enough for a finger",
  async ({ page }) => {
    const { address } = await publishBot();
    await converse(page, address);

    const { width = 0, height = 0 } = (await good(page).boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThan(43.9);
    await page.waitForFunction(() => {
      const act = document.querySelector(".host-container .message-act");
      return act !== null && getComputedStyle(act).opacity === "1";
    });
  },
  phone,
);
