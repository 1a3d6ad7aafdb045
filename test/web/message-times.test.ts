import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, say, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const flow = flowOf([
  says("Hello"),
  says("Your name?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Your town, {{Name}}?"),
  asks("text input", {}, { id: "town" }),
  says("Your street?"),
  asks("text input", {}, { id: "street" }),
  says("Good bye"),
]);

const publish = (answers: object, general: object = {}) =>
  host.publish({
    ...flow,
    settings: {
      typingEmulation: { enabled: false },
      general: { rememberUser: { isEnabled: true, storage: "local" }, ...general },
      answers,
    },
  });

/** Returns the times on the page, each with the message above it. */
const times = (page: Page) =>
  page.locator(".message-time").evaluateAll((found) =>
    found.map((time) => ({
      of: time.closest(":is(.host-container, .guest-container)")?.querySelector("[dir]")?.textContent,
      at: time.getAttribute("datetime"),
      text: time.textContent,
    })),
  );

/** Returns the times of a chat's steps in the service. */
async function moments(sessionId: string): Promise<readonly string[]> {
  const read = await host.api.client.get(`/api/v1/sessions/${sessionId}`);
  return JSON.parse(JSON.stringify(read.at("session.steps.*.createdAt")));
}

/** Returns the messages and the line between them, in order. */
const shown = (page: Page) =>
  page
    .locator(":is(.typebot-host-bubble, .typebot-guest-bubble, .new-since)")
    .evaluateAll((found) =>
      found.map((one) => (one.matches(".new-since") ? `-- ${one.textContent}` : one.textContent)),
    );

const german: BrowserContextOptions = { timezoneId: "Asia/Tokyo", locale: "en-US" };

inBrowser(
  "each answer has a time in the visitor's time zone",
  async ({ page, problems }) => {
    const { address } = await publish({ areTimesShown: true }, { language: "de" });
    const sessionId = await openChat(page, address);
    await answer(page, "Ana");
    await page.getByText("Your town, Ana?").waitFor();
    await page.locator(".message-time").nth(2).waitFor();
    const live = await times(page);
    expect(await axeProblems(page)).toEqual([]);
    await page.reload();
    await page.getByText("Your town, Ana?").waitFor();
    await page.locator(".message-time").nth(2).waitFor();

    const [began = "", answered = ""] = await moments(sessionId);
    const inTokyo = new Intl.DateTimeFormat("de", { hour: "numeric", minute: "2-digit", timeZone: "Asia/Tokyo" });
    const text = (at: string) => inTokyo.format(new Date(at));
    expect(live.map(({ of }) => of)).toEqual(["Your name?", "Ana", "Your town, Ana?"]);
    // In this test, the page and the service use the same clock.
    for (const [index, at] of [began, answered, answered].entries())
      expect(Math.abs(Date.parse(live[index]?.at ?? "") - Date.parse(at))).toBeLessThan(60_000);
    expect(await times(page)).toEqual([
      { of: "Your name?", at: began, text: text(began) },
      { of: "Ana", at: answered, text: text(answered) },
      { of: "Your town, Ana?", at: answered, text: text(answered) },
    ]);
    expect(problems).toEqual([]);
  },
  german,
);

inLongRun("a message of an earlier year is shown with its year", async ({ page }) => {
  const { address } = await publish({ areTimesShown: true });
  const sessionId = await openChat(page, address);
  await answer(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  const [began = ""] = await moments(sessionId);
  await page.clock.setFixedTime(Date.parse(began) + 400 * 86_400_000);
  await page.reload();
  await page.getByText("Your town, Ana?").waitFor();
  await page.locator(".message-time").nth(2).waitFor();

  const [first] = await times(page);
  expect(first?.text).toContain(String(new Date(began).getFullYear()));
});

inBrowser(
  "without scripts the times are in the page, and are marked as UTC",
  async ({ page, problems }) => {
    const { address } = await publish({ areTimesShown: true });
    await page.goto(address);
    const [first, ...none] = await times(page);
    await page.getByRole("textbox").fill("Ana");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Your town, Ana?").waitFor();

    const sessionId = await page.locator("[name=session]").first().inputValue();
    const [began = "", answered = ""] = await moments(sessionId);
    expect([first?.of, first?.text?.endsWith("UTC"), none]).toEqual(["Your name?", true, []]);
    expect((await times(page)).map(({ at }) => at)).toEqual([began, answered, answered]);
    expect((await times(page)).every(({ text }) => text?.endsWith("UTC"))).toBe(true);
    const drawn = page.locator(".message-time").first();
    expect(await drawn.evaluate((one) => getComputedStyle(one).fontSize)).toBe("13px");
    expect(problems).toEqual([]);
  },
  { javaScriptEnabled: false },
);

inBrowser("the server-rendered page shows the time, and the script does not replace it", async ({ page }) => {
  const { address } = await publish({ areTimesShown: true });
  const html = await (await fetch(address)).text();
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      const time = document.querySelector(".message-time");
      time?.setAttribute("data-first", time.getAttribute("datetime") ?? "");
    }),
  );
  await openChat(page, address);
  const time = page.locator(".message-time");

  expect(html).toContain('<time class="message-time"');
  expect(await time.count()).toBe(1);
  expect(await time.getAttribute("data-first")).toBeTruthy();
});

