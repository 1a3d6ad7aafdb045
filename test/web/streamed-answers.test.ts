import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { type CuttingProxy, openCuttingProxy } from "../support/cutting-proxy.ts";
import { testKey } from "../support/events.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
let model: FakeModel;
let site: OtherSite;
let credentialsId: string;
/** A proxy in front of the service. It breaks connections that transfer pieces of an answer. */
let front: CuttingProxy;
/** Another node of the same database. */
let other: Bun.Server<undefined>;
let threads: Threads;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  model = await startFakeModel();
  host = await openChatHost({ config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
  site = openOtherSite();
  const { api, owner, workspaceId } = host;
  const data = { apiKey: "sk-test-0123456789", baseUrl: model.baseUrl };
  const body = { type: "openai", name: "Ours", data };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, { token: owner.token, body });
  credentialsId = made.text("credentials.id");
  const { config, log, sql } = api.deps;
  threads = createThreads({ count: 1 });
  const app = createApp(createDependencies({ config, log, sql, threads }));
  other = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: (request) => app.handle(request) });
  front = await openCuttingProxy([Number(new URL(host.origin).port), Number(other.port)], "event: delta");
});
afterAll(async () => {
  await front.close();
  await other.stop(true);
  await threads.close();
  await site.close();
  await host.close();
  await model.close();
});

/** Returns a question to a model, and the bubble with its answer. */
function asked(name: string, content: string): object[] {
  const options = {
    action: "Create chat completion",
    ...{ credentialsId, model: name, messages: [{ id: "m", role: "user", content }] },
    responseMapping: [{ id: "r", variableId: idOf("Email") }],
  };
  return [{ id: "model", type: "openai", options }, says("{{Email}}", "answer")];
}

const whatToSay = asks("text input", { variableId: idOf("Name") });
const next = [says("What else?"), asks("text input", {}, { id: "else" })];
const conversation = (name = "echo") => flowOf([says("Yes?"), whatToSay, ...asked(name, "{{Name}}"), ...next]);

const addressOf = ({ publicId }: PublishedBot) => `${front.origin}/${publicId}`;
const growing = (page: Page) => page.locator("[aria-busy=true]");
const growingText = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>("[aria-busy]")?.textContent ?? "");
const stopButton = (page: Page) => page.getByRole("button", { name: "Stop" });
const lastSaid = (page: Page) => page.locator("#question, .typebot-host-bubble").last();
const said = (page: Page) => page.locator(".typebot-host-bubble.text-bubble").allInnerTexts();

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

const words = Array.from({ length: 30 }, (_, index) => `**word** ${index}`).join(", ");

inBrowser("an answer is shown before it is complete", async ({ page, problems }) => {
  const bot = await host.publish(conversation());
  const sessionId = await openChat(page, addressOf(bot));
  // The model continues when its text so far has been read.
  const shown: string[] = [];
  const read = async (word: number): Promise<boolean> => {
    const text = await growingText(page);
    shown.push(text);
    return text.match(/\S+/g)?.length === word;
  };
  const unwatch = model.onWord((word) => (word > 0 && word % 10 === 0 ? waitFor(() => read(word)) : undefined));
  front.cutAfter(2);
  await answer(page, words);
  await page.getByText("What else?").waitFor();
  front.cutAfter(Number.POSITIVE_INFINITY);
  unwatch();

  expect(front.cuts()).toBeGreaterThan(3);
  const whole = `You said: ${words}`;
  expect(await said(page)).toEqual(["Yes?", whole.replaceAll("**", ""), "What else?"]);
  // No text was repeated, and no text was missing in between.
  for (const text of shown) expect(whole.replaceAll("**", "").startsWith(text.trimEnd())).toBe(true);
  const stored = await host.api.client.get(`/api/v1/sessions/${sessionId}`);
  expect(stored.text("session.steps.1.messages.0.content.plainText")).toBe(whole.replaceAll("**", ""));
  expect(model.asked.filter(({ text }) => text.includes("word"))).toHaveLength(1);
  expect(problems.filter((problem) => !problem.includes("ERR_"))).toEqual([]);
});

inBrowser("after a reload during an answer, the page still shows the growing answer", async ({ page, context }) => {
  const settings = {
    general: { rememberUser: { isEnabled: true, storage: "local" } },
    typingEmulation: { enabled: false },
  };
  const bot = await host.publish({ ...conversation(), settings });
  await openChat(page, addressOf(bot));
  const calls = model.asked.length;
  const held = holdBehind(5);
  await answer(page, "one two three four five six");
  await growing(page).getByText("You said: one two three").waitFor();

  await page.reload();
  await growing(page).getByText("You said: one two three").waitFor();
  const other = await context.newPage();
  await other.goto(addressOf(bot));
  await growing(other).getByText("You said: one two three").waitFor();
  held.letGo();

  for (const one of [page, other]) {
    await one.getByText("What else?").waitFor();
    expect(await said(one)).toEqual(["Yes?", "You said: one two three four five six", "What else?"]);
    expect(await one.locator(".typebot-guest-bubble").allInnerTexts()).toEqual(["one two three four five six"]);
  }
  expect(model.asked.length - calls).toBe(1);
});

