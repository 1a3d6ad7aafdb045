import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openLive } from "../support/live-page.ts";
import { named, picture } from "./inputs/flows.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const tiles = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({
    id: `tile${index}`,
    pictureSrc: picture("#0f766e"),
    title: `Tile ${index + 1}`,
  })),
});

async function open(page: Page, count: number, options: object = {}, theme: object = {}): Promise<void> {
  const blocks = [says("Which?"), named("pictures", "picture choice input", options, tiles(count)), says("Thank you")];
  const bot = await host.publish({ ...flowOf(blocks), theme, settings: { typingEmulation: { enabled: false } } });
  await page.goto(bot.address);
  await page.locator("body.is-live .picture").first().waitFor();
}

/** Returns the tiles of each visible row, with their left and right edges in pixels. */
function rowsOf(page: Page): Promise<{ left: number; right: number; widths: number[] }[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>(".picture:not([hidden])")].map((tile) =>
      tile.getBoundingClientRect(),
    );
    return [...Map.groupBy(boxes, ({ top }) => Math.round(top)).values()].map((row) => ({
      left: Math.round(Math.min(...row.map(({ left }) => left))),
      right: Math.round(Math.max(...row.map(({ right }) => right))),
      widths: row.map(({ width }) => Math.round(width)),
    }));
  });
}

const perRow = {
  390: { 2: [2], 3: [2, 1], 4: [2, 2], 7: [2, 2, 2, 1] },
  1440: { 2: [2], 3: [3], 4: [2, 2], 5: [3, 2], 7: [3, 2, 2] },
};

for (const [width, rowsByCount] of Object.entries(perRow)) {
  const inThisRun = width === "390" ? inBrowser : inLongRun;
  inThisRun(
    `all rows of tiles are equally wide, for several numbers of tiles, at ${width} px`,
    async ({ page }) => {
      for (const [count, expected] of Object.entries(rowsByCount)) {
        await open(page, Number(count));
        const rows = await rowsOf(page);

        expect({ count, rows: rows.map(({ widths }) => widths.length) }).toEqual({ count, rows: expected });
        // The rounded widths of the rows may differ by a pixel.
        const wide = rows.map(({ left, right }) => right - left);
        expect(Math.max(...wide) - Math.min(...wide)).toBeLessThan(3);
      }
    },
    { viewport: { width: Number(width), height: 900 } },
  );
}

inBrowser("filtered entries fill the rows of the grid", async ({ page }) => {
  await open(page, 9, { isSearchable: true });
  await page.getByRole("searchbox").fill("tile 1");
  await page.getByRole("button", { name: "Tile 2" }).waitFor({ state: "hidden" });
  await page.getByRole("searchbox").fill("e");
  await page.getByRole("button", { name: "Tile 9" }).waitFor();

  expect((await rowsOf(page)).map(({ widths }) => widths.length)).toEqual([3, 3, 3]);
});

/** Returns the colour at one point of each side of an element, `pixels` inside its edge. */
async function colorsWithin(page: Page, element: Locator, pixels: number): Promise<string[]> {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not drawn");
  const png = await page.screenshot({ clip: box });
  const canvas = await page.context().newPage();
  const colors = await canvas.evaluate(
    async ({ base64, inset }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (!pen) throw new Error("There is no canvas");
      pen.drawImage(image, 0, 0);
      const at = (x: number, y: number) => `rgb(${[...pen.getImageData(x, y, 1, 1).data.slice(0, 3)].join(", ")})`;
      const { width, height } = image;
      const [middle, center] = [Math.round(width / 2), Math.round(height / 2)];
      return [
        at(middle, inset),
        at(width - 1 - inset, center),
        at(middle, height - 1 - inset),
        at(inset, Math.round(height / 4)),
      ];
    },
    { base64: png.toString("base64"), inset: pixels },
  );
  await canvas.close();
  return colors;
}

const white = "rgb(255, 255, 255)";
const whiteOnPicture = {
  general: { background: { type: "Image", content: picture("#1f4b6e") } },
  chat: {
    buttons: { backgroundColor: "#ffffff", color: "#111111" },
    inputs: { backgroundColor: "#ffffff", color: "#111111" },
    guestBubbles: { backgroundColor: "#7c2d12", color: "#ffffff" },
  },
};

for (const [name, theme, mark] of [
  ["by default", {}, "rgb(194, 65, 12)"],
  ["in white over a picture", whiteOnPicture, "rgb(124, 45, 18)"],
] as const) {
  const inThisRun = name === "by default" ? inLongRun : inBrowser;
  inThisRun(
    `the ring of a selected tile surrounds the whole tile and its picture, ${name}`,
    async ({ page }) => {
      await open(page, 4, { isMultipleChoice: true }, theme);
      const tile = page.locator(".picture").nth(1);
      await tile.click();
      await page.mouse.move(0, 0);
      const sizes = await tile.evaluate((element) => {
        const ring = getComputedStyle(element, "::after");
        const { width, height } = element.getBoundingClientRect();
        return { tile: [width, height], ring: [Number.parseFloat(ring.width), Number.parseFloat(ring.height)] };
      });
      expect(sizes.ring.map(Math.round)).toEqual(sizes.tile.map(Math.round));

      expect(await colorsWithin(page, tile, 1)).toEqual([mark, mark, mark, mark]);
      expect(await colorsWithin(page, tile, 3)).toEqual([white, white, white, white]);
      expect(await colorsWithin(page, page.locator(".picture").nth(0), 3)).not.toContain(mark);
    },
    { viewport: { width: 390, height: 900 } },
  );
}

inLongRun("letter keys select tiles", async ({ page }) => {
  await open(page, 3);
  await page.locator(".choices:focus").waitFor();
  const letters = await page
    .locator(".picture")
    .evaluateAll((all) => all.map((tile) => getComputedStyle(tile, "::before").content));
  expect(letters.every((letter) => letter.includes("upper-alpha"))).toBe(true);
  await page.keyboard.press("c");
  await page.getByText("Thank you").waitFor();

  expect(await page.locator(".typebot-guest-bubble").textContent()).toBe("Tile 3");
});

inLongRun(
  "a filter above tiles does not open a phone's keyboard automatically",
  async ({ page }) => {
    const begin = { id: "begin", type: "choice input", items: [{ id: "go", content: "Go" }] };
    const many = named("pictures", "picture choice input", { isSearchable: true }, tiles(3));
    const bot = await host.publish(flowOf([says("Ready?"), begin, says("Which?"), many]));
    await openLive(page, bot.address);
    await page.getByRole("button", { name: "Go" }).tap();
    await page.getByRole("searchbox").waitFor();
    await page.locator(".pictures:focus").waitFor();
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);
