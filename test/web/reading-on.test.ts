import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

inBrowser(
  "without scripts, the page after an answer is scrolled to the answer",
  async ({ page }) => {
    const long = "A long story is told here. ".repeat(40);
    const bot = await host.publish(
      flowOf([says(long), asks("text input"), says("And then?", "then"), asks("email input")]),
    );
    await page.goto(bot.address);
    await page.locator("[name=text]").fill("Tell me more");
    await page.getByRole("button", { name: "Send" }).click();
    const said = page.getByText("Tell me more");
    await said.waitFor();

    const { y } = (await said.boundingBox()) ?? { y: -1 };
    await page.keyboard.press("Tab");

    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(500);
    expect(await page.locator("[type=email]").evaluate((field) => field === document.activeElement)).toBe(true);
  },
  { javaScriptEnabled: false, viewport: { width: 320, height: 500 } },
);
