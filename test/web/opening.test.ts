import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let service: ChatHost;
let site: OtherSite;
let bot: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  service = await openChatHost();
  site = openOtherSite();
  ({ publicId: bot } = await service.publish(flowOf([says("Hello"), asks("text input")])));
});
afterAll(async () => {
  await site.close();
  await service.close();
});

const script = () => `<script src="${service.origin}/embed.js" defer></script>`;
const far = '<div style="height: 3000px"></div>';
const defined = (page: Page) => page.waitForFunction(() => customElements.get("parley-bubble") !== undefined);
const button = (page: Page) => page.getByRole("button", { name: "Chat" });
const window = (page: Page) => page.getByRole("dialog", { name: "Chat" });

describe("the automatic opening of a chat", () => {
  inBrowser("a chat opens once the visitor has scrolled far enough", async ({ page }) => {
    await page.goto(
      site.page(`<parley-bubble bot="${bot}" open-on-scroll="60"></parley-bubble>${far}`, { head: script() }),
    );
    await defined(page);
    const scrollTo = (share: number) =>
      page.evaluate((part) => {
        const { scrollHeight, clientHeight } = document.documentElement;
        globalThis.scrollTo(0, (scrollHeight - clientHeight) * part);
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }, share);

    await scrollTo(0.5);
    expect(await window(page).isVisible()).toBe(false);
    await scrollTo(0.65);
    await window(page).getByText("Hello").waitFor();
    // The window has opened by itself, so the focus has not moved.
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("body");
  });

  inLongRun("a chat opens when the pointer leaves the page over the upper edge", async ({ page }) => {
    await page.goto(
      site.page(`<p>Text</p><parley-bubble bot="${bot}" open-on-exit></parley-bubble>`, { head: script() }),
    );
    await defined(page);
    const leave = (clientY: number) =>
      page.evaluate(
        (y) => document.body.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, clientY: y })),
        clientY,
      );

    await leave(400);
    expect(await window(page).isVisible()).toBe(false);
    await leave(-1);
    await window(page).waitFor();
  });

  inBrowser("a closed chat does not open automatically again", async ({ page }) => {
    const body = `<parley-bubble bot="${bot}" default-open auto-show-delay="1" open-on-scroll="10"></parley-bubble>${far}`;
    const address = site.page(body, { head: script() });
    await page.goto(address);
    await window(page).getByText("Hello").waitFor();
    await button(page).click();
    await window(page).waitFor({ state: "hidden" });

    await page.evaluate(() => scrollTo(0, 2_000));
    await page.reload();
    await defined(page);
    await page.evaluate(() => scrollTo(0, 1_900));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))));
    expect(await window(page).isVisible()).toBe(false);

    await button(page).click();
    await page.reload();
    await window(page).getByText("Hello").waitFor();
  });
});