inBrowser("a visitor can stop an answer before its first word", async ({ page }) => {
  const bot = await host.publish(conversation());
  await openChat(page, addressOf(bot));
  const held = holdBehind(0);
  await answer(page, "one two three four");
  await stopButton(page).click();
  await page.getByText("What else?").waitFor();
  held.letGo();

  expect(await said(page)).toEqual(["Yes?", "What else?"]);
});

inBrowser("a stopped answer keeps its partial text", async ({ page }) => {
  const bot = await host.publish(conversation());
  await openChat(page, addressOf(bot));
  const left = model.left();
  const held = holdBehind(4);
  await answer(page, "one two three four");
  await growing(page).getByText("You said: one two").waitFor();
  await stopButton(page).click();
  await page.getByText("What else?").waitFor();
  await waitFor(() => model.left() > left, { what: "the provider to see the connection closed" });
  held.letGo();

  expect(await said(page)).toEqual(["Yes?", "You said: one two", "What else?"]);
  expect(await stopButton(page).count()).toBe(0);
});

inLongRun("if the provider fails, the page shows a message in the bot's language", async ({ page }) => {
  const bot = await host.publish({ ...conversation("fails-401"), settings: { general: { language: "de" } } });
  await openChat(page, addressOf(bot));
  await answer(page, "x");
  await page.getByText("What else?").waitFor();

  expect(await said(page)).toEqual([
    "Yes?",
    "Im Moment gibt es keine Antwort. Bitte versuchen Sie es noch einmal.",
    "What else?",
  ]);
});

inBrowser("an answer that grows at the start of a chat continues after a reload", async ({ page }) => {
  const { publicId } = await host.publish(flowOf([says("Welcome."), ...asked("echo", "one two three four"), ...next]));
  const calls = model.asked.length;
  const held = holdBehind(4);
  await page.goto(`${front.origin}/${publicId}`);
  await growing(page).getByText("You said: one two").waitFor();
  await page.reload();
  await growing(page).getByText("You said: one two").waitFor();
  expect(model.asked.length - calls).toBe(1);
  await stopButton(page).click();
  await page.getByText("What else?").waitFor();
  held.letGo();

  expect(await said(page)).toEqual(["Welcome.", "You said: one two", "What else?"]);
  await answer(page, "Bye");
});

/** Starts a chat whose step calls the model, in the state after a form that was posted without scripts. */
async function beginAnswer(message: string) {
  const { publicId, address } = await host.publish(conversation());
  const { client } = host.api;
  const session = (await start(client, publicId)).text("sessionId");
  const calls = model.asked.length;
  const { letGo } = holdBehind(2);
  const taking = say(client, session, message);
  await waitFor(() => model.asked.length > calls, { what: "the model to be asked" });
  return { address, session, calls, letGo, taking };
}

inLongRun(
  "a page that continues a chat without scripts asks again if no step arrives for five minutes",
  async ({ page, context }) => {
    const { address, session, letGo, taking } = await beginAnswer("one two");
    await context.addCookies([{ name: "parley-chat", value: session, url: address }]);
    await page.clock.install();
    const waits = page.waitForRequest((request) => request.url().endsWith(`/sessions/${session}/events`));
    await page.goto(address);
    await waits;
    expect(await page.getByRole("textbox").count()).toBe(0);

    // Nothing arrived for longer than a step takes.
    await page.clock.fastForward(300_000);
    await page.getByRole("textbox").waitFor();
    expect(await said(page)).toEqual(["Yes?"]);
    letGo();
    await taking;
  },
);

inLongRun(
  "a script that loads in a page that waits without a script shows the answer once, and continues",
  async ({ page, context, problems }) => {
    const { address, session, calls, letGo, taking } = await beginAnswer("one two");
    await context.addCookies([{ name: "parley-chat", value: session, url: address }]);
    await page.goto(address);
    await page.locator("body.is-live").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    letGo();
    await taking;
    await page.getByText("What else?").waitFor();

    expect(await page.locator(".typebot-host-bubble, .typebot-guest-bubble").allInnerTexts()).toEqual([
      "Yes?",
      "one two",
      "You said: one two",
      "What else?",
    ]);
    expect(model.asked.length - calls).toBe(1);
    await answer(page, "Bye");
    await page.locator(".typebot-guest-bubble", { hasText: "Bye" }).waitFor();
    await page.reload();
    expect(await said(page)).toEqual(["Yes?", "You said: one two", "What else?"]);
    expect(problems).toEqual([]);
  },
);

