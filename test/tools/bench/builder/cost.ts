import type { CDPSession, Page } from "playwright-core";
import { median } from "../numbers.ts";

/** Milliseconds: of the processor time of the page's main thread, and of the wall clock. */
export type Cost = { readonly cpu: number; readonly wall: number };

const sessions = new WeakMap<Page, CDPSession>();

/** Begins to count the work of the page's main thread. */
export async function count(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  // Processor time: other work of the machine is not counted.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  sessions.set(page, session);
  return session;
}

/** One of Chromium's own counters of a page: `TaskDuration`, `JSHeapUsedSize`, `Nodes` … */
export async function metric(page: Page, wanted: string): Promise<number> {
  const session = sessions.get(page) ?? (await count(page));
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted)?.value ?? 0;
}

/** The work of the page's main thread since `count`. */
export async function mainThreadMs(page: Page): Promise<number> {
  return 1_000 * (await metric(page, "TaskDuration"));
}

/** Measures an act, until the frame after it is painted. */
export async function costOf(page: Page, act: () => Promise<void>): Promise<Cost> {
  const [cpu, begunAt] = [await mainThreadMs(page), performance.now()];
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return { cpu: (await mainThreadMs(page)) - cpu, wall: performance.now() - begunAt };
}

/** The median, the minimum and the maximum. */
export function spread(values: readonly number[]): string {
  return `${short(median(values))} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;
}

/** The median and the 95th percentile. */
export function medianAndMost(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${short(median(values))} (${short(sorted[Math.ceil((sorted.length - 1) * 0.95)] ?? 0)})`;
}

/** From a hundred on, tenths are meaningless. */
export function short(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
