import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { nameAndEmail } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

// Tests style sheets that remove necessary parts of a chat. Answers must arrive nevertheless.

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

inBrowser("an embedded chat can be answered even if the page hides all elements", async ({ page }) => {
  const sheet = `* { pointer-events: none !important; visibility: hidden !important; color: transparent !important;
    font-size: 0 !important; line-height: 0 !important; user-select: none !important; direction: rtl !important }`;
  const bot = await host.publish(nameAndEmail);
  const head = `<style>${sheet}</style><script src="${host.origin}/embed.js" defer></script>`;
  await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head }));
  await page.getByRole("textbox", { name: "Your name?" }).click();
  await page.keyboard.type("Ana");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

for (const customCss of [
  "* { all: unset }",
  "input, textarea, button { pointer-events: none !important; z-index: -2147483647 !important }",
  ".typebot-host-bubble { position: fixed; inset: 0; z-index: 2147483647 }",
]) {
  inBrowser(`an author's style sheet does not prevent answers by keyboard: ${customCss}`, async ({ page }) => {
    const bot = await host.publish({ ...nameAndEmail, theme: { customCss } });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    const field = page.getByRole("textbox", { name: "Your name?" });
    await field.focus();
    await page.keyboard.type("Ana");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
  });
}

inLongRun(
  "a style sheet of 500 kB with imports, remote pictures and an unclosed end leaves a usable chat",
  async ({ page }) => {
    const rules = ".own-rule-of-mine { background: url(https://pictures.example/a.png) } ";
    const customCss = `@import url("https://sheets.example/a.css"); .typebot-host-bubble { color: rgb(1, 2, 3) } ${rules.repeat(500_000 / rules.length)} .typebot-chat-view { --open: "`;
    const bot = await host.publish({ ...nameAndEmail, theme: { customCss } });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    const ink = await page
      .locator(".typebot-host-bubble")
      .first()
      .evaluate((one) => getComputedStyle(one).color);
    expect(ink).toBe("rgb(1, 2, 3)");
    await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();
    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
  },
);
