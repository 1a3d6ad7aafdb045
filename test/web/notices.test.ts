import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { testKey } from "../support/events.ts";
import { answer, openChat } from "../support/live-page.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
let model: FakeModel;
let credentialsId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  model = await startFakeModel();
  host = await openChatHost({ config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
  const { api, owner, workspaceId } = host;
  const data = { apiKey: "sk-test-0123456789", baseUrl: model.baseUrl };
  const body = { type: "openai", name: "Ours", data };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, { token: owner.token, body });
  credentialsId = made.text("credentials.id");
});
afterAll(async () => {
  await host.close();
  await model.close();
});

const mayTryAgain = {
  general: { isGoBackEnabled: true },
  answers: { canCopy: true, canTryAgain: true },
  typingEmulation: { enabled: false },
};

/** Returns a flow that asks, shows a model's answer, and asks again. */
function conversation(name: string, settings: object = { typingEmulation: { enabled: false } }) {
  const options = {
    action: "Create chat completion",
    ...{ credentialsId, model: name, messages: [{ id: "m", role: "user", content: "{{Name}}" }] },
    responseMapping: [{ id: "r", variableId: idOf("Email") }],
  };
  const answering = [{ id: "model", type: "openai", options }, says("{{Email}}", "answer")];
  const first = asks("text input", { variableId: idOf("Name") });
  return { ...flowOf([says("Yes?"), first, ...answering, asks("text input", {}, { id: "else" })]), settings };
}

const said = (page: Page) => page.locator(".typebot-host-bubble.text-bubble").allInnerTexts();
const notice = (page: Page) => page.locator(".chat-notice");
const mark = (page: Page) => page.locator(".answer-mark");
const tryAgain = (page: Page) => page.locator(".message-acts").getByRole("button", { name: "Try again" });

/** Pauses the model after this number of words, until it is released. */
function holdBehind(words: number) {
  const held = Promise.withResolvers<void>();
  const unwatch = model.onWord((word) => (word === words ? held.promise : undefined));
  return {
    letGo(): void {
      unwatch();
      held.resolve();
    },
  };
}

inBrowser("an answer continues after the page was offline", async ({ page, context }) => {
  const bot = await host.publish(conversation("echo"));
  await openChat(page, bot.address);
  const calls = model.asked.length;
  const held = holdBehind(4);
  await answer(page, "one two three four five six");
  await page.getByText("You said: one two").waitFor();

  await context.setOffline(true);
  await notice(page).waitFor();
  const text = await notice(page).textContent();
  const box = await notice(page).boundingBox();
  await context.setOffline(false);
  held.letGo();
  await page.getByText("You said: one two three four five six").waitFor();
  await page.getByRole("textbox").waitFor();

  expect(text).toBe("The connection is lost. The answer continues when it is back.Try again");
  expect(box && box.y + box.height <= (page.viewportSize()?.height ?? 0)).toBe(true);
  expect(await notice(page).count()).toBe(0);
  expect(model.asked.length - calls).toBe(1);
});

inBrowser("an answer that its provider truncated is marked, even after a reload", async ({ page }) => {
  const bot = await host.publish(conversation("cut"));
  await openChat(page, bot.address);
  await answer(page, "Tell me");
  await mark(page).waitFor();
  const live = await mark(page).textContent();
  await page.reload();
  await page.getByRole("textbox").waitFor();

  expect(live).toBe("The answer broke off here.");
  expect(await mark(page).textContent()).toBe(live);
  expect(await tryAgain(page).count()).toBe(0);
});

inBrowser("a new answer replaces a stopped answer, even after a reload", async ({ page, problems }) => {
  const bot = await host.publish(conversation("echo", mayTryAgain));
  await openChat(page, bot.address);
  const stopped = holdBehind(4);
  await answer(page, "one two three four");
  await page.getByText("You said: one two").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await mark(page).waitFor();
  stopped.letGo();
  const marked = [await mark(page).textContent(), await said(page)];

  const calls = model.asked.length;
  const held = holdBehind(3);
  await tryAgain(page).click();
  await page.locator("[aria-busy]").getByText("You said: one").waitFor();
  const meanwhile = await page.locator(".typebot-guest-bubble").allInnerTexts();
  await page.reload();
  await page.getByText("You said: one").waitFor();
  held.letGo();
  await page.getByText("You said: one two three four").waitFor();
  await tryAgain(page).waitFor();

  expect(marked).toEqual(["You stopped this answer.", ["Yes?", "You said: one two"]]);
  expect(meanwhile.map((text) => text.trim())).toEqual(["one two three four"]);
  expect(await said(page)).toEqual(["Yes?", "You said: one two three four"]);
  expect(await page.locator(".typebot-guest-bubble").allInnerTexts()).toEqual(["one two three four"]);
  expect(await mark(page).count()).toBe(0);
  expect(model.asked.length - calls).toBe(1);
  expect(await host.answersOf(bot)).toEqual([["one two three four"]]);
  expect(problems).toEqual([]);
});

inLongRun(
  "a retry of an answer is refused with a message if the chat has continued in another tab",
  async ({ page }) => {
    const bot = await host.publish(conversation("cut", mayTryAgain));
    const sessionId = await openChat(page, bot.address);
    await answer(page, "Tell me");
    await tryAgain(page).waitFor();
    await host.api.client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body: { message: "From elsewhere" } });
    await tryAgain(page).click();
    await notice(page).waitFor();

    expect(await page.locator(".typebot-guest-bubble").allInnerTexts()).toEqual(["Tell me", "From elsewhere"]);
    expect(await page.getByText("This chat has ended.").count()).toBe(1);
    expect(await notice(page).textContent()).toBe("The conversation has moved on. Please answer here.");
  },
);

inLongRun(
  "a first answer on a slow connection is shown immediately, counts once, and can be sent again if it fails",
  async ({ page }) => {
    const bot = await host.publish(conversation("echo"));
    const gate = Promise.withResolvers<void>();
    let starts = 0;
    await page.route("**/startChat", async (route) => {
      starts++;
      await gate.promise;
      if (starts > 1) await route.continue();
      else await route.abort();
    });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    await page.getByRole("textbox").fill("Hello");
    await page.getByRole("button", { name: "Send" }).dblclick();
    const bubble = page.locator(".typebot-guest-bubble.is-under-way");
    await bubble.waitFor();
    const sending = await bubble.textContent();
    const isOpen = await page.getByRole("textbox").count();
    gate.resolve();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    const unsent = await page.locator(".guest-container").textContent();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("You said: Hello").waitFor();

    expect([sending, isOpen]).toEqual(["HelloSending…", 0]);
    expect(unsent).toBe("HelloSending…");
    expect(await page.locator(".typebot-guest-bubble").allInnerTexts()).toEqual(["Hello"]);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await host.answersOf(bot)).toEqual([["Hello"]]);
  },
);

inBrowser("a button above the field sends an unsent answer immediately", async ({ page }) => {
  const bot = await host.publish(conversation("echo"));
  await openChat(page, bot.address);
  await page.route("**/continueChat", (route) => route.abort());
  await answer(page, "Hello");
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  const sentence = await notice(page).textContent();
  await page.unroute("**/continueChat");
  await again.click();
  await page.getByText("You said: Hello").waitFor();

  expect(sentence).toStartWith("The service cannot be reached. Trying again…");
  await waitFor(async () => (await notice(page).count()) === 0);
  expect(await again.count()).toBe(0);
});
