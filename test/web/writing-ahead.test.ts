import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { type ScriptedStep, type ScriptedSteps, scriptSteps } from "../support/scripted-steps.ts";

// Tests the field while an answer grows. The typed text stays in the field. If the visitor wants this, it is sent when
// the answer has ended.

let host: ChatHost;
let told: ScriptedSteps;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  told = scriptSteps(host.api);
});
afterAll(async () => {
  await told.close();
  await host.close();
});

const choice = { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] };
const talk = flowOf([
  says("What shall I say?"),
  asks("text input", { variableId: idOf("Name") }),
  says("{{Name}}", "words"),
  says("Anything else?"),
  asks("text input", {}, { id: "else" }),
  says("And?", "and"),
  asks("text input", {}, { id: "more" }),
]);
const thenChoice = flowOf([
  says("What shall I say?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Shall we?"),
  choice,
  says("And a last word?"),
  asks("text input", {}, { id: "last" }),
]);

const field = (page: Page) => page.getByRole("textbox");
const hint = (page: Page) => page.getByText("Your message is sent when the current answer has ended.");

/** Sends "One two" as the visitor. The answer then begins to grow. */
async function talkTo(page: Page, flow: object): Promise<{ readonly bot: PublishedBot; readonly step: ScriptedStep }> {
  const bot = await host.publish(flow);
  const started = page.waitForResponse((response) => response.url().includes("/startChat"));
  await page.goto(`${told.origin}/${bot.publicId}`);
  await page.locator("body.is-live form").waitFor();
  await started;
  await field(page).fill("One two");
  await page.keyboard.press("Enter");
  const step = await told.next();
  step.send("delta", { blockId: "words", text: "One" }, "7.0");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  return { bot, step };
}

inBrowser("a message written while an answer grows is sent once", async ({ page, problems }) => {
  const { bot, step } = await talkTo(page, talk);
  // The field is empty and has the focus, and the stop button replaces the send button.
  expect(await field(page).inputValue()).toBe("");
  expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
  await page.keyboard.type("Three four");
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.keyboard.press("Enter");
  await hint(page).waitFor();
  await page.keyboard.press("Enter");
  expect(await page.locator(".typebot-guest-bubble").count()).toBe(1);

  await step.finish();
  const second = await told.next();
  await page.locator(".typebot-guest-bubble", { hasText: "Three four" }).waitFor();
  expect(await field(page).inputValue()).toBe("");
  expect(await hint(page).count()).toBe(0);
  await page.keyboard.type("Five");
  await second.finish();
  await page.getByRole("textbox", { name: "And?" }).waitFor();

  // The next text was not sent. It is still in the field, which never lost the focus.
  expect(await field(page).inputValue()).toBe("Five");
  expect(await field(page).evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await host.answersOf(bot)).toEqual([["One two", "Three four"]]);
  expect(problems).toEqual([]);
});

inLongRun("the field regains the focus while the answer to an early message grows", async ({ page }) => {
  const bot = await host.publish(talk);
  const { promise: mayStart, resolve: start } = Promise.withResolvers<void>();
  await page.route("**/startChat", async (route) => {
    await mayStart;
    await route.continue();
  });
  await page.goto(`${told.origin}/${bot.publicId}`);
  await page.locator("body.is-live form").waitFor();
  await field(page).fill("One two");
  await page.keyboard.press("Enter");
  await field(page).waitFor({ state: "detached" });
  start();
  const step = await told.next();
  step.send("delta", { blockId: "words", text: "One" }, "7.0");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.waitForFunction(() => document.activeElement !== document.body);
  await page.keyboard.type("Three four");

  expect(await field(page).inputValue()).toBe("Three four");
  await step.finish();
});

for (const keeps of ["Escape", "!"]) {
  inBrowser(`a queued message stays in its field after the key ${keeps} is pressed`, async ({ page }) => {
    const { bot, step } = await talkTo(page, talk);
    await page.keyboard.type("Three four");
    await page.keyboard.press("Enter");
    await hint(page).waitFor();
    await page.keyboard.press(keeps);
    await hint(page).waitFor({ state: "detached" });
    await step.finish();
    await page.getByRole("textbox", { name: "Anything else?" }).waitFor();

    expect(await field(page).inputValue()).toBe(keeps === "!" ? "Three four!" : "Three four");
    expect(await host.answersOf(bot)).toEqual([["One two"]]);
  });
}

inBrowser("a message written before a choice question does not answer it", async ({ page }) => {
  const { bot, step } = await talkTo(page, thenChoice);
  await page.keyboard.type("Three four");
  await page.keyboard.press("Enter");
  await hint(page).waitFor();
  await step.finish();
  await page.getByRole("button", { name: "Yes" }).click();
  await (await told.next()).finish();
  await page.getByRole("textbox", { name: "And a last word?" }).waitFor();

  expect(await field(page).inputValue()).toBe("Three four");
  expect(await host.answersOf(bot)).toEqual([["One two", "Yes"]]);
});

inBrowser("a message written early answers the next field as if typed there", async ({ page }) => {
  const thenMail = flowOf([
    says("What shall I say?"),
    asks("text input", { variableId: idOf("Name") }),
    says("Your e-mail?"),
    asks("email input"),
    says("And a last word?"),
    asks("text input", {}, { id: "last" }),
  ]);
  const { bot, step } = await talkTo(page, thenMail);
  await page.keyboard.type("ana@example.com");
  await page.keyboard.press("Enter");
  await hint(page).waitFor();
  await step.finish();
  await (await told.next()).finish();
  await page.getByRole("textbox", { name: "And a last word?" }).waitFor();

  expect(await field(page).inputValue()).toBe("");
  expect(await host.answersOf(bot)).toEqual([["One two", "ana@example.com"]]);
});

inLongRun("a refused text returns to the field, before the text that was typed in the meantime", async ({ page }) => {
  const { step } = await talkTo(page, talk);
  await page.keyboard.type("Three four");
  await page.keyboard.press("Enter");
  await hint(page).waitFor();
  step.send("error", { code: "step.over_budget", status: 422, message: "Too much", requestId: "r" });
  await page.getByText("Too much").waitFor();

  expect(await field(page).inputValue()).toBe("One two\nThree four");
  expect(await hint(page).count()).toBe(0);
});

inLongRun(
  "a line that is started with Shift and Enter is part of the text, and the field grows to eight lines",
  async ({ page }) => {
    const bot = await host.publish(talk);
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    const heights: number[] = [];
    for (let line = 1; line <= 12; line++) {
      await page.keyboard.type(`Line ${line}`);
      heights.push((await field(page).boundingBox())?.height ?? 0);
      if (line < 12) await page.keyboard.press("Shift+Enter");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Anything else?" }).waitFor();

    expect(heights.map((height) => Math.round((height - 20) / 24))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8]);
    expect(await host.answersOf(bot)).toEqual([
      [Array.from({ length: 12 }, (_, index) => `Line ${index + 1}`).join("\n")],
    ]);
    expect((await field(page).boundingBox())?.height).toBe(44);
  },
);
