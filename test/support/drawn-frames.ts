import type { Locator, Page } from "playwright-core";

/**
 * Presses something in a frame that is drawn smaller than it is laid out, where it is drawn. Playwright's own click
 * adds the place in the frame to that of the frame as if it were not scaled when the frame has a process of its own (a
 * full Chromium gives it one, the headless shell does not), and misses.
 */
export async function pressDrawn(page: Page, frame: Locator, target: Locator): Promise<void> {
  await frame.scrollIntoViewIfNeeded();
  await target.waitFor();
  // Only where it is pressed: what is brought into view by the click itself would be counted by the layout's size, too.
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
