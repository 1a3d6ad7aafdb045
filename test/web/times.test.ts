import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import { type DueSteps, startDueSteps } from "../../src/chat/due/due-steps.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
let due: DueSteps;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  due = startDueSteps(host.api.deps);
});
afterEach(async () => {
  await moveClock(host.api.deps.sql, 0);
  await host.api.deps.sql`truncate due_steps`;
});
afterAll(async () => {
  await due.stop();
  await host.close();
});

const patient = flowOf(
  [says("Your name?"), asks("text input", { timeout: { after: 600, outgoingEdgeId: idOf("e1") } })],
  [says("Are you there? Your e-mail?"), asks("email input"), says("Thank you")],
);

async function passTenMinutes(): Promise<void> {
  await moveClock(host.api.deps.sql, 601);
  await waitFor(async () => {
    due.wake();
    return (await host.api.deps.sql`select from due_steps`).length === 0;
  });
}

inBrowser("an open page shows what follows a time-out, and accepts the next answer", async ({ page }) => {
  const bot = await host.publish(patient);
  await page.goto(bot.address);
  await page.getByRole("textbox").fill("An");
  await waitFor(() => host.api.deps.sessionReaders.watched.size === 1);
  await passTenMinutes();

  await page.getByText("Are you there? Your e-mail?").waitFor();
  await page.locator('input[type="email"]').fill("ana@example.com");
  await page.keyboard.press("Enter");

  await page.getByText("Thank you").waitFor();
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["ana@example.com"]);
  expect(await host.answersOf(bot)).toEqual([["ana@example.com"]]);
});

inLongRun(
  "a page that is opened again later shows the step of the time-out, and the next answer counts",
  async ({ page }) => {
    const bot = await host.publish(patient);
    await page.route("**/events", (route) => route.abort());
    await page.goto(bot.address);
    await page.getByText("Your name?").waitFor();
    await waitFor(async () => (await host.api.deps.sql`select from due_steps`).length === 1);
    await page.route("**/sessions/**", (route) => route.abort());
    await passTenMinutes();
    await page.unrouteAll();
    await page.reload();

    await page.getByText("Are you there? Your e-mail?").waitFor();
    await page.locator('input[type="email"]').fill("ana@example.com");
    await page.keyboard.press("Enter");

    await page.getByText("Thank you").waitFor();
    expect(await host.answersOf(bot)).toEqual([["ana@example.com"]]);
  },
);

inBrowser("an answer in time cancels the time-out, and the page continues normally", async ({ page }) => {
  const again = flowOf([
    says("Your name?"),
    asks("text input", { timeout: { after: 600 } }),
    says("Your e-mail?"),
    asks("email input"),
    says("Thank you"),
  ]);
  const bot = await host.publish(again);
  await page.goto(bot.address);
  await waitFor(() => host.api.deps.sessionReaders.watched.size === 1);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("Your e-mail?").waitFor();
  await page.locator('input[type="email"]').fill("ana@example.com");
  await page.keyboard.press("Enter");

  await page.getByText("Thank you").waitFor();
  expect(await page.getByText("Your e-mail?").count()).toBe(1);
  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
  await waitFor(() => host.api.deps.sessionReaders.watched.size === 0);
});