inLongRun(
  "without the setting for times, a chat shows neither times nor a line for missed messages",
  async ({ page }) => {
    const { address } = await publish({ canCopy: true });
    const sessionId = await openChat(page, address);
    await answer(page, "Ana");
    await page.getByText("Your town, Ana?").waitFor();
    await say(host.api.client, sessionId, "Bonn");
    await page.reload();
    await page.getByText("Your street?").waitFor();

    expect(await page.locator(":is(.message-time, .new-since)").count()).toBe(0);
  },
);

inBrowser("a line above missed messages stays after the next answer", async ({ page, problems }) => {
  const { address } = await publish({ areTimesShown: true });
  const sessionId = await openChat(page, address);
  await answer(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  await page.locator(".message-time").nth(2).waitFor();
  await page.goto("about:blank");
  await say(host.api.client, sessionId, "Bonn");
  await page.goto(address);
  await page.locator(".new-since").waitFor();
  const before = ["Hello", "Your name?", "Ana", "Your town, Ana?", "Bonn"];

  expect(await shown(page)).toEqual([...before, "-- New", "Your street?"]);
  expect(await axeProblems(page)).toEqual([]);
  await answer(page, "Lane");
  await page.getByText("Good bye").waitFor();
  expect(await shown(page)).toEqual([...before, "-- New", "Your street?", "Lane", "Good bye"]);
  await page.reload();
  await page.getByText("Good bye").waitFor();
  expect(await shown(page)).toEqual([...before, "Your street?", "Lane", "Good bye"]);
  expect(problems).toEqual([]);
});

inLongRun("an earlier chat that has continued elsewhere has the line for missed messages", async ({ page }) => {
  const { address } = await publish({ areTimesShown: true, hasNewChat: true, hasEarlierChats: true });
  const sessionId = await openChat(page, address);
  await answer(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  await page.locator(".message-time").nth(2).waitFor();
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByText("Ana", { exact: true }).waitFor({ state: "detached" });
  await page.locator("[name=text]").waitFor();
  await say(host.api.client, sessionId, "Bonn");

  await page.getByRole("button", { name: "Earlier chats" }).click();
  await page.locator(".earlier-chat").click();
  await page.locator(".new-since").waitFor();

  expect((await shown(page)).slice(-2)).toEqual(["-- New", "Your street?"]);
});

/** Hides the tab, or shows it again. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

inLongRun(
  "a tab that is shown again while an answer is sent has no line for missed messages, and loses no message",
  async ({ page }) => {
    const { address } = await publish({ areTimesShown: true });
    await openChat(page, address);
    await page.locator(".message-time").waitFor();
    await setHidden(page, true);
    await answer(page, "Ana");
    await page.getByText("Your town, Ana?").waitFor();
    await page.locator(".message-time").nth(2).waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route("**/continueChat", (route) => gate.promise.then(() => route.continue()));
    await answer(page, "Bonn");
    await page.locator(".guest-container").getByText("Bonn").waitFor();

    await setHidden(page, false);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const meanwhile = await shown(page);
    gate.resolve();
    await page.getByText("Your street?").waitFor();

    const before = ["Hello", "Your name?", "Ana", "Your town, Ana?"];
    expect(meanwhile).toEqual([...before, expect.stringContaining("Bonn")]);
    expect(await shown(page)).toEqual([...before, "Bonn", "Your street?"]);
  },
);

inBrowser("messages that arrive in a hidden tab are marked as new", async ({ page }) => {
  const { address } = await publish({ areTimesShown: true });
  await openChat(page, address);
  await answer(page, "Ana");
  await page.getByText("Your town, Ana?").waitFor();
  await page.locator(".message-time").nth(2).waitFor();

  await setHidden(page, true);
  await answer(page, "Bonn");
  await page.getByText("Your street?").waitFor();
  await page.locator(".message-time").nth(4).waitFor();
  expect(await page.locator(".new-since").count()).toBe(0);
  await setHidden(page, false);
  await page.locator(".new-since").waitFor();

  expect((await shown(page)).slice(-3)).toEqual(["Bonn", "-- New", "Your street?"]);
  await answer(page, "Lane");
  await page.getByText("Good bye").waitFor();
  expect((await shown(page)).slice(-4)).toEqual(["-- New", "Your street?", "Lane", "Good bye"]);
});
