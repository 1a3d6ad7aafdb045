import type { Browser, CDPSession, Page } from "playwright-core";
import { endless, openChat, say, talk } from "../../../support/long-chats.ts";
import type { Bench } from "../bench.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates } from "../print.ts";

/** The numbers of messages of the opened chats. */
const lengths = [10, 100, 1_000] as const;
const answers = 5;
const slowerBy = 4;

/** Measures the cost of an answer on the page, in chats of several lengths. */
export async function measureLongChats(bench: Bench, browser: Browser): Promise<void> {
  const { publicId } = await bench.publish({
    name: "Chat",
    settings: { typingEmulation: { enabled: false } },
    ...endless,
  });
  const { chatUrl: url } = bench.service;
  const chats = await Promise.all(
    lengths.map(async (messages) => ({ messages, chat: await talk(url, publicId, messages) })),
  );
  const found = new Map<number, Measured[]>();
  for (let round = 0; round < bench.pace.rounds; round++) {
    for (const { messages, chat } of chats) {
      const open = (page: Page) => openChat(page, `${url}/${publicId}`, chat, messages);
      found.set(messages, [...(found.get(messages) ?? []), await measure(browser, open)]);
    }
  }
  printTable(
    ["messages", "main thread, ms an answer", "longest interaction, ms, processor ÷ 4", "heap, MB", "nodes"],
    [...found].map(([messages, list]) => [
      messages,
      rates(list.map(({ taskMs }) => taskMs)),
      rates(list.map(({ longestMs }) => longestMs)),
      Math.max(...list.map(({ heapMb }) => heapMb)).toFixed(1),
      Math.max(...list.map(({ nodes }) => nodes)),
    ]),
  );
  const [shortest, , longest] = lengths.map((messages) => found.get(messages) ?? []);
  const taskMs = (list: readonly Measured[] = []) => median(list.map((one) => one.taskMs));
  const most = (name: keyof Measured) => Math.max(...(longest ?? []).map((one) => one[name]));
  print("");
  printTarget("an answer after 1,000 messages, to one after 10", {
    value: taskMs(longest) / taskMs(shortest),
    most: 1.2,
  });
  printTarget("longest interaction after 1,000 messages", {
    value: most("longestMs"),
    most: 200,
    digits: 0,
    unit: " ms",
  });
  printTarget("heap after 1,000 messages", { value: most("heapMb"), most: 25, digits: 1, unit: " MB" });
}

type Measured = Readonly<Record<"taskMs" | "longestMs" | "heapMb" | "nodes", number>>;

async function measure(browser: Browser, open: (page: Page) => Promise<void>): Promise<Measured> {
  // In a window with the size of a laptop screen, ten messages fill the height. Shorter chats do not scroll.
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "timeTicks" });
    await page.addInitScript(noteInteractions);
    await open(page);
    await give(page, "tea", 2);
    const before = await metricsOf(devtools);
    await give(page, "coffee", answers);
    const after = await metricsOf(devtools);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowerBy });
    await page.evaluate(() => Object.assign(window, { longest: 0 }));
    await give(page, "cocoa", 2);
    const longestMs: number = await page.evaluate(() => Reflect.get(window, "longest"));
    await devtools.send("HeapProfiler.collectGarbage");
    const end = await metricsOf(devtools);
    return {
      taskMs: ((after("TaskDuration") - before("TaskDuration")) * 1_000) / answers,
      longestMs,
      heapMb: end("JSHeapUsedSize") / 1e6,
      nodes: end("Nodes"),
    };
  } finally {
    await context.close();
  }
}

/** Sends answers, each after the effects of the previous answer have settled. */
async function give(page: Page, name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await say(page, `${name} ${index}`);
    await page.waitForTimeout(700);
  }
}

/** Records the longest time between pressing a key and painting its effect. */
function noteInteractions(): void {
  Object.assign(window, { longest: 0 });
  const interactions = { type: "event", buffered: true, durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      Object.assign(window, { longest: Math.max(Reflect.get(window, "longest"), duration) });
  }).observe(interactions);
}

async function metricsOf(devtools: CDPSession): Promise<(name: string) => number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
}
