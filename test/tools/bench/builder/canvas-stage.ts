import type { Browser, Page } from "playwright-core";
import { benchToken } from "../service.ts";
import { openPage, type Stage, type View } from "./stage.ts";

/** The time in ms until distant cards are rendered sharply after a key, and a panel may open. */
const settleMs = 600;

/**
 * The builder's own canvas within the whole flow screen. Keys control this canvas, and the other stages copy its view.
 */
export type CanvasStage = Stage & {
  press(page: Page, keys: readonly string[]): Promise<void>;
  /**
   * Selects the first ten groups of the first five rows with a selection box. All of these groups are rendered during
   * the selection.
   */
  chooseFifty(page: Page): Promise<void>;
  view(page: Page, chosen: readonly string[]): Promise<View>;
};

export function canvasStage(browser: Browser, address: string): CanvasStage {
  const press = async (page: Page, keys: readonly string[]): Promise<void> => {
    await page.locator(".canvas").focus();
    for (const each of keys) await page.keyboard.press(each);
    await page.waitForTimeout(settleMs);
  };
  return {
    name: "Parley",
    ground: ".canvas",
    open: () =>
      openPage(browser, address, {
        shown: ".canvas-card",
        headers: { Authorization: `Bearer ${benchToken}` },
        view: "canvas",
      }),
    // Matches the factor in `canvas/input/wheel.ts`, which handles pinch gestures.
    pinchPixels: (power) => -power * 100,
    chooseAll: (page) => page.keyboard.press("Control+a"),
    chooseNone: (page) => press(page, ["Escape"]),
    press,
    async chooseFifty(page) {
      await press(page, ["Escape", "1"]);
      const { camera, left, top } = await lookAt(page);
      const at = ({ x, y }: Point) =>
        [left + (x - camera.x) * camera.zoom, top + (y - camera.y) * camera.zoom] as const;
      await page.keyboard.down("Shift");
      await page.mouse.move(...at({ x: -400, y: -100 }));
      await page.mouse.down();
      await page.mouse.move(...at({ x: 1_000, y: 500 }));
      await page.mouse.move(...at({ x: 2_980, y: 1_470 }));
      await page.mouse.up();
      await page.keyboard.up("Shift");
      await page.getByText("50 objects").waitFor();
    },
    async view(page, chosen) {
      const { camera, size } = await lookAt(page);
      return { camera, size, chosen };
    },
  };
}

type Point = { readonly x: number; readonly y: number };

function lookAt(page: Page) {
  return page.evaluate(() => {
    const [world, ground] = [document.querySelector(".canvas-world"), document.querySelector(".canvas")];
    if (!(world instanceof HTMLElement) || !ground) throw new Error("There is no canvas.");
    const [zoom = 1, x = 0, y = 0] = [...world.style.transform.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(Number);
    const { left, top, width, height } = ground.getBoundingClientRect();
    return { camera: { x: 0 - x, y: 0 - y, zoom }, size: { width, height }, left, top };
  });
}

/** The groups that `chooseFifty` selects: five rows of ten. */
export const fifty = Array.from({ length: 50 }, (_, index) => `g${50 * Math.floor(index / 10) + (index % 10)}`);
