import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { nameAndEmail } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer } from "../support/live-page.ts";

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const remembers = (storage: string) => ({
  general: { rememberUser: { isEnabled: true, storage } },
  answers: { hasEarlierChats: true, hasNewChat: true, areTimesShown: true },
});

/** Returns the names of the stored entries of the bot's chats, in both storages. */
const stored = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage]
      .flatMap((storage) => Object.keys(storage))
      .filter((name) => /^parley-chat-/.test(name)),
  );

/** Publishes other settings of a bot. */
async function publishAnew({ botId }: { botId: string }, settings: object): Promise<void> {
  const { client } = host.api;
  const { token } = host.owner;
  await client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { settings } } });
  await client.post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true } });
}

inBrowser("a page whose bot no longer remembers its visitors deletes its stored data", async ({ page, context }) => {
  for (const storage of ["local", "session"]) {
    const bot = await host.publish({ ...nameAndEmail, settings: remembers(storage) });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    await answer(page, "Ana");
    await page.locator("[type=email]").waitFor();
    const before = await stored(page);
    await publishAnew(bot, { general: { rememberUser: { isEnabled: false } } });
    await page.goto("about:blank");
    await page.goto(bot.address);
    await page.getByRole("textbox", { name: "Your name?" }).waitFor();
    await page.locator("body.is-live form").waitFor();

    expect(before.length).toBeGreaterThan(0);
    expect(await stored(page)).toEqual([]);
  }
  await context.close();
});

inLongRun(
  "data in the previous storage is deleted if the bot remembers visitors in another storage",
  async ({ page }) => {
    const bot = await host.publish({ ...nameAndEmail, settings: remembers("local") });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    await answer(page, "Ana");
    await page.locator("[type=email]").waitFor();
    await publishAnew(bot, remembers("session"));
    await page.goto("about:blank");
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    const local = await page.evaluate(() => Object.keys(localStorage).filter((name) => /^parley-chat-/.test(name)));

    expect(local).toEqual([]);
  },
);

inLongRun("an embedded chat whose bot no longer remembers its visitors deletes its stored data", async ({ page }) => {
  const bot = await host.publish({ ...nameAndEmail, settings: { general: { rememberUser: { isEnabled: false } } } });
  const head = `<script>
    for (const end of ["", "-earlier", "-seen"])
      for (const storage of [localStorage, sessionStorage]) storage.setItem("parley-chat-${bot.publicId}" + end, "{}");
  </script><script src="${host.origin}/embed.js" defer></script>`;
  await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head }));
  await page.locator("parley-chat").getByRole("textbox", { name: "Your name?" }).waitFor();

  expect(await stored(page)).toEqual([]);
});
