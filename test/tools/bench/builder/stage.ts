import type { Browser, Page } from "playwright-core";
import { type Cost, count, mainThreadMs } from "./cost.ts";

/** The state of a page with a flow: its camera, the size of its ground, the chosen groups. */
export type View = {
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number };
  readonly size: { readonly width: number; readonly height: number };
  readonly chosen: readonly string[];
};

export type Opened = { readonly page: Page; readonly cost: Cost };

/** A page that shows flows, and its ways to do the common acts. */
export type Stage = {
  readonly name: string;
  /** The element that receives turns of the wheel. */
  readonly ground: string;
  /** Opens the flow; its cost is the time until its first cards are in view. */
  open(): Promise<Opened>;
  /** The distance of a pinch for a zoom by e to this power. */
  pinchPixels(power: number): number;
  chooseAll(page: Page): Promise<void>;
  chooseNone(page: Page): Promise<void>;
};

/** A stage that copies the view of another: both draw the same. */
export type Follower = Stage & { show(page: Page, view: View): Promise<void> };

/** Opens an address in a profile of its own, and waits for the element that shows the flow. */
export async function openPage(
  browser: Browser,
  address: string,
  { shown, headers = {}, view = "outline" }: { shown: string; headers?: Record<string, string>; view?: string },
): Promise<Opened> {
  // A key moves the camera at once, without an animation.
  const context = await browser.newContext({ extraHTTPHeaders: headers, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.addInitScript((kept) => localStorage.setItem("parley.flow-view", kept), view);
  await count(page);
  const begunAt = performance.now();
  await page.goto(address);
  await page.locator(shown).first().waitFor();
  const wall = performance.now() - begunAt;
  return { page, cost: { cpu: await mainThreadMs(page), wall } };
}
