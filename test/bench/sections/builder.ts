import { type Browser, type CDPSession, chromium, type Locator, type Page } from "playwright-core";
import { findBrowser } from "../../support/find-browser.ts";
import type { Bench } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import { print, printTable } from "../print.ts";
import { benchToken } from "../service.ts";
import { measureFrames } from "./builder-canvas.ts";

const rounds = 5;
/** A key takes so little that more of them cost nothing. */
const keys = 25;
/** After the flow is open, its findings are read and what is drawn last settles. */
const settleMs = 2_500;
/** Groups and blocks in each, with room for what is pasted. */
const shapes = [
  { groups: 400, blocks: 5 },
  { groups: 1_880, blocks: 1 },
  { groups: 1_880, blocks: 5 },
] as const;

/**
 * What the flow screen costs its author: processor time of the page's main thread in Chromium without a GPU, beside that of the same page without a
 * flow (the sign-in).
 */
export async function measureBuilder({ service, publish }: Bench): Promise<void> {
  const path = findBrowser();
  if (path === undefined) return print("No Chromium here: CHROMIUM_PATH may name one.");
  const browser = await chromium.launch({ executablePath: path, args: ["--disable-gpu"] });
  try {
    const call = caller(service.url);
    const { workspaceId } = await publish(askQuestions());
    const { instance } = await call("GET", "/api/v1/instance");
    const builder = new URL(instance.addresses.app ?? service.url).origin;
    const lines: string[][] = [await measured("an empty page", () => openEmpty(browser, builder))];
    for (const shape of shapes) {
      const name = `${shape.groups.toLocaleString("en")} × ${shape.blocks}`;
      const { bot } = await call("POST", "/api/v1/bots", { workspaceId, bot: { name, ...flowOf(shape) } });
      lines.push(...(await measureFlow(browser, { builder, botId: bot.id, name })));
      lines.push(...(await measureCanvas(browser, { builder, botId: bot.id, name: `${name}, canvas` })));
    }
    print(`\nChromium ${browser.version()}, without GPU; ${rounds} rounds: median (least to most).`);
    printTable(["what", "processor ms", "wall ms"], lines);
  } finally {
    await browser.close();
  }
}

type Cost = { readonly cpu: number; readonly wall: number };

async function measureFlow(
  browser: Browser,
  { builder, botId, name }: { builder: string; botId: string; name: string },
): Promise<string[][]> {
  const lines = [
    await measured(`${name}: open`, async () => {
      const { page, cost } = await open(browser, `${builder}/app/bots/${botId}`);
      await page.context().close();
      return cost;
    }),
  ];
  const { page } = await open(browser, `${builder}/app/bots/${botId}?at=g7`);
  const title = page.getByLabel("Title of the group");
  await title.waitFor();
  lines.push(await measuredTyping(page, title, `${name}: a keystroke in a form until painted`));
  lines.push(
    await measured(`${name}: undo`, async () => {
      await page.keyboard.press("y");
      await page.waitForTimeout(1_100);
      return costOf(page, () => page.keyboard.press("Control+z"));
    }),
  );
  lines.push(...(await measureFinding(page, name)));
  await page.locator('[data-key="group:g7"]').focus();
  const parts = JSON.stringify({
    kind: "parley.flow-parts",
    groups: flowOf({ groups: 20, blocks: 5 }).groups,
    blocks: [],
    items: [],
    edges: [],
    variables: [],
  });
  lines.push(
    await measured(`${name}: paste 100 blocks`, () =>
      costOf(page, () =>
        page.evaluate((text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          document.activeElement?.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
          );
        }, parts),
      ),
    ),
  );
  await page.context().close();
  const { page: other } = await open(browser, `${builder}/app/bots/${botId}?at=b8-0`);
  const text = other.getByRole("textbox", { name: "Text", exact: true });
  await text.waitFor();
  lines.push(await measuredTyping(other, text, `${name}: a keystroke in a text until painted`));
  await other.context().close();
  return lines;
}

/** Found as one types, on the page itself; and findings, of which the processor's time is that of the worker. */
async function measureFinding(page: Page, name: string): Promise<string[][]> {
  const lines = [
    await measured(`${name}: findings after an edit (worker)`, async () => {
      await page.locator('[data-key="group:g7"]').focus();
      const cost = await findingsAfter(page, () => page.keyboard.press("Delete"));
      await findingsAfter(page, () => page.keyboard.press("Control+z"));
      return cost;
    }),
  ];
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.type("what is sai");
  lines.push(
    await measured(`${name}: find as one types`, async () => {
      await page.keyboard.press("Backspace");
      return costOf(page, () => page.keyboard.press("i"));
    }),
  );
  await page.keyboard.press("Escape");
  return lines;
}

