import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../support/axe.ts";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const phone = { viewport: { width: 390, height: 844 } };
const long = Array.from({ length: 40 }, (_, index) => `Line ${index}`).join("\n");
const flow = {
  ...flowOf([says("Hello"), asks("text input"), says(long), asks("email input")]),
  theme: { general: { header: { isEnabled: true } } },
  settings: { typingEmulation: { enabled: false }, metadata: { title: "Journeys" } },
};

inBrowser(
  "a bar with the bot's picture and name stays above the chat, and nothing that is to be read is under it",
  async ({ page, problems }) => {
    const { address } = await host.publish(flow);
    await page.goto(address);
    const bar = page.getByRole("banner");
    expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Journeys"]);
    expect(await bar.locator(".avatar").count()).toBe(1);
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("textbox", { name: "Hello" }).fill("Hi");
    await page.keyboard.press("Enter");
    const reply = page.getByText("Line 0");
    await reply.waitFor();
    // Once the page has come to rest.
    await page.waitForFunction(() => {
      const top = document.querySelector(".chat-header")?.getBoundingClientRect().bottom ?? 0;
      const entry = [...document.querySelectorAll(".host-container")].at(-1)?.getBoundingClientRect().top ?? 0;
      return scrollY > 0 && entry >= top && entry < top + 200;
    });

    expect((await bar.boundingBox())?.y).toBe(0);
    expect(problems).toEqual([]);
  },
  phone,
);

inBrowser(
  "within another site the bar is no heading of that page, and makes room for what closes the window",
  async ({ page, problems }) => {
    const theme = { general: { header: { isEnabled: true, name: "Ana from Journeys" } } };
    const { publicId } = await host.publish({ ...flow, theme });
    const script = `<script src="${host.origin}/embed.js" defer></script>`;
    await page.goto(
      site.page(`<main><h1>Shop</h1></main><parley-popup bot="${publicId}"></parley-popup>`, { head: script }),
    );
    await page.evaluate("customElements.whenDefined('parley-popup').then(() => Parley.open())");

    const name = page.locator(".chat-name");
    await name.waitFor();
    expect(await name.textContent()).toBe("Ana from Journeys");
    const close = await page.getByRole("button", { name: "Close" }).boundingBox();
    const box = await name.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(close?.x ?? 0);
    expect(await page.locator("parley-popup").getByRole("heading", { level: 1 }).count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  phone,
);
