import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";
import { visitor } from "../support/web-page.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const settings = { typingEmulation: { enabled: false }, general: { isGoBackEnabled: true } };
const change = "Change last answer";
const said = (page: Page) => page.locator(".typebot-host-bubble, .typebot-guest-bubble").allTextContents();

describe("a visitor who may change the last answer", () => {
  inBrowser("a visitor can change the answer by keyboard only", async ({ page, problems }) => {
    const bot = await host.publish({ ...nameAndEmail, settings });
    await openChat(page, bot.address);
    expect(await page.getByRole("button", { name: change }).count()).toBe(0);
    await answer(page, "Ana");
    await page.getByRole("textbox", { name: "Hello Ana, and your e-mail?" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.keyboard.press("Shift+Tab");
    expect(await page.getByRole("button", { name: change }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Your name?" });
    await field.waitFor();

    expect(await field.inputValue()).toBe("Ana");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await said(page)).toEqual(["Your name?"]);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Bob");
    await page.keyboard.press("Enter");
    await page.getByText("Hello Bob").waitFor();
    expect(await host.answersOf(bot)).toEqual([["Bob"]]);
    expect(problems).toEqual([]);
  });

  inBrowser("a visitor can change answers after the end and after a reload", async ({ page }) => {
    const bot = await host.publish({ ...nameAndEmail, settings });
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();
    await answer(page, "ana@example.com");
    await page.getByText("This chat has ended.").waitFor();

    await page.getByRole("button", { name: change }).click();
    const email = page.getByRole("textbox", { name: "Hello Ana" });
    await email.waitFor();
    expect(await email.inputValue()).toBe("ana@example.com");
    expect(await page.getByText("This chat has ended.").count()).toBe(0);
    await page.getByRole("button", { name: change }).click();
    await page.getByRole("textbox", { name: "Your name?" }).waitFor();
    await page.reload();
    await page.locator("body.is-live").waitFor();
    await answer(page, "Bob");
    await page.getByRole("textbox", { name: "Hello Bob" }).waitFor();
    await answer(page, "bob@example.com");
    await page.getByText("This chat has ended.").waitFor();

    expect(await host.answersOf(bot)).toEqual([["Bob", "bob@example.com"]]);
    expect(await said(page)).toEqual([
      "Your name?",
      "Bob",
      "Hello Bob, and your e-mail?",
      "bob@example.com",
      "Thank you",
    ]);
  });

  inBrowser("a visitor is notified if going back is no longer possible", async ({ page }) => {
    const bot = await host.publish({ ...nameAndEmail, settings });
    const sessionId = await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();
    // Simulates an answer so old that the service no longer stores the state before it.
    await host.api.deps.sql`update steps set state_before = null where session_id = ${sessionId}`;

    await page.getByRole("button", { name: change }).click();

    await page.getByText("You can no longer change that answer.").waitFor();
  });

  inLongRun(
    "a visitor can change the answer in an embedded chat, whose page receives the new answer",
    async ({ page }) => {
      const bot = await host.publish({ ...nameAndEmail, settings });
      const site = openOtherSite();
      const address = site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, {
        head: `<script>
        window.answered = [];
        addEventListener("parley-answer", ({ detail }) => answered.push(detail.message));
      </script><script src="${host.origin}/embed.js" defer></script>`,
      });
      await page.goto(address);
      await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();
      await page.getByRole("button", { name: change }).click();
      const field = page.getByRole("textbox", { name: "Your name?" });
      await field.waitFor();
      expect(await field.inputValue()).toBe("Ana");
      await field.fill("Bob");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Hello Bob" }).fill("bob@example.com");
      await page.keyboard.press("Enter");
      await page.getByText("This chat has ended.").waitFor();

      expect(await page.evaluate("answered")).toEqual(["Ana", "Bob", "bob@example.com"]);
      expect(await page.getByRole("button", { name: "Start again" }).count()).toBe(1);
      await site.close();
    },
  );

  test("a visitor can change the answer without JavaScript", async () => {
    const bot = await host.publish({ ...nameAndEmail, settings });
    const ana = visitor(host.api);
    const first = await ana.visit(`/${bot.publicId}`);
    expect(first.forms).toHaveLength(1);
    const second = await ana.post(first, { text: "Ana" });
    const back = await ana.post(second, {}, change);

    expect(back.said).toEqual(["bot: Your name?"]);
    expect(back.form?.fields).toEqual([{ name: "text", type: "text", value: "Ana" }]);
    const again = await ana.post(back, { text: "Bob" });
    expect(again.said.at(-1)).toBe("bot: Hello Bob, and your e-mail?");
    const end = await ana.post(again, { text: "bob@example.com" });
    expect((await ana.post(end, {}, change)).form?.fields[0]?.value).toBe("bob@example.com");
    expect(await host.answersOf(bot)).toEqual([["Bob"]]);
  });

  test("without JavaScript, the page reports that going back is impossible", async () => {
    const bot = await host.publish({ ...nameAndEmail, settings });
    const ana = visitor(host.api);
    const second = await ana.post(await ana.visit(`/${bot.publicId}`), { text: "Ana" });
    const sessionId = second.form?.hidden["session"] ?? "";
    await host.api.deps.sql`update steps set state_before = null where session_id = ${sessionId}`;

    const page = await ana.post(second, {}, change);

    expect(page.remarks).toEqual(["You can no longer change that answer."]);
    expect(page.said).toEqual(second.said);
  });
});

test("a bot that does not allow going back shows no button to go back", async () => {
  const bot = await host.publish(nameAndEmail);
  const ana = visitor(host.api);
  const second = await ana.post(await ana.visit(`/${bot.publicId}`), { text: "Ana" });
  expect(second.forms).toHaveLength(1);
  expect(second.html).not.toContain(change);
});

describe("a conversation that may be saved", () => {
  const flow = {
    ...flowOf([
      says("Your name?"),
      asks("text input"),
      { id: "i", type: "image", content: { url: "https://a.example/map.png", alt: "The way to us" } },
      says("Thank you"),
    ]),
    name: "Tea & more",
    settings: { typingEmulation: { enabled: false }, general: { isTranscriptSavingEnabled: true } },
  };
  const expected = [
    "Tea & more",
    expect.stringMatching(/\d{4}/),
    "Tea & more: Your name?",
    "You: Ana",
    "Tea & more: The way to us https://a.example/map.png",
    "Tea & more: Thank you\n",
  ];

  inBrowser("after the end, a conversation can be saved as text or printed", async ({ page }) => {
    await page.addInitScript(() => Object.assign(window, { print: () => document.body.classList.add("was-printed") }));
    const bot = await host.publish(flow);
    await openChat(page, bot.address);
    await answer(page, "Ana");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save conversation" }).click();
    const file = await saving;

    expect(file.suggestedFilename()).toBe("Tea more.txt");
    expect((await Bun.file(await file.path()).text()).split("\n\n")).toEqual(expected);
    await page.getByRole("button", { name: "Print" }).click();
    await page.locator("body.was-printed").waitFor();
    expect(await axeProblems(page)).toEqual([]);
  });

  test("a conversation can be saved without JavaScript", async () => {
    const saved = async (general: object) => {
      const bot = await host.publish({ ...flow, settings: { ...flow.settings, general } });
      const ana = visitor(host.api);
      const end = await ana.post(await ana.visit(`/${bot.publicId}`), { text: "Ana" });
      return ana.post({ ...end, form: end.forms[0] }, { control: "saveTranscript" });
    };
    const allowed = await saved({ isTranscriptSavingEnabled: true, isGoBackEnabled: true });

    expect(allowed.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''Tea%20more.txt");
    expect(allowed.html.split("\n\n")).toEqual(expected);
    const refused = await saved({ isGoBackEnabled: true });
    expect(refused.headers.get("content-disposition")).toBeNull();
    expect(refused.said).toContain("visitor: Ana");
  });
});
