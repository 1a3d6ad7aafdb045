import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "../../../support/find-browser.ts";
import type { Bench } from "../bench.ts";
import { measureCanvas } from "../builder/canvas.ts";
import { canvasStage } from "../builder/canvas-stage.ts";
import { type Cost, count, mainThreadMs } from "../builder/cost.ts";
import { flowOf, nameOf, shapes } from "../builder/flows.ts";
import { openBuilder } from "../builder/open.ts";
import { measureOutline } from "../builder/outline.ts";
import { openReactFlow, packages, type ReactFlow } from "../builder/react-flow.ts";
import { type MeasuredShape, printCanvas, printOutline } from "../builder/tables.ts";
import { print } from "../print.ts";

/**
 * Measures the cost of the flow screen: the processor time of the page's main thread in Chromium without a GPU,
 * compared with a page without a flow (the sign-in page). With `--beside`, the canvas is compared with a library that
 * renders the same flows.
 */
export async function measureBuilder(bench: Bench): Promise<void> {
  const path = findBrowser();
  if (path === undefined) return print("No Chromium here: CHROMIUM_PATH may name one.");
  const reactFlow = bench.pace.beside && (await openReactFlow({ drawsAll: bench.pace.beside === "react-flow-all" }));
  const browser = await chromium.launch({ executablePath: path, args: ["--disable-gpu"] });
  try {
    await measureAll(bench, browser, reactFlow);
  } finally {
    await browser.close();
    await reactFlow?.close();
  }
}

async function measureAll(bench: Bench, browser: Browser, reactFlow: ReactFlow | undefined): Promise<void> {
  const { rounds } = bench.pace;
  const builder = await openBuilder(bench);
  const empty: Cost[] = [];
  for (let round = 0; round < rounds; round++) empty.push(await openEmpty(browser, builder.origin));
  const measured: MeasuredShape[] = [];
  for (const shape of shapes) {
    const address = await builder.makeBot(nameOf(shape), flowOf(shape));
    // The outline measurements also edit the flow, so the canvas uses a separate flow.
    const outline = await measureOutline(browser, address, rounds);
    const leader = canvasStage(browser, await builder.makeBot(`${nameOf(shape)}, canvas`, flowOf(shape)));
    const canvas = await measureCanvas(leader, reactFlow ? [reactFlow.stage(browser, shape)] : [], rounds);
    measured.push({ shape, outline, canvas });
    print(`${nameOf(shape)} blocks: measured.`);
  }
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  print(
    [`\nChromium ${browser.version()}, without GPU`, ...(reactFlow ? versions : []), `${rounds} rounds in turns.`].join(
      ", ",
    ),
  );
  print("Frames: median, and in brackets what 95 of 100 stay below; all else: median (least to most).");
  printOutline(measured, empty);
  for (const each of measured) printCanvas(each);
}

async function openEmpty(browser: Browser, builder: string): Promise<Cost> {
  const page = await browser.newPage();
  await count(page);
  const begunAt = performance.now();
  await page.goto(`${builder}/app/sign-in`);
  await page.locator("#main").waitFor();
  const cost = { cpu: await mainThreadMs(page), wall: performance.now() - begunAt };
  await page.close();
  return cost;
}
