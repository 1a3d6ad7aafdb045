import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { nameAndEmail } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer } from "../support/live-page.ts";

// Chats must work on pages that require trusted types for scripts (`require-trusted-types-for`).

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const required = "require-trusted-types-for 'script'";

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

inBrowser("an embedded chat works in a page that requires Trusted Types", async ({ page, problems }) => {
  const bot = await host.publish(nameAndEmail);
  const head = `<script src="${host.origin}/embed.js" defer></script>`;
  const policy = `${required}; trusted-types 'none'`;
  await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head, policy }));
  await answer(page, "Ana");
  await page.getByRole("textbox", { name: "Hello Ana" }).fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
  expect(problems).toEqual([]);
});

inBrowser(
  "the chat page works behind a proxy that adds a Trusted Types policy",
  async ({ page, context, problems }) => {
    const bot = await host.publish(nameAndEmail);
    await context.route(bot.address, async (route) => {
      const response = await route.fetch();
      const policy = `${response.headers()["content-security-policy"]}; ${required}; trusted-types 'none'`;
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    expect(
      await page.evaluate(() => {
        try {
          document.createElement("div").innerHTML = "text";
          return "taken";
        } catch {
          return "refused";
        }
      }),
    ).toBe("refused");
    await answer(page, "Ana");
    await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
    expect(problems.filter((problem) => !problem.includes("TrustedHTML"))).toEqual([]);
  },
);
