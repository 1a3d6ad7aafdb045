import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Page, Route } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests, emptyPage, longBrowserTests } from "../../support/browser.ts";
import { editingRound } from "../../support/editing-round.ts";
import { countRenders, rendersSince } from "../../support/renders.ts";
import { waitFor } from "../../support/wait.ts";

// Counts the costs of the canvas instead of timing them: elements, renders, requests, and the page's memory.

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const viewport = { width: 1_440, height: 900 };

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

async function open(context: BrowserContext, groups: number): Promise<Page> {
  const { botId } = await host.publish(flowOf(groups));
  await host.signIn(context);
  const page = await emptyPage(context);
  await page.addInitScript(() => {
    // The frame of a preview is excluded, because it has no storage.
    if (window === window.top) localStorage.setItem("parley.flow-view", "canvas");
  });
  await page.goto(`${host.builder}/bots/${botId}`);
  await page.locator(".canvas-card").nth(2).waitFor();
  return page;
}

inBrowser(
  "a flow of ten thousand blocks renders at most 2,500 elements",
  async ({ context, problems }) => {
    // Findings and saves of the flow can arrive at any time, so they are delayed while renders are counted.
    const held: Route[] = [];
    const asked: string[] = [];
    await context.addInitScript(() => {
      Worker.prototype.postMessage = () => {};
    });
    await context.route(
      (url) => url.pathname.startsWith("/api/"),
      (route, request) => {
        asked.push(`${request.method()} ${new URL(request.url()).pathname.replaceAll(/\/[A-Za-z0-9]{20,}/g, "/:id")}`);
        return asked.at(-1)?.endsWith("/changes") ? void held.push(route) : route.continue();
      },
    );
    const page = await open(context, 2_000);
    await waitFor(() => opening.every((one) => asked.includes(one)), { what: "what is asked for at the opening" });

    const elements: number[] = [];
    await page.locator(".canvas").focus();
    for (const key of ["1", ..."+++++++++++"]) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      elements.push(await page.locator("*").count());
    }
    expect(Math.max(...elements)).toBeLessThanOrEqual(2_500);

    for (const key of ["Home", "ArrowDown", "2"]) await page.keyboard.press(key);
    // Parts that are loaded at first use have been loaded by now.
    await page.locator(".act-bar").waitFor();
    await countRenders(page);
    await rendersSince(page, {});
    await pan(page, 1);
    expect(await rendersSince(page, {})).toEqual({ in: {}, elsewhere: [] });
    await pan(page, 60);
    const crossing = await rendersSince(page, { cards: ".canvas-cards", edges: ".canvas-edges" });
    // When the view crosses a border, the lists of cards and of edges are rendered, but no card that stays in the list.
    expect(crossing.elsewhere).toEqual([]);
    expect(crossing.in.cards).toBeWithin(1, 21);
    expect(crossing.in.edges).toBeWithin(1, 21);

    await page.getByRole("button", { name: "Block", exact: true }).click();
    const title = page.locator("[data-panel-body]").getByLabel("Title of the group");
    await title.press("End");
    await rendersSince(page, {});
    await countRenders(page);
    // The first letter also enables undo, and changes the saving state.
    await title.press("a");
    await rendersSince(page, {});
    await title.press("b");
    const key = await rendersSince(page, { form: "[data-panel-body]", card: "#card-g0", source: "#card-start" });
    expect(key.elsewhere).toEqual([]);
    expect(key.in.card).toBeWithin(1, 12);
    // The name of a card includes its target, so the source card is rendered once.
    expect(key.in.source).toBe(1);
    expect(key.in.form).toBeWithin(1, 40);
    // No request was repeated, and all typed letters are one request. The focus is reported only when it moves to
    // another element.
    await waitFor(() => held.length > 0, { what: "the edit to be sent" });
    const once = asked.filter((one) => !one.endsWith("/presence"));
    expect(once.toSorted()).toEqual([...opening, "POST /api/v1/bots/:id/changes"].toSorted());
    expect(held[0]?.request().postData()?.length).toBeLessThan(2_000);
    expect(problems).toEqual([]);
  },
  { viewport, reducedMotion: "reduce" },
);

inLongRun(
  "panels that an author opens and closes leave no node or listener, and the flow is not requested again",
  async ({ context, problems }) => {
    const page = await open(context, 20);
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    const askedAgain: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "GET" && /\/block-types$|\/bots\/[^/]+$/.test(request.url()))
        askedAgain.push(request.url());
    });
    const holds = async () => {
      for (let time = 0; time < 2; time++) await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      const counted = ["Nodes", "JSEventListeners", "Documents"];
      return metrics.filter(({ name }) => counted.includes(name));
    };
    // Code that is loaded at its first use stays in memory.
    await editingRound(page, 0);
    await editingRound(page, 0);
    const before = await holds();
    await editingRound(page, 0);

    // The document of a closed preview may stay until its last task has run.
    const isMore = async () => (await holds()).some(({ value }, index) => value > (before[index]?.value ?? 0));
    await waitFor(async () => !(await isMore()), { what: "no more nodes and listeners than before" });
    expect(askedAgain).toEqual([]);
    expect(problems).toEqual([]);
  },
  { viewport, reducedMotion: "reduce" },
);

/** All requests when a flow is opened, except reports of the user's position. */
const opening = [
  "GET /api/v1/block-types",
  "GET /api/v1/bots/:id",
  "GET /api/v1/bots/:id/canary",
  "GET /api/v1/bots/:id/comments",
  "GET /api/v1/bots/:id/compare",
  "GET /api/v1/bots/:id/live",
  "GET /api/v1/users/me",
  "POST /api/v1/bots/:id/lint",
];

/** Turns the wheel back and forth, once in each frame, as fingers on a trackpad do. */
async function pan(page: Page, by: number): Promise<void> {
  await page.evaluate(async (deltaX) => {
    for (let step = 0; step < 20; step++) {
      const wheel = { deltaX: step < 10 ? deltaX : -deltaX, deltaY: 0.5, cancelable: true };
      document.querySelector(".canvas")?.dispatchEvent(new WheelEvent("wheel", wheel));
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, by);
}

/**
 * Returns a flow of groups with five blocks each, in rows of fifty. Each group is connected to the next. A preview
 * waits in the first group.
 */
function flowOf(groups: number) {
  const text = (words: string) => ({
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: words }] }] },
  });
  const list = Array.from({ length: groups }, (_, group) => ({
    id: `g${group}`,
    title: `Group ${group}`,
    graphCoordinates: { x: 300 * (group % 50), y: 300 * Math.floor(group / 50) },
    blocks: Array.from({ length: 5 }, (__, block) => ({
      id: `b${group}-${block}`,
      ...(group === 0 && block === 1 ? { type: "text input" } : text(`Text ${block} of ${group}`)),
      ...(block === 4 && group < groups - 1 && { outgoingEdgeId: `e${group + 1}` }),
    })),
  }));
  const edges = list.map(({ id }, group) => ({
    id: `e${group}`,
    from: group === 0 ? { eventId: "start" } : { blockId: `b${group - 1}-4` },
    to: { groupId: id },
  }));
  const events = [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: -200, y: -200 } }];
  return { version: "6.1", groups: list, edges, events, variables: [] };
}
