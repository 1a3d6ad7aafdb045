import { type Browser, chromium, type Page } from "playwright-core";
import { editingRound } from "../../../support/editing-round.ts";
import { findBrowser } from "../../../support/find-browser.ts";
import type { Bench } from "../bench.ts";
import { heapMegabytes } from "../builder/canvas.ts";
import { canvasStage } from "../builder/canvas-stage.ts";
import { metric } from "../builder/cost.ts";
import { flowOf, nameOf, type Shape } from "../builder/flows.ts";
import { openBuilder } from "../builder/open.ts";
import { slopeOf } from "../numbers.ts";
import { print, printTable, printTarget } from "../print.ts";

/** The flows, and the maximum memory after editing them in MB. */
const edited = [
  { shape: { groups: 1_880, blocks: 1 }, most: 80 },
  { shape: { groups: 1_880, blocks: 5 }, most: 160 },
] as const;
/** A trend requires at least this number of points. In a short run, the parts are shorter than a minute. */
const fewestParts = 4;

/** The memory of a tab after a part of the editing. Nodes and listeners are those of all documents, attached or not. */
type Held = { readonly rounds: number; readonly heap: number; readonly nodes: number; readonly listeners: number };

/**
 * Edits two flows at the same time, each in a separate tab, for the configured minutes. Checks whether the page's
 * memory remains constant.
 */
export async function measureEditing(bench: Bench): Promise<void> {
  const path = findBrowser();
  if (path === undefined) return print("No Chromium here: CHROMIUM_PATH may name one.");
  const browser = await chromium.launch({ executablePath: path, args: ["--disable-gpu"] });
  try {
    const builder = await openBuilder(bench);
    const measure = async ({ shape, most }: { shape: Shape; most: number }) => {
      const address = await builder.makeBot(nameOf(shape), flowOf(shape));
      return { shape, most, parts: await editFor(browser, address, bench.pace.minutes) };
    };
    const minutes = bench.pace.minutes;
    print(`Each for ${minutes} minutes, as an author does on the canvas; after a collection at the end of each part.`);
    for (const { shape, most, parts } of await Promise.all(edited.map(measure)))
      printHeld({ shape, most, parts, minutes });
  } finally {
    await browser.close();
  }
}

async function editFor(browser: Browser, address: string, minutes: number): Promise<Held[]> {
  const { page } = await canvasStage(browser, address).open();
  let round = 0;
  // Code that is loaded at its first use and compiled after a few runs does not count as growth.
  while (round < 2) await editingRound(page, round++);
  const parts: Held[] = [await heldBy(page, 0)];
  const count = Math.max(fewestParts, Math.round(minutes));
  for (let part = 0; part < count; part++) {
    const [first, until] = [round, performance.now() + (minutes * 60_000) / count];
    do await editingRound(page, round++);
    while (performance.now() < until);
    parts.push(await heldBy(page, round - first));
  }
  await page.context().close();
  return parts;
}

async function heldBy(page: Page, rounds: number): Promise<Held> {
  const heap = await heapMegabytes(page);
  return { rounds, heap, nodes: await metric(page, "Nodes"), listeners: await metric(page, "JSEventListeners") };
}

function printHeld({
  shape,
  most,
  parts,
  minutes,
}: {
  shape: Shape;
  most: number;
  parts: Held[];
  minutes: number;
}): void {
  const partMinutes = minutes / (parts.length - 1);
  printTable(
    [`${nameOf(shape)} blocks, minute`, "rounds of editing", "MB of heap", "nodes", "listeners"],
    parts.map(({ rounds, heap, nodes, listeners }, index) => [
      (index * partMinutes).toFixed(1),
      rounds,
      heap.toFixed(1),
      nodes,
      listeners,
    ]),
  );
  print("");
  const [heap, last] = [parts.map((part) => part.heap), parts.at(-1)?.heap ?? 0];
  printTarget(`heap at the end, ${nameOf(shape)} blocks`, { value: last, most, digits: 1, unit: " MB" });
  const { slope, error } = slopeOf(heap.slice(Math.floor(heap.length / 2)));
  print(`- heap in the second half: ${slope.toFixed(2)} ± ${error.toFixed(2)} MB a part`);
}
