import type { Page } from "playwright-core";

/** What measures an act, as milliseconds of the page's main thread until the frame after it is painted. */
export type Costing = (page: Page, act: () => Promise<void>) => Promise<{ readonly cpu: number }>;

const frames = 40;

/** The frames of the canvas, near and far: what panning, zooming and dragging cost each, beside a frame in which nothing happens. */
export async function measureFrames(page: Page, name: string, costOf: Costing): Promise<string[][]> {
  const lines: string[][] = [];
  const measure = async (what: string, act: (frame: number) => Promise<void>): Promise<void> => {
    const costs: number[] = [];
    for (let frame = 0; frame < frames; frame++) costs.push((await costOf(page, () => act(frame))).cpu);
    lines.push([`${name}: ${what}`, medianAndMost(costs), ""]);
  };
  const key = async (...keys: readonly string[]): Promise<void> => {
    await page.locator(".canvas").focus();
    for (const each of keys) await page.keyboard.press(each);
    await page.waitForTimeout(600);
  };

  await key("0");
  await measure("a frame in which nothing happens", () => turn(page, undefined));
  await measure("a frame of panning, near", () => turn(page, { deltaX: 20, deltaY: 12 }));
  await key("Home", "0");
  await measure("a frame of zooming, near", (frame) => turn(page, { deltaY: frame % 40 < 20 ? 4 : -4, ctrlKey: true }));
  await key("Home", "0");
  await drag(page, () => measure("a frame of dragging one group, near", (frame) => step(page, frame)));
  await key("1");
  await measure("a frame of panning, far", () => turn(page, { deltaX: 10, deltaY: 6 }));
  await measure("a frame of zooming, far", (frame) => turn(page, { deltaY: frame % 40 < 20 ? 4 : -4, ctrlKey: true }));
  await key("Home", "0", "-", "-", "-", "-");
  await chooseFifty(page);
  await drag(page, () => measure("a frame of dragging fifty groups, near", (frame) => step(page, frame)));
  await key("Home", "0", ...Array.from({ length: 8 }, () => "-"));
  await chooseFifty(page);
  await drag(page, () => measure("a frame of dragging fifty groups, far", (frame) => step(page, frame)));
  return lines;
}

/** A turn of the wheel, as fingers make it; nothing where there is none. */
function turn(page: Page, wheel: { deltaX?: number; deltaY?: number; ctrlKey?: boolean } | undefined): Promise<void> {
  return page.evaluate((init) => {
    const canvas = document.querySelector(".canvas");
    if (!init || !canvas) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2 };
    canvas.dispatchEvent(new WheelEvent("wheel", { ...init, ...at, cancelable: true, bubbles: true }));
  }, wheel);
}

const corner = { x: 300, y: 300 };

/** Presses the pointer on the card that is next to the corner, and lets go after what is done meanwhile. */
async function drag(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const at = await page.evaluate(({ x, y }) => {
    const near = (card: Element): number => {
      const box = card.getBoundingClientRect();
      return box.x > 60 && box.y > 120 ? Math.hypot(box.x - x, box.y - y) : Number.POSITIVE_INFINITY;
    };
    const cards = [...document.querySelectorAll(".canvas-card.is-group")].sort((a, b) => near(a) - near(b));
    const box = cards[0]?.getBoundingClientRect();
    return box ? { x: box.x + box.width / 2, y: box.y + Math.min(12, box.height / 3) } : { x, y };
  }, corner);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 5, at.y + 5);
  Object.assign(corner, at);
  await meanwhile();
  await page.keyboard.press("Escape");
  await page.mouse.up();
}

function step(page: Page, frame: number): Promise<void> {
  return page.mouse.move(corner.x + 10 + (frame % 20) * 6, corner.y + 10 + (frame % 15) * 4);
}

/** Chooses the first group and what follows, by its keys, until fifty are chosen. */
async function chooseFifty(page: Page): Promise<void> {
  await page.locator(".canvas").focus();
  await page.keyboard.press("ArrowDown");
  for (let row = 0; row < 5; row++) {
    const [across, back] = row % 2 === 0 ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    if (back === undefined || across === undefined) continue;
    for (let count = 0; count < 9; count++) await page.keyboard.press(`Shift+${across}`);
    await page.keyboard.press("Shift+ArrowDown");
  }
  await page.waitForTimeout(600);
}

function medianAndMost(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `${at(0.5)} (95 %: ${at(0.95)}, most ${at(1)})`;
}
