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

const tea = (text: string) => flowOf([says(text, "hello"), asks("text input")]);

inBrowser(
  "the screens of a bot show whether the bot is live",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { client } = host.api;
    const { token } = host.owner;
    const { botId } = await host.publish(tea("Tea"));
    const at = `${host.builder}/bots/${botId}`;
    const state = page.locator(".live-state");
    const shows = (label: string) => state.filter({ hasText: new RegExp(`^${label}$`) }).waitFor();

    for (const screen of ["", "/theme", "/settings", "/share", "/results", "/versions", "/preview"]) {
      await page.goto(`${at}${screen}`);
      await shows("Live");
    }
    // Changes a text, and adds a second group with its contents.
    const bot = tea("Coffee");
    const [group] = bot.groups;
    const other = { ...group, id: "other", title: "Other", blocks: [says("Milk", "milk")] };
    await client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { ...bot, groups: [group, other] } } });
    await page.goto(`${at}/theme`);
    await shows("Live · 2 changes");

    await state.click();
    const details = page.getByRole("dialog", { name: "Live · 2 changes" });
    await details.getByRole("heading", { name: "Version 1" }).waitFor();
    await details.getByText("Published by").waitFor();
    expect(await details.getByRole("textbox", { name: "Address" }).inputValue()).toContain("http");
    await details.getByRole("img", { name: /^QR code/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await details.getByRole("link", { name: "See unpublished changes" }).click();
    await page.getByRole("heading", { name: "From version 1 to the draft" }).waitFor();

    await page.goto(`${at}/theme`);
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByRole("dialog", { name: "Publish" }).getByRole("button", { name: "Publish" }).click();
    const live = page.getByRole("dialog", { name: "The bot is live" });
    await live.getByText("Version 2 is live").waitFor();
    expect(await live.getByRole("textbox", { name: "Code for your site" }).inputValue()).toContain("parley-bubble");
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    }
    expect(await page.locator(".app-toast").count()).toBe(0);
    await page.keyboard.press("Escape");
    await shows("Live");
    expect(problems).toEqual([]);

    // Later changes are compared with this version.
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: tea("Milk") } });
    await page.reload();
    await shows("Live · 2 changes");

    await client.post(`/api/v1/bots/${botId}/publish`, { token, body: { percent: 10 } });
    await page.reload();
    await shows("Canary 10%");
    await client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { isClosed: true } } });
    await page.reload();
    await shows("Closed");
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByRole("dialog", { name: "Publish" }).getByRole("button", { name: "Publish" }).click();
    const closed = page.getByRole("dialog", { name: "Published, but closed" });
    await closed.getByText("Visitors see that this bot is closed.").waitFor();
    await closed.getByRole("link", { name: "Reopen the bot in settings" }).click();
    await page.waitForURL(/settings\?part=availability$/);
    await client.post(`/api/v1/bots/${botId}/unpublish`, { token });
    await page.reload();
    await shows("Draft");
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
