import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

inBrowser(
  "the share of a version that is tried out is changed, and it goes live or is taken back",
  async ({ page, context, problems }) => {
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
    const part = page.getByRole("region", { name: "Version 2 is being tried out" });
    await part.getByText(/^7 % of new chats begin on it/).waitFor();
    expect(await part.getByRole("listitem").allTextContents()).toEqual([
      "Version 1, live: 0 opened, 0 answered, 0 completed (0 %)",
      "Version 2: 0 opened, 0 answered, 0 completed (0 %)",
    ]);
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await axeProblems(page)).toEqual([]);

    // A choice alone changes nothing, and the focus stays at the button.
    await part.getByLabel("Share of new chats").selectOption("50");
    expect(await canary()).toMatchObject({ number: 2, percent: 7 });
    await part.getByRole("button", { name: "Apply" }).press("Enter");
    await part.getByText(/^50 % of new chats begin on it/).waitFor();
    await page.locator(".app-toast-text", { hasText: "50 % of new chats begin on version 2 now." }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Apply");
    expect(await canary()).toMatchObject({ number: 2, percent: 50 });
    await part.getByRole("button", { name: "Take it back" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Take it back" }).press("Enter");
    await part.waitFor({ state: "detached" });
    expect(await canary()).toBeNull();

    await tryOut("Good night");
    await page.reload();
    const old = page.getByRole("region", { name: "Version 3 is being tried out" });
    await old.waitFor();
    // Somebody else tries another one out meanwhile: it is shown, and nothing happens to it.
    await client.post(`${path}/canary/rollback`, { token });
    await tryOut("Good evening");
    await old.getByRole("button", { name: "Make it live" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Make it live" }).press("Enter");
    const next = page.getByRole("region", { name: "Version 4 is being tried out" });
    await next.waitFor();
    await page.locator(".app-toast-text", { hasText: "This has changed meanwhile" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await canary()).toMatchObject({ number: 4, percent: 7 });
    await next.getByRole("button", { name: "Make it live" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Make it live" }).press("Enter");
    await next.waitFor({ state: "detached" });
    expect((await client.get(path, { token })).at("bot.publicationNumber")).toBe(4);
    expect(problems).toEqual([]);
  },
);
