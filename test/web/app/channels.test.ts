import { afterAll, beforeAll, expect } from "bun:test";
import { type Holding, startHolding } from "../../../src/channels/holding/holding.ts";
import { outboundOf } from "../../../src/channels/holding/outbound-of.ts";
import { isPublicAddress } from "../../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { type FakeTelegram, startFakeTelegram } from "../../fake-channels/telegram.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { waitFor } from "../../support/wait.ts";

const inBrowser = browserTests();
let telegram: FakeTelegram;
let host: AppHost;
let holding: Holding;

beforeAll(async () => {
  telegram = await startFakeTelegram({ username: "tea_bot" });
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32), TELEGRAM_API_URL: telegram.url },
    safeFetch: createSafeFetch({ permits: isPublicAddress, channelServers: new Set([new URL(telegram.url).origin]) }),
  });
  holding = startHolding(host.api.deps, { outbound: outboundOf(host.api.deps) });
});
afterAll(async () => {
  await holding.stop();
  await host.close();
  await telegram.close();
});

inBrowser("a messenger is connected, gets a bot, and shows its first conversation", async ({ page, context }) => {
  await host.publish({
    ...flowOf([says("Tea is ready."), asks("text input", {}), says("Bye")]),
    name: "Tea",
    settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
  });
  await host.signIn(context);
  await page.setViewportSize({ width: 1440, height: 900 });
  const looks: string[] = [];
  const look = async () => looks.push(...(await axeProblems(page)), ...(await layoutProblems(page, "main")));

  await page.goto(`${host.builder}/w/${host.workspaceId}/settings/channels`);
  await page.getByRole("button", { name: /^Telegram/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Tea shop");
  await dialog.getByLabel("Bot token").fill("not a token");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByRole("alert").first().waitFor();
  await dialog.getByLabel("Bot token").fill(telegram.token);
  await dialog.getByRole("button", { name: "Connect" }).click();

  await page.getByText("The messenger accepts the token").waitFor();
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe("https://t.me/tea_bot");
  await page.getByText("Send “hello” to @tea_bot. This page waits for the message.").waitFor();
  await look();

  await page.getByRole("button", { name: "Bots" }).click();
  const ofConnection = /\/channel-connections\/[^/]+$/;
  const saved = Promise.withResolvers<void>();
  await page.route(ofConnection, async (route) => {
    if (route.request().method() === "PATCH") await saved.promise;
    await route.continue();
  });
  await page.getByRole("combobox", { name: "Add a bot" }).fill("Tea");
  await page.keyboard.press("Enter");
  await page.getByText("Uses the condition in the bot’s own settings").waitFor();
  await look();
  await page.getByRole("button", { name: "Edit the condition of “Tea”" }).click();
  // The dialog stays open while the added bot is being saved.
  const read = page.waitForResponse((one) => one.request().method() === "GET" && ofConnection.test(one.url()));
  saved.resolve();
  await read;
  await page.unroute(ofConnection);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // One text shows its default as a placeholder, a second text is changed, and a third is turned off.
  const settingsLink = page
    .getByRole("navigation")
    .filter({ hasText: "Conversations" })
    .getByRole("link", { name: "Settings" });
  await settingsLink.click();
  expect(await page.getByRole("textbox", { name: "Button for more choices" }).getAttribute("placeholder")).toBe("More");
  expect(await page.getByRole("button", { name: "Insert a variable" }).count()).toBe(0);
  await page.getByRole("textbox", { name: "Answer to a stop word" }).fill("Bye.");
  await page.getByRole("button", { name: "Turn off “Button that opens a link”" }).click();
  expect(await page.getByRole("textbox", { name: "Button that opens a link" }).getAttribute("placeholder")).toBe(
    "Turned off",
  );
  await look();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: false }).first().waitFor();
  const [stored] = await host.api.deps.sql`select settings -> 'texts' as texts from channel_connections`;
  expect(stored).toEqual({ texts: { stopped: "Bye.", open: "" } });

  await page.getByRole("navigation").getByRole("link", { name: "State" }).click();
  holding.wake();
  await telegram.write({ id: 41, firstName: "Ana" }, "hello");
  await page.getByText("Send “hello” to @tea_bot. This page waits for the message.").waitFor({ state: "detached" });

  // A new token of the same account, as @BotFather issues it.
  await page.getByRole("button", { name: "Replace the secrets" }).click();
  await dialog.getByLabel("Bot token").fill("1:another-account");
  await dialog.getByRole("button", { name: "Replace the secrets" }).click();
  await dialog.getByRole("alert").first().waitFor();
  await dialog.getByLabel("Bot token").fill(telegram.token);
  await dialog.getByRole("button", { name: "Replace the secrets" }).click();
  await dialog.waitFor({ state: "detached" });

  // The reply may be visible while its inbox message is still waiting.
  await waitFor(async () => (await host.api.deps.sql`select from channel_inbox where state = 'waiting'`).length === 0);
  await page.getByRole("navigation").getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: "Ana" }).click();
  await page.getByText("hello", { exact: true }).waitFor();
  await page.getByText("Tea is ready.", { exact: true }).waitFor();
  await look();

  // The conversation leads to its results, and a result to its conversation.
  const conversation = page.url();
  await page.getByRole("link", { name: "All results of this contact" }).click();
  await page.getByRole("button", { name: "Remove filter: One contact" }).waitFor();
  await page.goto(conversation);
  await page.getByRole("link", { name: "Open the result" }).click();
  await page.getByRole("link", { name: "Conversation on the messenger" }).waitFor();
  await look();
  await page.getByRole("link", { name: "Conversation on the messenger" }).click();
  await page.waitForURL(conversation);
  await page.getByText("Tea is ready.", { exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await look();
  await page.goto(`${host.builder}/w/${host.workspaceId}/settings/channels`);
  await page.getByRole("link", { name: "Tea shop" }).waitFor();
  await look();

  expect(looks).toEqual([]);
});
