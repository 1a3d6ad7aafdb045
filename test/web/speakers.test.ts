import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { nameAndEmail } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const settings = { typingEmulation: { enabled: false } };

inBrowser("the log announces the speaker of each message", async ({ page }) => {
  const bot = await host.publish({ ...nameAndEmail, name: "Tea shop", settings });
  await openChat(page, bot.address);
  await answer(page, "Ana");
  await page.getByRole("textbox", { name: "Hello Ana, and your e-mail?", exact: true }).waitFor();

  const spoken = await page.getByRole("log").evaluate((log) => log.textContent);
  expect(spoken).toBe("Tea shop: Your name?You: AnaTea shop: Hello Ana, and your e-mail?");
});

inBrowser("an embedded chat also announces the bot's name, in the bot's language", async ({ page }) => {
  const bot = await host.publish({
    ...nameAndEmail,
    name: "Teeladen",
    settings: { ...settings, general: { language: "de" } },
  });
  const site = openOtherSite();
  await page.goto(
    site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, {
      head: `<script src="${host.origin}/embed.js" defer></script>`,
    }),
  );
  await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

  const spoken = await page.getByRole("log").evaluate((log) => log.textContent);
  expect(spoken).toBe("Teeladen: Your name?Sie: AnaTeeladen: Hello Ana, and your e-mail?");
  await site.close();
});
