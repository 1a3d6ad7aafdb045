import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

inBrowser("a canary version can be rolled back or made live", async ({ page, context, problems }) => {
  await host.signIn(context);
  const { client } = host.api;
  const { token } = host.owner;
  const { botId } = await host.publish(flowOf([says("Hello"), asks("text input")]));
  const path = `/api/v1/bots/${botId}`;
  const tryOut = async (words: string) => {
    await client.patch(path, { token, body: { bot: flowOf([says(words), asks("text input")]) } });
    await client.post(`${path}/publish`, { token, body: { percent: 7 } });
  };
  const canary = async () => (await client.get(`${path}/canary`, { token })).at("canary");
  await tryOut("Good day");
  const at = `${host.builder}/bots/${botId}/versions`;
  await page.goto(at);
  const part = page.getByRole("region", { name: "Version 2 is being tested" });
  await part.getByText(/^7% of new chats start on this version/).waitFor();
  expect(await part.getByRole("listitem").allTextContents()).toEqual([
    "Version 1, live: 0 opened, 0 answered, 0 completed (0%)",
    "Version 2: 0 opened, 0 answered, 0 completed (0%)",
  ]);
  expect(await axeProblems(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await axeProblems(page)).toEqual([]);

  // Choosing a share changes nothing, and the focus stays on the button.
  await part.getByLabel("Share of new chats").selectOption("50");
  expect(await canary()).toMatchObject({ number: 2, percent: 7 });
  await part.getByRole("button", { name: "Apply" }).press("Enter");
  await part.getByText(/^50% of new chats start on this version/).waitFor();
  await page.locator(".app-toast-text", { hasText: "50% of new chats now start on version 2." }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Apply");
  expect(await canary()).toMatchObject({ number: 2, percent: 50 });
  await part.getByRole("button", { name: "Roll back" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).press("Enter");
  await part.waitFor({ state: "detached" });
  expect(await canary()).toBeNull();

  await tryOut("Good night");
  await page.reload();
  const old = page.getByRole("region", { name: "Version 3 is being tested" });
  await old.waitFor();
  // Another author starts a canary in the meantime. The page shows the canary, and leaves it unchanged.
  await client.post(`${path}/canary/rollback`, { token });
  await tryOut("Good evening");
  await old.getByRole("button", { name: "Make this version live" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Make this version live" }).press("Enter");
  const next = page.getByRole("region", { name: "Version 4 is being tested" });
  await next.waitFor();
  await page.locator(".app-toast-text", { hasText: "The canary was changed in the meantime" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await canary()).toMatchObject({ number: 4, percent: 7 });
  await next.getByRole("button", { name: "Make this version live" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Make this version live" }).press("Enter");
  await next.waitFor({ state: "detached" });
  expect((await client.get(path, { token })).at("bot.publicationNumber")).toBe(4);
  expect(problems).toEqual([]);
});

inBrowser("an author publishes a version to a share of new chats", async ({ page, context, problems }) => {
  await host.signIn(context);
  const { client } = host.api;
  const { token } = host.owner;
  const { botId } = await host.publish(flowOf([says("Hello"), asks("text input")]));
  const path = `/api/v1/bots/${botId}`;
  const draft = (words: string) => ({ token, body: { bot: flowOf([says(words), asks("text input")]) } });
  const canary = async () => (await client.get(`${path}/canary`, { token })).at("canary");
  const state = page.locator(".live-state");
  const publish = page.getByRole("dialog", { name: "Publish" });
  await client.patch(path, draft("Good day"));
  await page.goto(`${host.builder}/bots/${botId}/theme`);
  const open = async () => {
    await page.getByRole("button", { name: /^Publish/ }).click();
    await publish.getByRole("checkbox", { name: "Publish to a share of new chats" }).waitFor();
  };

  // The page asks for the share only if the author ticks the box.
  await open();
  const box = publish.getByRole("checkbox", { name: "Publish to a share of new chats" });
  expect(await box.isChecked()).toBe(false);
  await box.press("Space");
  await publish.getByLabel("Share of new chats", { exact: true }).selectOption("25");
  await page.emulateMedia({ colorScheme: "dark" });
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
  }
  await publish.getByRole("button", { name: "Publish to 25%" }).press("Enter");
  const tried = page.getByRole("dialog", { name: "This version is being tested" });
  await tried.getByText("Version 2 gets 25% of new chats.").waitFor();
  expect(await axeProblems(page)).toEqual([]);
  expect(await canary()).toMatchObject({ number: 2, percent: 25, currentNumber: 1 });
  await tried.getByRole("link", { name: "Open the versions" }).click();
  await page.getByRole("region", { name: "Version 2 is being tested" }).waitFor();
  await state.filter({ hasText: "Canary 25%" }).waitFor();

  // Publishing to everybody ends the canary, and the dialog announces this.
  await client.patch(path, draft("Good night"));
  await page.goto(`${host.builder}/bots/${botId}/theme`);
  await open();
  await publish
    .getByText("Version 2 is being tested with a share of new chats. Publishing ends the test; its chats continue.")
    .waitFor();
  await publish.getByRole("button", { name: "Publish", exact: true }).press("Enter");
  await page.getByRole("dialog", { name: "The bot is live" }).getByText("Version 3 is live.").waitFor();
  expect(await canary()).toBeNull();
  await page.keyboard.press("Escape");
  await state.filter({ hasText: /^Live$/ }).waitFor();

  // An unpublished bot cannot be published to a share.
  await client.post(`${path}/unpublish`, { token });
  await page.reload();
  await page.getByRole("button", { name: /^Publish/ }).click();
  await publish.getByText("This bot is not public yet.").waitFor();
  expect(await box.count()).toBe(0);
  expect(problems).toEqual([]);
});