/** Until the page shows what its worker has read; `cpu` is what that took. */
async function findingsAfter(page: Page, act: () => Promise<void>): Promise<Cost> {
  const known = () => page.evaluate(() => performance.getEntriesByName("findings").map(({ duration }) => duration));
  const before = (await known()).length;
  const begunAt = performance.now();
  await act();
  await page.waitForFunction((count) => performance.getEntriesByName("findings").length > count, before);
  const wall = performance.now() - begunAt;
  return { cpu: (await known()).at(-1) ?? 0, wall };
}

async function measuredTyping(page: Page, field: Locator, name: string): Promise<string[]> {
  await field.press("End");
  await page.waitForTimeout(settleMs);
  return measured(name, () => costOf(page, () => page.keyboard.press("x")), keys);
}

async function measureCanvas(
  browser: Browser,
  { builder, botId, name }: { builder: string; botId: string; name: string },
): Promise<string[][]> {
  const address = `${builder}/app/bots/${botId}`;
  const opened = await measured(`${name}: open`, async () => {
    const { page, cost } = await open(browser, address, "canvas");
    await page.context().close();
    return cost;
  });
  const { page } = await open(browser, address, "canvas");
  await page.waitForTimeout(settleMs);
  const frames = await measureFrames(page, name, costOf);
  await page.context().close();
  return [opened, ...frames];
}

async function open(
  browser: Browser,
  address: string,
  shown: "outline" | "canvas" = "outline",
): Promise<{ page: Page; cost: Cost }> {
  const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${benchToken}` } });
  const page = await context.newPage();
  await page.addInitScript((view) => localStorage.setItem("parley.flow-view", view), shown);
  await count(page);
  const begunAt = performance.now();
  await page.goto(address);
  await page
    .locator(shown === "outline" ? ".outline-row" : ".canvas-card")
    .first()
    .waitFor();
  const wall = performance.now() - begunAt;
  return { page, cost: { cpu: await mainThreadMs(page), wall } };
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

/** Of an act, until the frame after it is painted. */
async function costOf(page: Page, act: () => Promise<void>): Promise<Cost> {
  const [cpu, begunAt] = [await mainThreadMs(page), performance.now()];
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return { cpu: (await mainThreadMs(page)) - cpu, wall: performance.now() - begunAt };
}

const sessions = new WeakMap<Page, CDPSession>();

/** What the page's main thread has worked since `count`, as Chromium's own counters have it. */
async function mainThreadMs(page: Page): Promise<number> {
  const session = sessions.get(page) ?? (await count(page));
  const { metrics } = await session.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}

async function count(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  // Time of the processor: what others do on the machine meanwhile is not counted.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  sessions.set(page, session);
  return session;
}

async function measured(name: string, measure: () => Promise<Cost>, times = rounds): Promise<string[]> {
  const costs: Cost[] = [];
  for (let round = 0; round < times; round++) costs.push(await measure());
  return [name, spread(costs.map(({ cpu }) => cpu)), spread(costs.map(({ wall }) => wall))];
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b).map((value) => value.toFixed(1));
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`;
}

function flowOf({ groups, blocks }: { readonly groups: number; readonly blocks: number }) {
  const list = Array.from({ length: groups }, (_, group) => ({
    id: `g${group}`,
    title: `Group ${group}`,
    graphCoordinates: { x: 300 * (group % 50), y: 300 * Math.floor(group / 50) },
    blocks: Array.from({ length: blocks }, (__, block) => ({
      id: `b${group}-${block}`,
      type: "text",
      content: { richText: [{ type: "p", children: [{ text: `What is said in ${group}, ${block}` }] }] },
      ...(block === blocks - 1 && group < groups - 1 && { outgoingEdgeId: `e${group + 1}` }),
    })),
  }));
  const edges = list.map(({ id }, group) => ({
    id: `e${group}`,
    from: group === 0 ? { eventId: "start" } : { blockId: `b${group - 1}-${blocks - 1}` },
    to: { groupId: id },
  }));
  const events = [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: 0, y: 0 } }];
  return { version: "6.1", groups: list, edges, events, variables: [] };
}

function caller(url: string) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${benchToken}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
}
