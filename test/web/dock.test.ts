import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const phone = { viewport: { width: 390, height: 844 } };

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const long = "A sentence of a reply that goes on and on. ".repeat(60);
const name = asks("text input", {}, { id: "name" });
const manyOptions = {
  id: "many",
  type: "choice input",
  items: Array.from({ length: 12 }, (_, index) => ({
    id: `item-${index}`,
    content: `The option with number ${index}`,
  })),
  options: { isMultipleChoice: true, buttonLabel: "Take these" },
};

const dock = (page: Page) => page.locator(".chat-dock");

/** Returns an element's upper and lower edge in the window once it no longer moves. */
async function edges(element: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  for (let last = Number.NaN, still = 0; ; ) {
    const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: 0 };
    still = y === last ? still + 1 : 0;
    if (still === 4) return { top: y, bottom: y + height };
    last = y;
  }
}

inBrowser(
  "the dock stays at the window's lower edge, and messages end above the dock",
  async ({ page, problems }) => {
    const bot = await host.publish(
      flowOf([says("Your name?"), name, says(long), says("Which ones?", "which"), manyOptions, says("Bye")]),
    );
    await openChat(page, bot.address);
    expect((await edges(dock(page))).bottom).toBe(844);
    await answer(page, "Ana");
    await page.getByRole("button", { name: "Take these" }).waitFor();
    expect((await edges(dock(page))).bottom).toBe(844);
    await page.getByRole("button", { name: "New messages" }).click();
    const { top, bottom } = await edges(dock(page));
    expect(bottom).toBe(844);
    expect((await edges(page.getByText("Which ones?"))).bottom).toBeLessThan(top);

    // The whole list can be reached, and the send button is visible from the start.
    expect((await edges(page.locator(".typebot-input-container"))).bottom - top).toBeLessThanOrEqual(844 * 0.6 + 16);
    const send = await edges(page.getByRole("button", { name: "Take these" }));
    expect(send.bottom).toBeLessThanOrEqual(844);
    expect((await edges(page.locator(".typebot-buttons-input"))).bottom).toBeLessThanOrEqual(send.top);
    await page.getByRole("checkbox").last().check();
    await page.getByRole("button", { name: "Take these" }).click();
    await page.getByText("Bye").waitFor();
    expect((await edges(page.getByText("Bye"))).bottom).toBeLessThan((await edges(dock(page))).top);
    expect(problems).toEqual([]);
  },
  phone,
);

inBrowser(
  "in a small window, a form may be taller than 60 % of the window",
  async ({ page }) => {
    const bot = await host.publish({
      ...flowOf([says("Which ones?"), manyOptions]),
      theme: { general: { header: { isEnabled: true }, progressBar: { isEnabled: true } } },
    });
    await openChat(page, bot.address);
    const { top, bottom } = await edges(dock(page));
    expect(bottom - top).toBeGreaterThan(420 * 0.6 + 20);
    expect(top).toBeGreaterThan(112);
    // The header of the chat and its progress bar are one banner, not two.
    expect(await page.locator("header").count()).toBe(1);
  },
  { viewport: { width: 360, height: 420 } },
);

inLongRun(
  "the last message stays above the dock when the dock grows",
  async ({ page }) => {
    const bot = await host.publish(
      flowOf([
        says(long.slice(0, 1_300)),
        name,
        says("And now?", "now"),
        { ...asks("text input"), options: { isLong: true } },
      ]),
    );
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByRole("textbox", { name: "And now?" }).waitFor();
    const before = await edges(dock(page));
    await page.getByRole("textbox").fill("One line\n".repeat(20));

    // The last message is rendered one frame after the message that made the dock higher.
    await waitFor(async () => {
      const { top } = await edges(dock(page));
      return top < before.top - 40 && (await edges(page.getByText("And now?"))).bottom < top;
    });
  },
  phone,
);

for (const element of ["parley-bubble", "parley-popup", "parley-chat"]) {
  const inThisRun = element === "parley-popup" ? inBrowser : inLongRun;
  inThisRun(
    `in ${element} the dock is at the lower edge of the chat's box`,
    async ({ page }) => {
      const { publicId } = await host.publish(flowOf([says("Your name?"), name, says(long), manyOptions]));
      await page.goto(
        site.page(
          `<${element} bot="${publicId}"></${element}><script type="module" src="${host.origin}/embed.js"></script>`,
        ),
      );
      await page.waitForFunction(() => "Parley" in window);
      if (element !== "parley-chat") await page.evaluate(() => Reflect.get(window, "Parley").open());
      await page.getByRole("textbox").fill("Ana");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Take these" }).waitFor();
      const box = await edges(page.locator(".typebot-container"));
      const shown = await edges(dock(page));

      expect(Math.abs(shown.bottom - box.bottom)).toBeLessThan(1);
      expect((await edges(page.locator(".typebot-input-container"))).bottom - shown.top).toBeLessThanOrEqual(
        (box.bottom - box.top) * 0.6 + 16,
      );
    },
    { viewport: { width: 1000, height: 800 } },
  );
}

inLongRun(
  "without script the dock is at the window's lower edge, and messages end above the dock",
  async ({ page }) => {
    const bot = await host.publish(
      flowOf([says(long), says("[A link](https://example.com) and more"), says(long, "more"), name, says("Bye")]),
    );
    await page.goto(bot.address);
    expect((await edges(dock(page))).bottom).toBe(844);
    await page.locator("[name=text]").fill("Ana");
    await page.keyboard.press("Enter");
    await page.getByText("Bye").waitFor();
    expect((await edges(page.getByText("Bye"))).bottom).toBeLessThan((await edges(dock(page))).top);
  },
  { ...phone, javaScriptEnabled: false },
);

inBrowser(
  "the dock stays above a keyboard that covers the page",
  async ({ page }) => {
    await openChat(page, (await host.publish(flowOf([says(long), name]))).address);
    const seen = (view: { readonly height: number; readonly scale: number }) =>
      page.evaluate(({ height, scale }) => {
        Object.defineProperty(visualViewport, "height", { value: height, configurable: true });
        Object.defineProperty(visualViewport, "scale", { value: scale, configurable: true });
        visualViewport?.dispatchEvent(new Event("resize"));
      }, view);
    // The part that follows the on-screen keyboard loads after the chat.
    await waitFor(async () => {
      await seen({ height: 500, scale: 1 });
      return (await dock(page).evaluate((one) => one.getBoundingClientRect().bottom)) === 500;
    });
    await seen({ height: 422, scale: 2 });
    expect((await edges(dock(page))).bottom).toBe(844);
  },
  { ...phone, hasTouch: true, isMobile: true },
);
