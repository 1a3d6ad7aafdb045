import { afterAll, beforeAll, expect } from "bun:test";
import { clearTheme } from "../../src/core/theme/clear.ts";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

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

const phone = { viewport: { width: 390, height: 844 } };
const long = Array.from({ length: 40 }, (_, index) => `Line ${index}`).join("\n");
const flow = {
  ...flowOf([says("Hello"), asks("text input"), says(long), asks("email input")]),
  theme: { general: { header: { isEnabled: true } } },
  settings: { typingEmulation: { enabled: false }, metadata: { title: "Journeys" } },
};

inBrowser(
  "a bar with the bot's picture and name stays above the chat",
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
    // Waits until the page no longer moves.
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

inLongRun(
  "within another site the bar is not a heading of that page, and leaves space for the close button",
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

const offers = { isEnabled: true, isRestartShown: true, isSoundShown: true };
const ring = "https://sounds.example.com/ring.mp3";

inBrowser(
  "the bar restarts the chat after a confirmation",
  async ({ page, problems }) => {
    const { address } = await host.publish({
      ...flow,
      groups: flowOf([
        says("Hello"),
        { id: idOf("ring"), type: "audio", content: { url: ring } },
        asks("text input"),
        says("Bye"),
        asks("email input"),
      ]).groups,
      theme: { general: { header: offers } },
    });
    await page.route(ring, (route) => route.fulfill({ contentType: "audio/mpeg", body: "" }));
    await page.goto(address);
    const bar = page.getByRole("banner");
    await page.locator("body.is-live").waitFor();
    expect(await bar.getByRole("button", { name: "Start again" }).count()).toBe(0);

    await bar.getByRole("button", { name: "Turn sound off" }).click();
    await bar.getByRole("button", { name: "Turn sound on" }).waitFor();
    const field = page.getByRole("textbox");
    await field.fill("Hi");
    await page.keyboard.press("Enter");
    await page.getByText("Bye").waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await bar.getByRole("link", { name: "Start again" }).click();
    await page.keyboard.press("Escape");
    await bar.getByRole("link", { name: "Start again" }).click();
    await page.getByText("Bye").waitFor();
    await bar.getByRole("button", { name: "Start again" }).click();
    await page.getByText("Bye").waitFor({ state: "detached" });
    // The choice applies to this browser: later messages are also silent, and so is the page after a reload.
    await page.getByRole("textbox", { name: "Hello" }).waitFor();
    expect(await page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.autoplay)).toBe(false);
    await page.reload();
    await bar.getByRole("button", { name: "Turn sound on" }).waitFor();
    await page.waitForFunction(() => document.querySelector("audio")?.autoplay === false);
    await bar.getByRole("button", { name: "Turn sound on" }).click();
    await bar.getByRole("button", { name: "Turn sound off" }).waitFor();
    expect(problems).toEqual([]);
  },
  phone,
);

inBrowser(
  "the first screen shows the bot's picture and name",
  async ({ page, problems }) => {
    const { address } = await host.publish({ ...flow, theme: clearTheme });
    await page.goto(address);
    await page.locator("body.is-live").waitFor();
    const edgesOf = (selector: string) =>
      page.evaluate((name) => {
        const { top, bottom } = document.querySelector(name)?.getBoundingClientRect() ?? new DOMRect();
        return { top, bottom };
      }, selector);
    const [bar, welcome, message, dock] = await Promise.all(
      [".chat-header", ".chat-welcome", ".host-container", ".chat-dock"].map(edgesOf),
    );
    expect(await page.locator(".welcome-name").textContent()).toBe("Journeys");
    expect(welcome?.top).toBeGreaterThan(bar?.bottom ?? 0);
    expect(message?.top).toBeGreaterThan((welcome?.bottom ?? 0) + 100);
    expect((dock?.top ?? 0) - (message?.bottom ?? 0)).toBeLessThan(40);
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("textbox", { name: "Hello" }).fill("Hi");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Start again" }).waitFor();
    expect(await edgesOf(".chat-header")).toEqual(bar ?? { top: 0, bottom: 0 });
    expect(problems).toEqual([]);
  },
  phone,
);
