import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { asks, flowOf, says } from "../../../support/chat.ts";
import { findBrowser } from "../../../support/find-browser.ts";
import type { Bench } from "../bench.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates } from "../print.ts";
import { measureLongChats } from "./long-chats.ts";

/** The slowdowns of the visitor's device and network. */
const conditions = [
  { name: "no throttling", isSlowNetwork: false, slowerBy: 1, hasSilentFont: false },
  { name: "processor ÷ 4", isSlowNetwork: false, slowerBy: 4, hasSilentFont: false },
  { name: "1.6 Mbit/s, 150 ms, processor ÷ 4", isSlowNetwork: true, slowerBy: 4, hasSilentFont: false },
  { name: "no throttling, the font's host silent", isSlowNetwork: false, slowerBy: 1, hasSilentFont: true },
] as const;
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/**
 * Measures the time until a new browser shows a chat with two bubbles and a field, and the cost of an answer in long
 * chats, in Chromium.
 */
export async function measureWeb(bench: Bench): Promise<void> {
  const path = findBrowser();
  if (path === undefined) return print("\nSkipped: there is no Chromium here.");
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const font = { type: "Custom", family: "House", url: `http://127.0.0.1:${silent.port}/house.css` };
  const chat = { name: "Chat", ...flowOf([says("Hello"), says("Your name?"), asks("text input")]) };
  const addressOf = async (flow: object) => `${bench.service.chatUrl}/${(await bench.publish(flow)).publicId}`;
  const plain = await addressOf(chat);
  const withSilentFont = await addressOf({ ...chat, theme: { general: { font } } });
  const { rounds } = bench.pace;
  const browser = await chromium.launch({ executablePath: path });
  try {
    await visit(browser, plain, conditions[0]);
    const visits = new Map<string, Visit[]>();
    for (let round = 0; round < rounds; round++) {
      for (const condition of conditions) {
        const address = condition.hasSilentFont ? withSilentFont : plain;
        visits.set(condition.name, [...(visits.get(condition.name) ?? []), await visit(browser, address, condition)]);
      }
    }
    printVisits(visits, rounds);
    await measureLongChats(bench, browser);
  } finally {
    await browser.close();
    silent.stop(true);
  }
}

function printVisits(visits: ReadonlyMap<string, readonly Visit[]>, rounds: number): void {
  printTable(
    ["ms from the start of the navigation", "first text readable", "page live", "chat started"],
    [...visits].map(([name, list]) => [name, ...times.map((time) => rates(list.map((one) => one[time])))]),
  );
  const all = [...visits.values()].flat();
  const middle = (pick: (one: Visit) => number) => median(all.map(pick));
  print(
    `\n${rounds} visits each, every one with an empty cache. The field can be filled in and sent from the first text on: until the page is live, its form is posted.`,
  );
  print(
    `Loaded: ${middle(({ bytes }) => bytes)} bytes in ${middle(({ requests }) => requests)} requests, headers and the chat's start included. Heap ${(middle(({ heapBytes }) => heapBytes) / 1e6).toFixed(1)} MB, ${middle(({ elements }) => elements)} elements.\n`,
  );
  const slowest = visits.get(conditions[2].name) ?? [];
  printTarget("first text readable on the slow network", {
    value: median(slowest.map(({ readable }) => readable)),
    most: 1_000,
    digits: 0,
    unit: " ms",
  });
}

const times = ["readable", "live", "started"] as const;

type Visit = Readonly<Record<(typeof times)[number], number>> & {
  readonly bytes: number;
  readonly requests: number;
  readonly heapBytes: number;
  readonly elements: number;
};

async function visit(browser: Browser, address: string, condition: (typeof conditions)[number]): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    if (condition.isSlowNetwork) await devtools.send("Network.emulateNetworkConditions", slowNetwork);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: condition.slowerBy });
    await page.addInitScript(noteWhenLive);
    const started = page.waitForResponse("**/startChat");
    await page.goto(address, { waitUntil: "commit" });
    await (await started).finished();
    await page.waitForFunction(() =>
      ["live", "first-contentful-paint"].every((name) => performance.getEntriesByName(name).length > 0),
    );
    return { ...(await timesOf(page)), heapBytes: await heapOf(devtools) };
  } finally {
    await context.close();
  }
}

/** Marks the time from which the page's script accepts input. */
function noteWhenLive(): void {
  const watch = new MutationObserver(() => {
    if (!document.body?.classList.contains("is-live")) return;
    performance.mark("live");
    watch.disconnect();
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
}

function timesOf(page: Page): Promise<Omit<Visit, "heapBytes">> {
  return page.evaluate(() => {
    const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].flatMap(
      (entry) => (entry instanceof PerformanceResourceTiming ? [entry] : []),
    );
    // The texts are part of the server's response, so the first paint shows them.
    const [painted] = performance.getEntriesByName("first-contentful-paint");
    const [live] = performance.getEntriesByName("live");
    return {
      readable: painted?.startTime ?? Number.NaN,
      live: live?.startTime ?? Number.NaN,
      started: loaded.find(({ name }) => name.endsWith("/startChat"))?.responseEnd ?? Number.NaN,
      bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: loaded.length,
      elements: document.querySelectorAll("body *").length,
    };
  });
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("Performance.enable");
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
}
