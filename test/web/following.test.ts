import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
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
const town = asks("text input", {}, { id: "town" });
const longReply = flowOf([says("Your name?"), name, says(`Begin. ${long}`), says("And your town?"), town, says("Bye")]);

const pill = (page: Page) => page.getByRole("button", { name: "New messages" });

/** Waits until an element is completely visible, and the window no longer moves. */
async function isSeen(element: Locator): Promise<void> {
  await restingTop(element, (top, { height, windowHeight }) => top >= 0 && top + height <= windowHeight);
}

type Sizes = { readonly height: number; readonly windowHeight: number };

/** Waits until an element rests at its expected position. */
async function restingTop(element: Locator, isRight: (top: number, sizes: Sizes) => boolean): Promise<number> {
  for (let last = Number.NaN; ; ) {
    const { top, ...sizes } = await element.evaluate(async (one) => {
      for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
      const { top, height } = one.getBoundingClientRect();
      return { top, height, windowHeight: innerHeight };
    });
    if (top === last && isRight(top, sizes)) return top;
    last = top;
  }
}

inBrowser(
  "a reply longer than the window is shown from its top",
  async ({ page, problems }) => {
    await openChat(page, (await host.publish(longReply)).address);
    await answer(page, "Ana");
    await pill(page).waitFor();

    await restingTop(page.getByText("Begin."), (top) => top >= 0 && top < 60);
    // The field is in the dock, so the focus is visible.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await pill(page).click();
    await isSeen(page.getByRole("textbox", { name: "And your town?" }));

    await pill(page).waitFor({ state: "detached" });
    await page.keyboard.type("Rome");
    await page.keyboard.press("Enter");
    await isSeen(page.getByText("Bye"));
    expect(problems).toEqual([]);
  },
  phone,
);

inLongRun(
  "a first message longer than the window is shown from its top, without the button “New messages”",
  async ({ page }) => {
    const { address } = await host.publish(flowOf([says(`Begin. ${long}`), says("Your name?"), name]));
    await openChat(page, address);
    await page.setViewportSize({ width: 390, height: 700 });

    await restingTop(page.getByText("Begin."), (top) => top >= 0 && top < 60);
    expect(await pill(page).count()).toBe(0);
  },
  phone,
);

inBrowser(
  "a visitor who scrolled up is notified of new messages",
  async ({ page }) => {
    const settings = { typingEmulation: { speed: 1, maxDelay: 2.5 } };
    const bot = await host.publish({
      ...flowOf([says(long, "long"), name, says("Then"), says("Last"), town]),
      settings,
    });
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByText("Then").waitFor();
    await page.mouse.move(200, 200);
    const before = await page.evaluate(() => scrollY);
    while ((await page.evaluate(() => scrollY)) > before - 300) await page.mouse.wheel(0, -200);
    const top = await restingTop(page.getByText("Then"), () => true);
    await page.getByText("Last").waitFor();
    await page.locator("form").waitFor();

    expect(await restingTop(page.getByText("Then"), () => true)).toBe(top);
    await pill(page).click();
    await isSeen(page.getByRole("textbox"));
  },
  phone,
);

inLongRun(
  "a visitor who has read a long reply to its end is shown the following messages",
  async ({ page }) => {
    const settings = { typingEmulation: { speed: 1, maxDelay: 2 } };
    const bot = await host.publish({
      ...flowOf([says("Your name?"), name, says(`Begin. ${long}`), says("Next"), says("And last"), town]),
      settings,
    });
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.getByText("Begin.").waitFor();
    await page.mouse.move(200, 400);
    // A turn of the wheel during the page's layout may have no effect, so it is repeated.
    await waitFor(async () => {
      await page.mouse.wheel(0, 20_000);
      return await page.evaluate(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 1);
    });
    await page.getByText("And last").waitFor();

    await isSeen(page.getByText("And last"));
    await isSeen(page.getByRole("textbox"));
    expect(await pill(page).count()).toBe(0);
  },
  phone,
);

inBrowser(
  "the field stays in the window when wide and tall pictures load late",
  async ({ page }) => {
    const held: Route[] = [];
    await page.route("https://pictures.example/**", (route) => void held.push(route));
    const picture = (file: string) => ({
      id: file,
      type: "image",
      content: { url: `https://pictures.example/${file}` },
    });
    const bot = await host.publish(
      flowOf([
        picture("first"),
        says("Your name?"),
        name,
        says("Look:"),
        picture("wide"),
        picture("tall"),
        says("And your town?"),
        town,
        says("Bye"),
      ]),
    );
    await page.goto(bot.address, { waitUntil: "commit" });
    await page.locator("body.is-live form").waitFor();
    await isSeen(page.getByRole("textbox"));
    await show(page, held, "first", { width: 600, height: 900 });
    await isSeen(page.getByRole("textbox"));

    await answer(page, "Ana");
    await isSeen(page.getByRole("textbox", { name: "And your town?" }));
    await show(page, held, "wide", { width: 1200, height: 300 });
    await isSeen(page.getByRole("textbox"));
    await show(page, held, "tall", { width: 500, height: 1500 });
    await isSeen(page.getByRole("textbox"));

    await answer(page, "Rome");
    await isSeen(page.getByText("Bye"));
  },
  phone,
);

/** Lets a requested picture arrive, and waits until it is rendered. */
async function show(
  page: Page,
  held: readonly Route[],
  file: string,
  { width, height }: { width: number; height: number },
): Promise<void> {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="teal"/></svg>`;
  const route = held.find((one) => one.request().url().endsWith(file));
  await route?.fulfill({ contentType: "image/svg+xml", body });
  await page.waitForFunction(
    (end) => [...document.images].some((image) => image.src.endsWith(end) && image.naturalWidth > 0),
    file,
  );
}

inLongRun(
  "a picture with its size in the address reserves its space before it loads",
  async ({ page }) => {
    const held: Route[] = [];
    await page.route("https://pictures.example/**", (route) => void held.push(route));
    const addresses = ["photo.jpg?w=600&h=400", "w_600,h_200/a.png", "banner-600x300.jpg", "seed/600/500"];
    const pictures = addresses.map((url) => ({
      id: url,
      type: "image",
      content: { url: `https://pictures.example/${url}` },
    }));
    const bot = await host.publish(flowOf([says("Your name?"), name, ...pictures, town]));
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.locator(".image-bubble").nth(3).waitFor();
    const heights = () => page.locator(".image-bubble").evaluateAll((all) => all.map((one) => one.clientHeight));
    const before = await heights();
    for (const url of addresses) {
      const [width, height] = /(\d{3})\D+(\d{3})/.exec(url)?.slice(1).map(Number) ?? [];
      await show(page, held, url, { width: width ?? 0, height: height ?? 0 });
    }
    await page.locator(".is-loading").first().waitFor({ state: "detached" });

    expect(new Set(before).size).toBe(4);
    expect(await heights()).toEqual(before);
  },
  phone,
);

inBrowser("an embedded chat does not scroll the surrounding page", async ({ page }) => {
  const { publicId } = await host.publish(longReply);
  const address = site.page(
    `<div style="height: 100px"></div>
     <parley-chat bot="${publicId}" style="height: 500px"></parley-chat><div style="height: 2000px"></div>
     <script type="module" src="${host.origin}/embed.js"></script>`,
  );
  await page.goto(address);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await pill(page).waitFor();

  await restingTop(page.getByText("Begin."), (top) => top >= 100 && top < 160);
  await pill(page).click();
  await isSeen(page.getByRole("textbox", { name: "And your town?" }));
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
