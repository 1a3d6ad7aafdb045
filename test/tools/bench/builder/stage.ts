import type { Browser, Page } from "playwright-core";
import { type Cost, count, mainThreadMs } from "./cost.ts";

/** The state of a page with a flow: its camera, the size of its canvas, and the selected groups. */
export type View = {
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number };
  readonly size: { readonly width: number; readonly height: number };
  readonly chosen: readonly string[];
};

export type Opened = { readonly page: Page; readonly cost: Cost };

/** A page that shows flows, with implementations of the common actions. */
export type Stage = {
  readonly name: string;
  /** The selector of the element that receives wheel events. */
  readonly ground: string;
  /** Opens the flow. The cost is measured until the first cards are in view. */
  open(): Promise<Opened>;
  /** Returns the distance of a pinch that zooms by e to the power of `power`. */
  pinchPixels(power: number): number;
  chooseAll(page: Page): Promise<void>;
  chooseNone(page: Page): Promise<void>;
};

/** A stage that copies the view of another stage, so that both render the same content. */
export type Follower = Stage & { show(page: Page, view: View): Promise<void> };

/** Opens a URL in a separate profile, and waits for the element that shows the flow. */
export async function openPage(
  browser: Browser,
  address: string,
  { shown, headers = {}, view = "outline" }: { shown: string; headers?: Record<string, string>; view?: string },
): Promise<Opened> {
  // With reduced motion, a key moves the camera without an animation.
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
