import { afterAll, beforeAll, expect } from "bun:test";
import { type Holding, startHolding } from "../../../src/channels/holding/holding.ts";
import { outboundOf } from "../../../src/channels/holding/outbound-of.ts";
import { isPublicAddress } from "../../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { startPollLoop } from "../../../src/platform/concurrency/poll-loop.ts";
import { type FakeChannels, startFakeChannels } from "../../fake-channels/phone/index.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

const inBrowser = browserTests();
let fakes: FakeChannels;
let host: AppHost;
let holding: Holding;
let poll: ReturnType<typeof startPollLoop>;

beforeAll(async () => {
  fakes = await startFakeChannels();
  const { url } = fakes.telegram;
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32), TELEGRAM_API_URL: url },
    onInbound: (connectionId) => holding?.ring(connectionId),
    onChannelSteps: (contactIds) => holding?.stepped(contactIds),
    safeFetch: createSafeFetch({ permits: isPublicAddress, channelServers: new Set([new URL(url).origin]) }),
  });
  holding = startHolding(host.api.deps, { outbound: outboundOf(host.api.deps) });
  // Polls like the due poll of a node.
  poll = startPollLoop({ everyMs: 1_500, onFailure: () => {}, run: async () => holding.wake() });
});
afterAll(async () => {
  await poll.stop();
  await holding.stop();
  await host.close();
  await fakes.close();
});

const items = [
  { id: "green", content: "Green" },
  { id: "black", content: "Black" },
];

inBrowser("a bot answers on Telegram after the messenger's token is pasted", async ({ page, context }) => {
  const { builder, workspaceId, owner } = host;
  const made = await host.api.client.post("/api/v1/bots", {
    token: owner.token,
    body: {
      workspaceId,
      bot: {
        ...flowOf([says("Which tea?"), asks("choice input", {}, { id: idOf("tea"), items }), says("It is coming.")]),
        name: "Tea",
        settings: { typingEmulation: { enabled: false } },
      },
    },
  });
  const botId = made.text("bot.id");
  await host.signIn(context);
  await page.setViewportSize({ width: 1440, height: 900 });
  const looks: string[] = [];
  const look = async () => looks.push(...(await axeProblems(page)), ...(await layoutProblems(page, "main")));
  const phone = await context.newPage();
  await phone.goto(fakes.url);
  const token = await phone.locator("code", { hasText: "fake-token" }).textContent();

  await page.goto(`${builder}/w/${workspaceId}/settings/channels`);
  await page.getByRole("button", { name: /^Telegram/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Tea shop");
  await dialog.getByLabel("Bot token").fill(token?.trim() ?? "");
  await page.keyboard.press("Enter");
  await page.getByText("Choose the bot that answers.").waitFor();
  await page.getByRole("button", { name: "Bots" }).click();
  await page.getByRole("combobox", { name: "Add a bot" }).fill("Tea");
  await page.keyboard.press("Enter");
  await page.getByText("The bot is not published yet.").waitFor();
  await look();
  await page.getByRole("button", { name: "Let the bot answer" }).click();
  await dialog.getByRole("button", { name: "Let the bot answer" }).click();
  await page.getByText("The bot is not published yet.").waitFor({ state: "detached" });

  await phone.getByRole("button", { name: "Start" }).click();
  await phone.getByText("Which tea?").waitFor();
  expect(await axeProblems(phone)).toEqual([]);
  await phone.getByRole("button", { name: "Green" }).click();
  await phone.getByText("It is coming.").waitFor();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.emulateMedia({ colorScheme: "dark" });
  expect(await axeProblems(phone)).toEqual([]);

  await page.goto(`${builder}/bots/${botId}/share`);
  await page.getByRole("heading", { name: "On messengers" }).waitFor();
  expect(await page.getByLabel("Address of “Tea shop”").inputValue()).toBe("https://t.me/fake_tea_bot");
  await page.getByRole("img", { name: "QR code: https://t.me/fake_tea_bot" }).waitFor();
  await look();

  await page.goto(`${builder}/bots/${botId}/results`);
  await page.getByRole("cell", { name: "Telegram" }).waitFor();
  await page.getByRole("combobox", { name: "Channel" }).selectOption({ label: "Your own messenger" });
  await page.getByRole("cell", { name: "Telegram" }).waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Channel" }).selectOption({ label: "Telegram" });
  await page.getByRole("cell", { name: "Telegram" }).waitFor();
  await look();

  await host.api.deps.sql`update insight_results set next_at = clock() where next_at is not null`;
  const counting = insight(host.api.deps.sql);
  while ((await counting.removeSome()) > 0);
  await page.goto(`${builder}/bots/${botId}/insight`);
  await page.getByRole("combobox", { name: "Channel" }).selectOption({ label: "Your own messenger" });
  await page.getByText("No chats in this period").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await look();
  await page.goto(`${builder}/bots/${botId}/share`);
  await page.getByRole("heading", { name: "On messengers" }).waitFor();
  await look();

  expect(looks).toEqual([]);
});
