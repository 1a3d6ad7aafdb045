import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

/** More versions than any screen reads in one request. */
const newerVersions = 105;

inBrowser("the builder recognises a live version that has 105 newer versions", async ({ page, context, problems }) => {
  await host.signIn(context);
  const { client } = host.api;
  const { token } = host.owner;
  const { botId } = await host.publish(flowOf([says("Tea from small gardens", "hello"), asks("text input")]));
  const bot = flowOf([says("Former", "hello"), asks("text input")]);
  for (let number = 2; number <= 1 + newerVersions; number++) {
    const body = { number, createdAt: "2026-01-01T00:00:00.000Z", bot };
    const brought = await client.post(`/api/v1/bots/${botId}/publications/import`, { token, body });
    expect(brought.status).toBe(200);
  }
  const read = await client.get(`/api/v1/bots/${botId}`, { token });
  expect(read.at("bot.publicationNumber")).toBe(1);
  const at = `${host.builder}/bots/${botId}`;

  await page.goto(`${at}/share`);
  await page.getByText("Live: version 1").waitFor();
  await page.goto(`${at}/settings?part=availability`);
  await page.getByText("Version 1 is published").waitFor();
  await putResult(host.api.deps.sql, botId, { version: 1, hasStarted: true });
  await page.goto(`${at}/results`);
  await page.getByLabel("Version").selectOption("Version 1");
  await page.waitForURL(/version=1$/);
  // Checks the list, the comparison and the view of a version.
  await page.goto(`${at}/versions`);
  await page.getByText("The draft is the same as the live version.").waitFor();
  await page.goto(`${at}/versions/1/compare/106`);
  await page.getByRole("button", { name: "Publish version 106 again" }).waitFor();
  expect(await page.getByRole("button", { name: "Publish version 1 again" }).count()).toBe(0);
  await page.goto(`${at}/versions/106`);
  await page.getByRole("button", { name: "Publish again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("ins", { hasText: "Former" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  const changed = await client.patch(`/api/v1/bots/${botId}`, {
    token,
    body: { bot: flowOf([says("Coffee", "hello"), asks("text input")]) },
  });
  expect(changed.status).toBe(200);
  await page.goto(at);
  await page.getByRole("button", { name: /^Publish/ }).click();
  await dialog.getByRole("button", { name: "Show on canvas" }).click();
  await page.getByRole("heading", { name: "From version 1 to the draft" }).waitFor();

  await client.post(`/api/v1/bots/${botId}/unpublish`, { token });
  await page.goto(`${at}/settings?part=availability`);
  await page.getByText("Not published yet.").first().waitFor();
  expect(problems).toEqual([]);
});
