import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { named } from "./inputs/flows.ts";

const folder = temporaryFolder();
let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const phone = { viewport: { width: 390, height: 844 } };

beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
  folder.remove();
});

/** A picture of one pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index + 1}.png`, mimeType: "image/png", buffer: pixel }));

const album = flowOf([
  says("Your photos?"),
  named("photos", "file input", { isMultipleAllowed: true }),
  says("And your name?"),
  asks("text input"),
  says("And your town?"),
  asks("text input", {}, { id: "town" }),
]);

async function send(page: Page, address: string, count: number): Promise<void> {
  await page.goto(address);
  // Until the script is loaded, the form would be posted, and a picture would open in a separate tab.
  await page.locator("body.is-live").waitFor();
  await sendIn(page.locator("body"), count);
}

async function sendIn(chat: Locator, count: number): Promise<void> {
  await chat.locator("input[type=file]").first().setInputFiles(photos(count));
  await chat.getByRole("button", { name: "Upload" }).click();
  await chat.getByRole("textbox", { name: "And your name?" }).waitFor();
}

function botWithPicture(content: object) {
  const bubble = { id: "picture", type: "image", content };
  return host.publish(flowOf([says("Look:"), bubble, asks("text input")]));
}

for (const count of isLong ? [1, 2, 3, 5, 7] : [5]) {
  inBrowser(
    `a bubble is filled by its pictures and the 2-pixel gaps between them (pictures: ${count})`,
    async ({ page, problems }) => {
      await send(page, (await host.publish(album)).address, count);

      const { bubble, tiles } = await page.locator(".has-pictures").evaluate((element) => {
        const boxOf = (one: Element) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { left, right, top, bottom };
        };
        const found = [...element.querySelectorAll(".answer-pictures > *")].map(boxOf);
        return { bubble: boxOf(element), tiles: found };
      });
      const gap = 2;
      const area = (box: typeof bubble) => (box.right - box.left) * (box.bottom - box.top);
      expect(tiles).toHaveLength(count);
      expect(Math.min(...tiles.map(({ left }) => left))).toBeCloseTo(bubble.left, 0);
      expect(Math.max(...tiles.map(({ right }) => right))).toBeCloseTo(bubble.right, 0);
      expect(Math.max(...tiles.map(({ bottom }) => bottom))).toBeCloseTo(bubble.bottom, 0);
      // The tiles and the gaps between them fill the whole bubble.
      const covered = tiles.map((box) => area({ ...box, right: box.right + gap, bottom: box.bottom + gap }));
      const whole = area({ ...bubble, right: bubble.right + gap, bottom: bubble.bottom + gap });
      expect(Math.abs(covered.reduce((sum, one) => sum + one, 0) / whole - 1)).toBeLessThan(0.01);
      expect(problems).toEqual([]);
    },
    phone,
  );
}

inBrowser(
  "a picture opens in a dialog with its text",
  async ({ page, problems }) => {
    await send(page, (await host.publish(album)).address, 3);
    const second = page.locator("[data-picture]").nth(1);
    await second.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "p2.png" });
    await dialog.getByRole("img", { name: "p2.png" }).waitFor();

    expect(await axeProblems(page)).toEqual([]);
    const stops: (string | null)[] = [];
    for (let step = 0; step < 4; step++) {
      stops.push(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null));
      await page.keyboard.press("Tab");
    }
    expect(stops).toEqual(["Close", "Previous", "Next", "Close"]);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "p3.png" }).waitFor();
    expect(await page.locator("figcaption").textContent()).toBe("p3.png");

    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await second.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(page.context().pages()).toHaveLength(1);
    expect(problems).toEqual([]);
  },
  phone,
);

inBrowser("going back closes the picture and stays in the chat", async ({ page }) => {
  await page.goto("about:blank");
  await send(page, (await host.publish(album)).address, 1);
  const length = await page.evaluate(() => history.length);
  await page.locator("[data-picture]").click();
  await page.getByRole("dialog").waitFor();
  // The chat continues while the picture is open.
  await page.locator(".text-input").evaluate((field) => {
    if ("value" in field) field.value = "Ana";
    field.closest("form")?.requestSubmit();
  });
  await page.locator(".answer-text", { hasText: "Ana" }).waitFor();
  await page.getByText("And your town?").waitFor();

  await page.evaluate(() => history.back());
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url()).toStartWith(host.origin);
  await page.reload();
  await page.locator(".answer-text", { hasText: "Ana" }).waitFor();
  await page.locator("body.is-live").waitFor();

  await page.locator("[data-picture]").click();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("[data-picture]").click();
  await page.getByRole("dialog").waitFor();
  // Each opened picture replaces the history entry of the previous picture.
  expect(await page.evaluate(() => history.length)).toBe(length + 1);
});

inLongRun(
  "a picture that is opened before the browser has gone back from another picture stays open",
  async ({ page }) => {
    await send(page, (await host.publish(album)).address, 1);
    const length = await page.evaluate(() => history.length);
    // Simulates a busy browser, which calls `history.back` late.
    const goes = await page.evaluateHandle(() => {
      const asked: (() => void)[] = [];
      const back = history.back.bind(history);
      history.back = () => void asked.push(back);
      return asked;
    });
    const goBack = () =>
      goes.evaluate((asked) => {
        const isBack = new Promise((resolve) =>
          addEventListener("popstate", () => setTimeout(resolve), { once: true }),
        );
        asked.shift()?.();
        return isBack;
      });
    const picture = page.locator("[data-picture]");
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("button", { name: "Close" });
    await picture.click();
    await close.click();
    await dialog.waitFor({ state: "detached" });
    // A picture that was closed in the meantime has no history entry to go back from.
    await picture.click();
    await close.click();
    await dialog.waitFor({ state: "detached" });
    expect(await goes.evaluate((asked) => asked.length)).toBe(1);
    await picture.click();
    await dialog.waitFor();
    await goBack();
    expect(await dialog.count()).toBe(1);
    expect(await page.evaluate(() => history.length)).toBe(length + 1);

    for (const isNext of [true, false]) {
      await page.goBack();
      await dialog.waitFor({ state: "detached" });
      expect(page.url()).toStartWith(host.origin);
      if (isNext) await picture.click();
      if (isNext) await dialog.waitFor();
    }
  },
);

inLongRun(
  "a picture is described by its author's text, by the text of its link, or by a default text",
  async ({ page, context }) => {
    await context.route("https://pictures.example/**", (route) =>
      route.fulfill({ contentType: "image/png", body: pixel }),
    );
    const url = "https://pictures.example/plan.png";
    const plain = await botWithPicture({ url, alt: "A plan of the garden" });
    await page.goto(plain.address);
    await page.locator("body.is-live").waitFor();
    await page.getByRole("link", { name: "A plan of the garden" }).click();
    await page.getByRole("dialog", { name: "A plan of the garden" }).waitFor();
    expect(await page.locator("figcaption").textContent()).toBe("A plan of the garden");

    const link = { url: "https://shop.example", alt: "To the shop" };
    await page.goto((await botWithPicture({ url, alt: "A plan", clickLink: link })).address);
    await page.getByRole("link", { name: "To the shop" }).waitFor();
    expect(await page.locator("[data-picture]").count()).toBe(0);

    await page.goto((await botWithPicture({ url })).address);
    await page.locator("body.is-live").waitFor();
    await page.getByRole("link", { name: "Picture" }).click();
    await page.getByRole("dialog", { name: "Picture" }).waitFor();
    // The generic label of a picture is not a caption.
    expect(await page.locator("figcaption").isVisible()).toBe(false);
  },
);

for (const isEarly of isLong ? [true, false] : [true]) {
  inBrowser(
    `a picture that cannot be loaded shows its description, ${isEarly ? "even if the picture failed before the script loaded" : "and opens nothing"}`,
    async ({ page, context }) => {
      await context.route("https://pictures.example/**", (route) => route.fulfill({ status: 404 }));
      const script = Promise.withResolvers<void>();
      await context.route("**/assets/chat/*.js", async (route) => {
        if (isEarly) await script.promise;
        await route.continue();
      });
      const { address } = await botWithPicture({
        url: "https://pictures.example/plan.png",
        alt: "A plan of the garden",
      });
      await page.goto(address, { waitUntil: "commit" });
      if (isEarly) {
        await page.waitForFunction(() => {
          const image = document.querySelector<HTMLImageElement>(".image-bubble img");
          return image?.complete && image.naturalWidth === 0;
        });
        script.resolve();
      }

      const bubble = page.locator(".image-bubble");
      await bubble.getByText("This picture could not be loaded.").waitFor();
      expect(await bubble.textContent()).toContain("A plan of the garden");
      expect(await page.locator("[data-picture]").count()).toBe(0);
      expect(await axeProblems(page)).toEqual([]);
    },
  );
}

inLongRun(
  "pictures of choices and cards that cannot be loaded show a notice, and can still be chosen",
  async ({ page, context, problems }) => {
    await context.route("https://pictures.example/**", (route) => route.abort());
    const pictureSrc = "https://pictures.example/cat.png";
    const { address } = await host.publish(
      flowOf([
        says("Which?"),
        { id: "which", type: "picture choice input", items: [{ id: "cat", pictureSrc, title: "A cat" }] },
        says("And this?"),
        {
          id: "card",
          type: "cards",
          items: [{ id: "c", imageUrl: pictureSrc, title: "Tea", paths: [{ id: "p", text: "Take it" }] }],
        },
        says("Thanks"),
      ]),
    );
    await page.goto(address);
    const choice = page.getByRole("button", { name: "This picture could not be loaded. A cat" });
    await choice.waitFor();
    expect(await page.locator(".picture a, .picture img").count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    await choice.click();
    await page.locator(".typebot-card").getByText("This picture could not be loaded.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Take it" }).click();
    await page.getByText("Thanks").waitFor();

    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  },
);

inBrowser(
  "without a script a picture is a link to its file",
  async ({ page }) => {
    const url = "https://pictures.example/plan.png";
    await page.goto((await botWithPicture({ url, alt: "A plan" })).address);

    const link = page.getByRole("link", { name: "A plan" });
    expect([await link.getAttribute("href"), await link.getAttribute("target")]).toEqual([url, "_blank"]);
  },
  { javaScriptEnabled: false },
);

inLongRun(
  "in a page of another site a picture opens over that page without changing its history",
  async ({ page, problems }) => {
    const { publicId } = await host.publish({
      ...album,
      settings: { general: { language: "ar" }, typingEmulation: {} },
    });
    await page.goto(
      site.page(`<parley-chat bot="${publicId}"></parley-chat>`, {
        head: `<script src="${host.origin}/embed.js" defer></script>`,
      }),
    );
    const chat = page.locator("parley-chat");
    await chat.locator("input[type=file]").first().setInputFiles(photos(2));
    await chat.locator("button[type=submit]:not([name])").last().click();
    const length = await page.evaluate(() => history.length);
    await chat.locator("[data-picture]").first().click();
    const dialog = page.getByRole("dialog", { name: "p1.png" });
    await dialog.waitFor();

    const { width, height } = (await dialog.boundingBox()) ?? { width: 0, height: 0 };
    expect({ width, height }).toEqual(page.viewportSize() ?? { width: 0, height: 0 });
    // From right to left, the next picture is on the left.
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("dialog", { name: "p2.png" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => history.length)).toBe(length);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  },
);
