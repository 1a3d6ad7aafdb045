import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";
import { visitor } from "../support/web-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

describe("an unavailable payment", () => {
  const unpaid = { failure: { outgoingEdgeId: idOf("e1") } };
  const payment = (options: object) => asks("payment input", { amount: "12.5", currency: "EUR", ...options });
  const pageOf = async (options: object, language?: string) => {
    const flow = flowOf([asks("text input"), payment(options), says("Thanks for paying")], [says("By invoice, then.")]);
    const { botId, publicId } = await host.publish({ ...flow, settings: { general: { language } } });
    const ana = visitor(host.api);
    return { botId, end: await ana.post(await ana.visit(`/${publicId}`), { text: "Tea" }) };
  };

  test("an unavailable payment ends the chat with advice for the visitor", async () => {
    const { botId, end } = await pageOf({});

    expect(end.said.at(-1)).toBe(
      "bot: A payment of €12.50 is due here, but this chat cannot take it. Please ask the person who sent you here how to pay.",
    );
    expect(end.form).toBeUndefined();
    const { token } = host.owner;
    const results = await host.api.client.get(`/api/v1/bots/${botId}/results`, { token });
    const logs = await host.api.client.get(`/api/v1/bots/${botId}/results/${results.text("results.0.id")}/logs`, {
      token,
    });
    expect(logs.at("logs.*.description")).toContain(
      "The chat ended at a payment, because “If payment is not possible” is not connected",
    );
  });

  test("a flow with an unavailable payment continues at its failure edge", async () => {
    const { end } = await pageOf(unpaid, "de");

    expect(end.said.slice(1)).toEqual([
      "bot: Hier ist eine Zahlung von 12,50\u00a0€ fällig, die in diesem Chat nicht möglich ist. Fragen Sie bitte dort nach, woher Sie den Link haben, wie Sie bezahlen können.",
      "bot: By invoice, then.",
    ]);
  });

  test("an unavailable payment shows the author's message", async () => {
    const { end } = await pageOf({ failure: { ...unpaid.failure, message: "We send you a bill." } });

    expect(end.said.slice(1)).toEqual(["bot: We send you a bill.", "bot: By invoice, then."]);
  });
});

describe("the end of a chat", () => {
  const oneQuestion = flowOf([says("Your name?"), asks("text input"), says("Thank you")]);
  const ended = async (page: Page, changes: object = {}) => {
    const bot = await host.publish({ ...oneQuestion, ...changes });
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByText("Thank you").waitFor();
    return bot;
  };
  const said = (page: Page) => page.locator(".typebot-host-bubble, .typebot-guest-bubble").allTextContents();

  inBrowser("the end of a chat is a line of text that has the focus", async ({ page, problems }) => {
    const bot = await ended(page);

    const line = page.getByText("This chat has ended.");
    await line.waitFor();
    expect(await line.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Your name?" }).waitFor();

    expect(await line.count()).toBe(0);
    expect(await said(page)).toEqual(["Your name?"]);
    await answer(page, "Bob");
    await page.getByText("Thank you").waitFor();
    expect(await host.answersOf(bot)).toEqual([["Bob"], ["Ana"]]);
    expect(problems).toEqual([]);
  });

  inBrowser("the end of a chat shows the theme's text for the end", async ({ page }) => {
    await ended(page, {
      theme: { chat: { endMessage: "See you soon!" } },
      settings: { ...atOnce, general: { isStartAgainEnabled: false } },
    });

    await page.getByText("See you soon!").waitFor();
    expect(await page.getByText("This chat has ended.").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Start again" }).count()).toBe(0);
  });

  inBrowser("the end of a chat takes no focus if nothing was answered", async ({ page }) => {
    const { address } = await host.publish(flowOf([says("We are closed")]));
    const started = page.waitForResponse("**/startChat");
    await page.goto(address);
    await started;

    await page.getByText("This chat has ended.").waitFor();
    await page.waitForFunction(() => history.state !== null);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });

  test("the end of a chat is shown without JavaScript", async () => {
    const { publicId } = await host.publish(nameAndEmail);
    const ana = visitor(host.api);
    const first = await ana.visit(`/${publicId}`);
    const second = await ana.post(first, { text: "Ana" });
    const end = await ana.post(second, { text: "ana@example.com" });

    expect(second.remarks).toEqual([]);
    expect(end.remarks).toEqual(["This chat has ended."]);
    expect(end.html).toMatch(new RegExp(`<a [^>]*href="/${publicId}"[^>]*>Start again</a>`));
    const again = await ana.visit(`/${publicId}`);
    expect(again.said).toEqual(["bot: Your name?"]);
  });

  test("the end of a chat is shown on the first page only after a message", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://example.invalid" } } };
    const pageOf = async (...blocks: object[]) => {
      const { publicId } = await host.publish(flowOf(blocks));
      return visitor(host.api).visit(`/${publicId}`);
    };

    expect((await pageOf(says("One moment"), call, asks("text input"))).remarks).toEqual([]);
    const told = await pageOf(says("We are closed"));
    expect(told.remarks).toEqual(["This chat has ended."]);
    expect(told.html).not.toContain("Start again");
    expect((await pageOf()).remarks).toEqual([]);
  });
});

const atOnce = { typingEmulation: { enabled: false } };
