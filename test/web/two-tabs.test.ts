import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

// Both tabs show the one chat that the browser remembers.
const general = { isGoBackEnabled: true, rememberUser: { isEnabled: true, storage: "local" } };
const settings = { general, typingEmulation: { enabled: false } };
const questions = {
  ...flowOf([
    says("Colour?"),
    asks("text input", { variableId: idOf("Name") }, { id: idOf("colour") }),
    says("Size?"),
    asks("text input", {}, { id: idOf("size") }),
    says("Mail?"),
    asks("email input"),
    says("Thank you"),
  ]),
  settings,
};
const moved = "The conversation has moved on. Please answer here.";

async function answer(tab: Page, question: string, text: string): Promise<void> {
  await tab.getByRole("textbox", { name: question }).fill(text);
  await tab.keyboard.press("Enter");
}

async function openOther(context: BrowserContext, address: string, question: string): Promise<Page> {
  const other = await context.newPage();
  await other.goto(address);
  await other.locator("body.is-live").waitFor();
  await other.getByRole("textbox", { name: question }).waitFor();
  return other;
}

/** Records the revisions that a tab sends with its requests, and the service's responses. */
function sentBy(tab: Page): string[] {
  const sent: string[] = [];
  tab.on("response", (response) => {
    const request = response.request();
    const [, act] = /\/sessions\/\w+\/(\w+)$/.exec(request.url()) ?? [];
    if (act === undefined || request.method() !== "POST") return;
    const { afterRevision }: { afterRevision?: number } = JSON.parse(request.postData() ?? "{}");
    sent.push(`${act} after ${afterRevision}: ${response.status()}`);
  });
  return sent;
}

inBrowser("an outdated tab cannot answer another question", async (visit) => {
  const { page, context } = visit;
  const bot = await host.publish(questions);
  await page.goto(bot.address);
  const older = await openOther(context, bot.address, "Colour?");
  const sent = sentBy(older);
  await answer(page, "Colour?", "blue");
  await page.getByRole("textbox", { name: "Size?" }).waitFor();

  await answer(older, "Colour?", "red");

  await older.getByText(moved).waitFor();
  const field = older.getByRole("textbox", { name: "Size?" });
  expect(await field.inputValue()).toBe("red");
  expect(await older.locator(".typebot-guest-bubble").allTextContents()).toEqual(["blue"]);
  expect(await host.answersOf(bot)).toEqual([["blue"]]);
  // The next reply answers the question that is now visible.
  await answer(older, "Size?", "large");
  await older.getByRole("textbox", { name: "Mail?" }).waitFor();
  expect(await older.getByText(moved).count()).toBe(0);
  expect(await host.answersOf(bot)).toEqual([["blue", "large"]]);
  expect(sent).toEqual(["continueChat after 1: 409", "continueChat after 2: 200"]);
});

inBrowser("an outdated tab cannot undo an answer of another tab", async ({ page, context }) => {
  const bot = await host.publish(questions);
  await page.goto(bot.address);
  await answer(page, "Colour?", "blue");
  const older = await openOther(context, bot.address, "Size?");
  await answer(page, "Size?", "large");
  await page.getByRole("textbox", { name: "Mail?" }).waitFor();

  await goBack(older).click();

  await older.getByText(moved).waitFor();
  await older.getByRole("textbox", { name: "Mail?" }).waitFor();
  expect(await host.answersOf(bot)).toEqual([["blue", "large"]]);
  await goBack(older).click();
  await older.getByRole("textbox", { name: "Size?" }).waitFor();
  expect(await host.answersOf(bot)).toEqual([["blue"]]);
});

inBrowser("an outdated tab's answer to a question that is still open is sent again once", async ({ page, context }) => {
  const bot = await host.publish(questions);
  await page.goto(bot.address);
  await answer(page, "Colour?", "blue");
  await answer(page, "Size?", "large");
  const older = await openOther(context, bot.address, "Mail?");
  const sent = sentBy(older);
  // The service rejects an address that the page accepts.
  await answer(page, "Mail?", "ana@localhost");
  await page.locator(".typebot-input-error-message").waitFor();

  await answer(older, "Mail?", "ana@example.com");

  await older.getByText("Thank you").waitFor();
  expect(sent).toEqual(["continueChat after 3: 409", "continueChat after 4: 200"]);
  expect(await older.getByText(moved).count()).toBe(0);
  expect(await host.answersOf(bot)).toEqual([["blue", "large", "ana@example.com"]]);
});

inLongRun(
  "an outdated tab shows the current state of a chat that has ended in another tab",
  async ({ page, context }) => {
    const bot = await host.publish({ ...flowOf([says("Colour?"), asks("text input"), says("Thank you")]), settings });
    await page.goto(bot.address);
    const older = await openOther(context, bot.address, "Colour?");
    await answer(page, "Colour?", "blue");
    await page.getByText("Thank you").waitFor();

    await answer(older, "Colour?", "red");

    await older.getByText("Thank you").waitFor();
    await older.getByText("This chat has ended.").waitFor();
    expect(await older.getByText(moved).count()).toBe(0);
    expect(await older.locator(".typebot-guest-bubble").allTextContents()).toEqual(["blue"]);
    expect(await host.answersOf(bot)).toEqual([["blue"]]);
  },
);

inLongRun("a page of nodes that send no step numbers sends no step number", async ({ page }) => {
  const bot = await host.publish(questions);
  await page.route("**/api/v1/**", async (route) => {
    const response = await route.fetch();
    const { revision: _, ...step } = await response.json();
    await route.fulfill({ response, json: step });
  });
  const sent = sentBy(page);
  await page.goto(bot.address);
  await answer(page, "Colour?", "blue");
  await answer(page, "Size?", "large");

  await page.getByRole("textbox", { name: "Mail?" }).waitFor();
  expect(sent).toEqual(["continueChat after undefined: 200", "continueChat after undefined: 200"]);
});

inLongRun(
  "an embedded chat in an outdated tab cannot answer another question, and keeps its text",
  async ({ page, context }) => {
    const bot = await host.publish(questions);
    const script = `<script src="${host.origin}/embed.js" defer></script>`;
    const address = site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>${script}`);
    await page.goto(address);
    await page.getByRole("textbox", { name: "Colour?" }).waitFor();
    const older = await context.newPage();
    await older.goto(address);
    await older.getByRole("textbox", { name: "Colour?" }).waitFor();
    await answer(page, "Colour?", "blue");
    await page.getByRole("textbox", { name: "Size?" }).waitFor();

    await answer(older, "Colour?", "red");

    await older.getByText(moved).waitFor();
    expect(await older.getByRole("textbox", { name: "Size?" }).inputValue()).toBe("red");
    expect(await host.answersOf(bot)).toEqual([["blue"]]);
  },
);

function goBack(tab: Page): Locator {
  return tab.getByRole("button", { name: "Change last answer" });
}
