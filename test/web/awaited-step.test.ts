import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const listening = flowOf([
  says("Please pay"),
  {
    id: "listen",
    type: "webhook",
    options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
  },
  says("Order {{Name}} is paid. Your e-mail?"),
  asks("email input"),
]);

const readers = () => host.api.deps.sessionReaders.watched.size;

async function callFrom(bot: { botId: string }): Promise<void> {
  const { token } = host.owner;
  const results = await host.api.client.get(`/api/v1/bots/${bot.botId}/results`, { token });
  const path = `/api/v1/bots/${bot.botId}/blocks/listen/results/${results.text("results.0.id")}/executeWebhook`;
  await host.api.client.post(path, { token, body: { order: "A-17" } });
}

function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const [, path] = /\/sessions\/[^/]+(.*)$/.exec(request.url()) ?? [];
    if (path !== undefined) requests.push(`${request.method()} ${path}`);
  });
  return requests;
}

inBrowser("a page that waits for a call is notified by one open request, and continues", async ({ page }) => {
  const bot = await host.publish(listening);
  const requests = requestsOf(page);
  await page.goto(bot.address);
  await page.getByText("Please pay").waitFor();
  await waitFor(() => readers() === 1);
  await callFrom(bot);

  await page.getByText("Order A-17 is paid. Your e-mail?").waitFor();
  await page.getByRole("textbox").waitFor();
  await waitFor(() => readers() === 0);
  expect(requests).toEqual(["GET /events", "GET "]);
});

inBrowser("a page that is reloaded while it waits for a call still continues", async ({ page }) => {
  const bot = await host.publish(listening);
  await page.goto(bot.address);
  await page.getByText("Please pay").waitFor();
  await page.reload();
  await page.getByText("Please pay").waitFor();
  await waitFor(() => readers() === 1);
  await callFrom(bot);

  await page.getByText("Order A-17 is paid. Your e-mail?").waitFor();
});

inLongRun("a page that waits for a call continues although its stream is refused", async ({ page, context }) => {
  const bot = await host.publish(listening);
  await context.route("**/events", (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.goto(bot.address);
  await page.getByText("Please pay").waitFor();
  await callFrom(bot);

  await page.getByText("Order A-17 is paid. Your e-mail?").waitFor();
});

inLongRun(
  "a page that is hidden for a minute closes its stream, and continues when it is visible again",
  async ({ page }) => {
    await page.clock.install();
    const bot = await host.publish(listening);
    await page.goto(bot.address);
    await page.getByText("Please pay").waitFor();
    await waitFor(() => readers() === 1);
    await show(page, false);
    await page.clock.runFor(60_000);
    await waitFor(() => readers() === 0);
    await callFrom(bot);
    await show(page, true);
    await page.clock.runFor(5_000);

    await page.getByText("Order A-17 is paid. Your e-mail?").waitFor();
  },
);

/** Simulates showing or hiding the page's tab. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isShown);
}