inBrowser("a click on a marked element of the page opens one chat or all chats", async ({ page }) => {
  const body = `<a id="link" href="/nowhere" data-parley-open="second">Talk to us</a>
    <a id="none" href="#none" data-parley-open="third">Or not</a>
    <p data-parley-open><span id="any">Anything</span></p>
    <parley-bubble id="first" bot="${bot}" label="First"></parley-bubble>
    <parley-bubble id="second" bot="${bot}" label="Second" placement="left"></parley-bubble>`;
  const address = site.page(body, { head: script() });
  await page.goto(address);
  await defined(page);

  await page.locator("#link").click();
  await page.getByRole("dialog", { name: "Second" }).getByText("Hello").waitFor();
  expect(await page.getByRole("dialog", { name: "First" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Second" }).waitFor({ state: "hidden" });

  // No such chat exists, so the link works as a normal link.
  await page.locator("#none").click();
  expect(page.url()).toBe(`${address}#none`);
  await page.locator("#any").click();
  await page.getByRole("dialog", { name: "First" }).getByText("Hello").waitFor();
  await page.getByRole("dialog", { name: "Second" }).waitFor();
});

describe("the button of a bubble", () => {
  const paint = (page: Page) =>
    page.locator("parley-bubble").evaluate((bubble) => {
      const style = getComputedStyle(bubble.shadowRoot?.querySelector(".bubble") ?? bubble);
      return { color: style.backgroundColor, ink: style.color };
    });
  const shown = (page: Page) =>
    page.waitForFunction(
      () => document.querySelector("parley-bubble")?.shadowRoot?.querySelector(".bubble:not(.is-unpainted)") ?? null,
    );

  inBrowser("the button of a bubble has the colour of the bot's theme", async ({ page, problems }) => {
    const theme = { chat: { buttons: { backgroundColor: "#fde047" } } };
    const yellow = await service.publish({ ...flowOf([says("Hello")]), theme });
    const policy = `script-src ${service.origin}; connect-src ${service.origin}`;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));

    await page.goto(site.page(`<parley-bubble bot="${yellow.publicId}"></parley-bubble>`, { head: script(), policy }));
    await shown(page);
    expect(await paint(page)).toEqual({ color: "rgb(253, 224, 71)", ink: "rgb(28, 25, 23)" });
    const asModule = script().replace("defer", 'type="module"');
    await page.goto(site.page(`<parley-bubble bot="${yellow.publicId}"></parley-bubble>`, { head: asModule }));
    await shown(page);
    expect(await paint(page)).toEqual({ color: "rgb(253, 224, 71)", ink: "rgb(28, 25, 23)" });

    asked.length = 0;
    const own = `<parley-bubble bot="${yellow.publicId}" button-color="rgb(1, 2, 3)"></parley-bubble>`;
    await page.goto(site.page(own, { head: script() }));
    await shown(page);
    expect((await paint(page)).color).toBe("rgb(1, 2, 3)");
    expect(asked.filter((path) => path.endsWith("launcher.js"))).toEqual([]);
    expect(problems).toEqual([]);
  });

  inLongRun("the button of a bubble has the default colour if the theme cannot be loaded", async ({ page }) => {
    await page.route("**/launcher.js", (route) => route.abort());
    await page.goto(site.page(`<parley-bubble bot="${bot}"></parley-bubble>`, { head: script() }));
    await shown(page);
    expect(await paint(page)).toEqual({ color: "rgb(194, 65, 12)", ink: "rgb(255, 255, 255)" });
  });

  inBrowser("the button of a closed bubble counts the new messages", async ({ page }) => {
    const flow = flowOf([says("Your name?"), asks("text input"), says("One"), says("Two"), asks("email input")]);
    const { publicId } = await service.publish(flow);
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/continueChat", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(site.page(`<parley-bubble bot="${publicId}"></parley-bubble>`, { head: script() }));
    await button(page).click();
    await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
    await page.keyboard.press("Enter");
    await page.locator(".typebot-guest-bubble").waitFor();
    // The focused field no longer exists, but the chat can still be closed.
    await page.keyboard.press("Escape");
    await window(page).waitFor({ state: "hidden" });
    answer();

    await page.getByRole("button", { name: "Chat (2)" }).click();
    await page.getByText("Two").waitFor();
    expect(await page.getByRole("button", { name: "Chat", exact: true }).getAttribute("aria-expanded")).toBe("true");
    expect(await page.locator("parley-bubble .badge").isVisible()).toBe(false);
  });
});

inBrowser("the content below an embedded chat does not move when the chat loads", async ({ page }) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/embed.js", async (route) => {
    await held;
    await route.continue();
  });
  const body = `<parley-chat bot="${bot}" style="display: block; height: 640px"></parley-chat><p id="below">Below</p>`;
  await page.goto(site.page(body, { head: script().replace("defer", "async") }), { waitUntil: "commit" });
  await page.locator("#below").waitFor();
  const before = await page.locator("#below").boundingBox();
  release();
  await page.getByText("Hello").waitFor();

  expect(before?.y).toBeGreaterThan(600);
  expect(await page.locator("#below").boundingBox()).toEqual(before);
});

inLongRun("a plain frame contains a chat without a script of the service in the page", async ({ page, problems }) => {
  const frame = `<iframe src="${service.origin}/${bot}" title="Chat" allow="microphone; camera; clipboard-write"
    loading="lazy" style="width: 100%; height: 640px; border: 0"></iframe>`;
  await page.goto(site.page(frame));
  const chat = page.frameLocator("iframe");
  await chat.locator("body.is-live").waitFor();
  await chat.getByRole("textbox", { name: "Hello" }).fill("Hi");
  await page.keyboard.press("Enter");
  await chat.locator(".typebot-guest-bubble").getByText("Hi").waitFor();
  expect(problems).toEqual([]);
});