const table =
  "all.\n\n| Plan | Price |\n|---|--:|\n| Team | ~~$5~~ $10 |\n\n- [x] Formula: $x^2$\n\n```js\nlet a = 1;\n```\n";

test("a table is a separate node for Parley's API clients", async () => {
  const { client } = host.api;
  const shows = flowOf([says("Yes?"), whatToSay, ...asked("echo", "{{Name}}"), says("{{Name}}", "typed"), ...next]);
  const { publicId } = await host.publish(shows);
  const ours = (await start(client, publicId)).text("sessionId");
  const answered = await say(client, ours, table);
  const theirs = (await client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} })).text("sessionId");
  const compatible = await say(client, theirs, table);
  const asMarkdown = (await start(client, publicId, { textBubbleContentFormat: "markdown" })).text("sessionId");
  const body = { message: table, textBubbleContentFormat: "markdown" };
  const written = await client.post(`/api/v1/sessions/${asMarkdown}/continueChat`, { body });

  const types = (response: typeof answered, message: number) =>
    response.list(`messages.${message}.content.richText.*.type`);
  expect(types(answered, 0)).toEqual(["p", "p", "table", "p", "ul", "p", "code_block"]);
  expect(answered.text("messages.0.content.plainText")).toContain("Plan | Price\nTeam | $5 $10\n\n- [x] Formula: x^2");
  expect(answered.text("messages.0.content.html")).toContain(
    '<th scope="col">Plan</th><th scope="col" align="right">Price</th>',
  );
  // The visitor's own text is not an answer of a model.
  expect(types(answered, 1)).toEqual(["p", "p", "p", "p", "ul", "p", "code_block"]);
  expect(types(compatible, 0)).toEqual(["p", "p", "p", "p", "ul", "p", "code_block"]);
  expect(compatible.text("messages.0.content.plainText")).toContain("| Team | ~~$5~~ $10 |");
  expect(written.text("messages.0.content.markdown")).toContain("| Team | ~~$5~~ $10 |");
});

inBrowser("a table, a formula and code are rendered", async ({ page, problems, outside }) => {
  const { publicId } = await host.publish(conversation());
  await page.setViewportSize({ width: 320, height: 700 });
  await openChat(page, `${host.origin}/${publicId}`);
  const wide = table.replace(
    "| Price |\n|---|--:|",
    "| Price |" + " A long head |".repeat(6) + "\n|---|--:|" + "---|".repeat(6),
  );
  await answer(page, `${wide}\n<script>window.ran = 1</script> [x](javascript:window.ran=1) \u202ereversed 👨‍👩‍👧`);
  await page.getByText("What else?").waitFor();

  const scroller = page.getByRole("region", { name: "Table" });
  await scroller.focus();
  await page.keyboard.press("ArrowRight");
  await waitFor(async () => (await scroller.evaluate(({ scrollLeft }) => scrollLeft)) > 0);
  expect(await page.getByRole("columnheader").allInnerTexts()).toContain("Price");
  await page.locator("math").waitFor();
  await page.locator(".code-keyword", { hasText: "let" }).waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("let a = 1;");
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await axeProblems(page)).toEqual([]);
  expect({ problems, outside }).toEqual({ problems: [], outside: [] });
});

inLongRun("in a page of another site an answer grows, even over a broken connection", async ({ page }) => {
  const { publicId } = await host.publish(conversation());
  const address = site.page(
    `<parley-chat bot="${publicId}" style="height: 500px"></parley-chat>
     <script type="module" src="${front.origin}/embed.js"></script>
     <script>window.heard = []; document.querySelector("parley-chat").addEventListener("parley-message", (event) => heard.push(event.detail.text))</script>`,
  );
  await page.goto(address);
  const held = holdBehind(4);
  front.cutAfter(1);
  await answer(page, "one two three four");
  await growing(page).getByText("You said: one two").waitFor();
  front.cutAfter(Number.POSITIVE_INFINITY);
  await stopButton(page).waitFor();
  held.letGo();
  await page.getByText("What else?").waitFor();

  expect(await said(page)).toEqual(["Yes?", "You said: one two three four", "What else?"]);
  expect(await lastSaid(page).textContent()).toBe("What else?");
  const heard: unknown = await page.evaluate(() => Reflect.get(window, "heard"));
  expect(heard).toEqual(["Yes?", "You said: one two three four", "What else?"]);
});
