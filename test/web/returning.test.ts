import { afterAll, beforeAll, expect } from "bun:test";
import { shardOf } from "../../src/platform/ids.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { casesOf } from "../support/campaigns.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const withoutScript = { javaScriptEnabled: false };

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

inBrowser("a reload in the middle of a chat continues with the same session", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  await answer(page, "Ana");
  await page.locator("[type=email]").waitFor();

  await page.reload();
  await page.locator("body.is-live [type=email]").fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

const typed = {
  "a text": { block: asks("text input"), into: ".text-input", text: "Ana Mar" },
  "a long text": { block: asks("text input", { isLong: true }), into: "textarea", text: "One\nTwo" },
  "a text with files": {
    block: asks("text input", { attachments: { isEnabled: true } }),
    into: ".text-input",
    text: "Here it",
  },
  "a number": { block: asks("number input"), into: ".text-input", text: "12," },
  "a mail address": { block: asks("email input"), into: ".text-input", text: "ana@" },
  "a phone number": { block: asks("phone number input"), into: ".text-input", text: "0612" },
  "a date": { block: asks("date input"), into: "[name=from]", text: "05/31/2026" },
};

for (const [name, { block, into, text }] of casesOf(typed, ["a text with files", "a phone number"])) {
  inBrowser(`${name} that was typed and not sent is restored after a reload`, async ({ page, problems }) => {
    const { address } = await host.publish(
      flowOf([says("Shall we?"), asks("url input", {}, { id: "first" }), says("And now?"), block, says("Thank you")]),
    );
    await openChat(page, address);
    await answer(page, "example.com");
    await page.getByText("And now?").waitFor();
    await page.locator(`.typebot-input-form ${into}`).fill(text);

    await page.reload();
    await page.getByText("And now?").waitFor();
    await page.waitForFunction(
      ({ selector, value }) => {
        const field = document.querySelector(`.typebot-input-form ${selector}`);
        return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value === value;
      },
      { selector: into, value: text },
    );
    expect(problems).toEqual([]);
  });
}

inBrowser("a date typed before the script runs is not replaced by the stored draft", async ({ page, problems }) => {
  const general = { rememberUser: { isEnabled: true, storage: "local" } };
  const range = asks("date input", { isRange: true });
  const { address } = await host.publish({ ...flowOf([says("When?"), range]), settings: { general } });
  await openChat(page, address);
  await page.locator("[name=from]").fill("2026-05-01");
  await page.locator("[name=to]").fill("2026-05-02");
  await page.goto("about:blank");
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/chat/**", async (route) => {
    await held.promise;
    await route.continue();
  });

  await page.goto(address, { waitUntil: "commit" });
  await page.locator("[name=from]").fill("2026-04-30");
  held.resolve();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=to]")?.value === "2026-05-02");

  expect(await page.locator("[name=from]").inputValue()).toBe("04/30/2026");
  expect(problems).toEqual([]);
});

inLongRun("a selected but unsent country is restored, with the number", async ({ page }) => {
  const general = { rememberUser: { isEnabled: true, storage: "local" } };
  const phone = asks("phone number input", { defaultCountryCode: "DE" });
  const { address } = await host.publish({ ...flowOf([says("Your number?"), phone]), settings: { general } });
  await openChat(page, address);
  await page.getByRole("combobox").fill("france");
  await page.keyboard.press("Enter");
  await page.locator("[type=tel]").fill("0612");
  await page.goto("about:blank");

  await page.goto(address);
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[type=tel]")?.value === "0612");

  expect(await page.getByRole("combobox").inputValue()).toBe("France (+33)");
});

inBrowser("text typed for one question is not restored for another question", async ({ page }) => {
  const { address } = await host.publish(nameAndEmail);
  await openChat(page, address);
  await page.locator(".text-input").fill("Ana");
  await page.reload();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".text-input")?.value === "Ana");
  await page.keyboard.press("Enter");
  await page.locator("[type=email]").waitFor();
  await page.reload();
  await page.locator("body.is-live [type=email]").waitFor();
  expect(await page.locator("[type=email]").inputValue()).toBe("");

  await page.locator("[type=email]").fill("ana@");
  await page.goto(`${address}?again`);
  await page.locator("body.is-live .text-input").waitFor();
  expect(await page.locator(".text-input").inputValue()).toBe("");
});

inBrowser("a page that was closed while offline sends the answer later", async ({ page, context }) => {
  const flow = { ...nameAndEmail, settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } } };
  const bot = await host.publish(flow);
  await openChat(page, bot.address);
  await context.setOffline(true);
  await answer(page, "Ana");
  await page.getByText("You are offline.").waitFor();
  await page.close();
  await context.setOffline(false);

  const again = await context.newPage();
  await again.goto(bot.address);
  await again.locator("[type=email]").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

inBrowser("leaving the page and returning shows the chat unchanged", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  const other = await host.publish(flowOf([says("Another page")]));
  await openChat(page, bot.address);
  await answer(page, "Ana");
  await page.locator("[type=email]").waitFor();

  await page.goto(other.address);
  await page.goBack();
  await page.locator("body.is-live [type=email]").fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "ana@example.com"]);
  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inLongRun(
  "the page has neither no-store nor unload listeners, and works after a simulated restore from the back-forward cache",
  async ({ page, context }) => {
    const bot = await host.publish(nameAndEmail);
    await openChat(page, bot.address);

    const headers = (await page.request.get(bot.address)).headers();
    expect(headers["cache-control"]).not.toContain("no-store");
    const devtools = await context.newCDPSession(page);
    const { result } = await devtools.send("Runtime.evaluate", {
      expression: "['unload', 'beforeunload'].flatMap((name) => getEventListeners(window)[name] ?? []).length",
      includeCommandLineAPI: true,
    });
    expect(result.value).toBe(0);

    // Simulates the browser's events when it restores a page from the back/forward cache.
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await answer(page, "Ana");
    await page.locator("[type=email]").waitFor();
    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
  },
);

inLongRun("two tabs show two separate chats", async ({ page, context }) => {
  const bot = await host.publish(nameAndEmail);
  const other = await context.newPage();
  await openChat(page, bot.address);
  await openChat(other, bot.address);

  await answer(page, "Ana");
  await answer(other, "Bea");
  await page.getByText("Hello Ana").waitFor();
  await other.getByText("Hello Bea").waitFor();

  const answers = await host.answersOf(bot);
  expect(answers).toHaveLength(2);
  expect(answers).toContainEqual(["Ana"]);
  expect(answers).toContainEqual(["Bea"]);
});

inBrowser("a second tab of a remembered chat continues the chat", async ({ page, context }) => {
  const flow = { ...nameAndEmail, settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } } };
  const bot = await host.publish(flow);
  await openChat(page, bot.address);
  await answer(page, "Ana");
  await page.locator("[type=email]").waitFor();
  const other = await context.newPage();
  await other.goto(bot.address);
  await other.locator("body.is-live [type=email]").fill("ana@example.com");
  await other.keyboard.press("Enter");
  await other.getByText("Thank you").waitFor();

  await page.locator("[type=email]").fill("late@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("This chat has ended.").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inBrowser("a chat that was inactive for too long restarts on request", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  await expire(await openChat(page, bot.address));
  await answer(page, "Ana");

  await page.getByText("This chat is no longer active. Chats end when they are inactive for too long.").waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("Hello Ana").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana"]);
});

inLongRun(
  "without script, a chat that was inactive for too long can be restarted",
  async ({ page }) => {
    const bot = await host.publish(nameAndEmail);
    await page.goto(bot.address);
    await answer(page, "Ana");
    await page.locator("[type=email]").waitFor();
    await expire(await page.locator("[name=session]").inputValue());
    await page.locator("[type=email]").fill("ana@example.com");
    await page.keyboard.press("Enter");

    await page.getByText("This chat has ended.").waitFor();
    await page.getByRole("link", { name: "Start again" }).click();
    await page.getByRole("textbox", { name: "Your name?" }).waitFor();

    expect(page.url()).toBe(bot.address);
  },
  withoutScript,
);

async function expire(id: string): Promise<void> {
  await host.api.deps.sql`update sessions set expires_at = clock() where shard = ${shardOf(id)} and id = ${id}`;
}
