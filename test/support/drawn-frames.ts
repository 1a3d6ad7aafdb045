import type { Locator, Page } from "playwright-core";

/**
 * Clicks an element in a scaled frame at its displayed position. In a full Chromium, where the frame has a separate
 * process, Playwright's own click ignores the scale and misses the element.
 */
export async function pressDrawn(page: Page, frame: Locator, target: Locator): Promise<void> {
  await frame.scrollIntoViewIfNeeded();
  await target.waitFor();
  // Scrolls the element into view first, because the click's own scrolling would ignore the scale as well.
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
