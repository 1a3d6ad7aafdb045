import type { CDPSession, Page } from "playwright-core";
import { median } from "../numbers.ts";

/** Milliseconds of the main thread's processor time, and of the wall clock. */
export type Cost = { readonly cpu: number; readonly wall: number };

const sessions = new WeakMap<Page, CDPSession>();

/** Starts counting the work of the page's main thread. */
export async function count(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  // Counts processor time, so that other work of the machine is excluded.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  sessions.set(page, session);
  return session;
}

/** Returns one of Chromium's counters of a page: `TaskDuration`, `JSHeapUsedSize`, `Nodes` … */
export async function metric(page: Page, wanted: string): Promise<number> {
  const session = sessions.get(page) ?? (await count(page));
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted)?.value ?? 0;
}

/** Returns the work of the page's main thread since `count` was called. */
export async function mainThreadMs(page: Page): Promise<number> {
  return 1_000 * (await metric(page, "TaskDuration"));
}

/** Measures an action until the following frame is painted. */
export async function costOf(page: Page, act: () => Promise<void>): Promise<Cost> {
  const [cpu, begunAt] = [await mainThreadMs(page), performance.now()];
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return { cpu: (await mainThreadMs(page)) - cpu, wall: performance.now() - begunAt };
}

/** Formats the median, the minimum and the maximum. */
export function spread(values: readonly number[]): string {
  return `${short(median(values))} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;
}

/** Formats the median and the 95th percentile. */
export function medianAndMost(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${short(median(values))} (${short(sorted[Math.ceil((sorted.length - 1) * 0.95)] ?? 0)})`;
}

/** Formats a number. Values from a hundred have no decimals. */
export function short(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
