import type { Locator, Page } from "playwright-core";

/**
 * Clicks at the drawn position of an element in a frame that is drawn smaller than its layout. If the frame has a
 * process of its own (as in a full Chromium, but not in the headless shell), Playwright's own click adds the position
 * in the frame to that of the frame without scaling, and misses.
 */
export async function pressDrawn(page: Page, frame: Locator, target: Locator): Promise<void> {
  await frame.scrollIntoViewIfNeeded();
  await target.waitFor();
  // Only where the element is visible: the click's own scrolling would use the layout's size, too.
  await target.evaluate((element) => element.scrollIntoView({ block: "nearest", inline: "nearest" }));
  const [outer, inner] = await Promise.all([
    frame.evaluate((element) => {
      const { x, y, width } = element.getBoundingClientRect();
      return { x, y, scale: element instanceof HTMLElement ? width / element.offsetWidth : 1 };
    }),
    target.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }),
  ]);
  await page.mouse.click(outer.x + inner.x * outer.scale, outer.y + inner.y * outer.scale);
}
