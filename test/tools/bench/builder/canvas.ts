import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { inTurns } from "../bench.ts";
import type { CanvasStage } from "./canvas-stage.ts";
import { type Cost, metric } from "./cost.ts";
import { countElements, type Measured, measureChoosing, measureFrames, type Playing, toFirst } from "./frames.ts";
import type { Follower } from "./stage.ts";

/** The time in ms until the findings of an opened flow are computed and rendering has settled. */
const settleMs = 2_500;

/**
 * The costs of a flow on each stage: opening, frames, and memory. Each list has one entry per stage, starting with the
 * leader.
 */
export type CanvasCosts = {
  readonly names: readonly string[];
  readonly opens: readonly (readonly Cost[])[];
  readonly frames: readonly Measured[];
  readonly counts: readonly Measured[];
};

export async function measureCanvas(
  leader: CanvasStage,
  followers: readonly Follower[],
  rounds: number,
): Promise<CanvasCosts> {
  const stages = [leader, ...followers];
  const opens = await inTurns(
    rounds,
    stages.map((stage) => async () => {
      const { page, cost } = await stage.open();
      await page.context().close();
      return cost;
    }),
  );
  const playing: Playing = {
    leader: { stage: leader, page: (await leader.open()).page },
    followers: await Promise.all(followers.map(async (stage) => ({ stage, page: (await stage.open()).page }))),
  };
  const pages = [playing.leader, ...playing.followers].map(({ page }) => page);
  await playing.leader.page.waitForTimeout(settleMs);
  const held = await ofEach("MB of JavaScript heap, right after", pages, heapMegabytes);
  const weighed = await ofEach("kB of script and style loaded, compressed", pages, weightKilobytes);
  const counts = [await countElements(playing, "elements on the page, near", toFirst)];
  const frames = await measureFrames(playing, rounds);
  frames.push(await measureChoosing(playing, rounds));
  counts.push(await countElements(playing, "elements on the page, far", ["1"]), held, weighed);
  for (const page of pages) await page.context().close();
  return { names: stages.map(({ name }) => name), opens, frames, counts };
}

async function ofEach(
  name: string,
  pages: readonly Page[],
  measure: (page: Page) => Promise<number>,
): Promise<Measured> {
  return { name, values: await Promise.all(pages.map(async (page) => [await measure(page)])) };
}

/** Returns the memory that remains after a garbage collection. */
export async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  // Objects that the first garbage collection frees may reference others, so the collection runs twice.
  for (let time = 0; time < 2; time++) await session.send("HeapProfiler.collectGarbage");
  await session.detach();
  return (await metric(page, "JSHeapUsedSize")) / 1_000_000;
}

/**
 * Returns the size of the scripts and style sheets that the page has loaded, excluding those of workers. The files are
 * measured as compressed for a release, because files served from source are compressed less.
 */
async function weightKilobytes(page: Page): Promise<number> {
  const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const files = [...new Set(addresses)].filter((address) => /(?<!\.worker-\w+)\.(js|css)$/.test(address));
  const sizes = files.map(async (address) => brotliCompressSync(await (await fetch(address)).bytes()).byteLength);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000;
}
