import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import type { Change } from "../../../src/core/editing/changes/change.ts";
import { diff } from "../../../src/core/editing/changes/diff.ts";
import { isSame } from "../../../src/core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/interpreter/flow.ts";
import { asDraft } from "../../../src/web/app/editor/working-copy/replica.ts";
import type { TestUser } from "../../support/api.ts";
import { browserTests, emptyPage, longBrowserTests } from "../../support/browser.ts";
import { isLong } from "../../support/campaigns.ts";
import { type FlowHost, openFlowHost, saved } from "../../support/flow-page.ts";
import { storedFlowFiles } from "../../support/stored-flows.ts";
import { waitFor } from "../../support/wait.ts";

/*
 * Imports, views, edits and tidies flows in the builder, as their authors made them. With `PARLEY_FLOWS`, the flows of
 * that folder and of the repository are edited in every way. Otherwise, a few flows are edited in two ways.
 */

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
/** Large enough that the whole flow is rendered as elements. */
const wide = { viewport: { width: 3_600, height: 1_700 }, reducedMotion: "reduce" } as const;

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(() => host.close());

type Thing = JsonObject & { readonly id: string };
type Exported = JsonObject & { readonly groups: readonly Thing[]; readonly events: readonly Thing[] };

const exported = async (botId: string): Promise<Exported> => {
  const { groups, events, ...flow } = Object(await host.call(ada, "GET", `/api/v1/bots/${botId}/export`));
  return { ...flow, groups, events, updatedAt: "" };
};

async function openByFile(context: BrowserContext, flow: JsonObject): Promise<{ page: Page; botId: string }> {
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${ada.token}` });
  const page = await emptyPage(context);
  await page.addInitScript(() => localStorage.setItem("parley.flow-view", "canvas"));
  await page.goto(`${host.origin}/app/w/${workspaceId}`);
  await page
    .getByRole("button", { name: "Import" })
    .or(page.getByRole("button", { name: "New bot" }))
    .first()
    .click();
  const tab = page.getByRole("tab", { name: "Import" });
  await tab.or(page.locator('input[type="file"]')).first().waitFor();
  if ((await tab.count()) > 0) await tab.click();
  const file = { name: "flow.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(flow)) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole("button", { name: "Create bot" }).click();
  await page.waitForURL(/\/bots\//);
  await page.locator(".canvas-card").first().waitFor();
  return { page, botId: page.url().replace(/^.*\/bots\//, "") };
}

type Rectangle = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Returns the positions of the rendered cards in the coordinates of the flow. */
const cardsOn = (page: Page): Promise<readonly Rectangle[]> =>
  page.locator(".canvas-card").evaluateAll((cards) =>
    cards.map((card) => {
      const { left, top, width, height } = card instanceof HTMLElement ? card.style : new CSSStyleDeclaration();
      const [x = 0, y = 0, w = 0, h = 0] = [left, top, width, height].map(Number.parseFloat);
      return { id: card.id.replace("card-", ""), x, y, width: w, height: h };
    }),
  );

/** Returns lines that cross the title of a card at which they neither begin nor end. */
const linesOverTitles = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll<HTMLElement>(".canvas-card")].map(({ id, style }) => ({
      id,
      x: Number.parseFloat(style.left),
      y: Number.parseFloat(style.top),
      width: Number.parseFloat(style.width),
    }));
    return [...document.querySelectorAll<SVGPathElement>("path.canvas-edge")].flatMap((path) => {
      const points = Array.from({ length: 101 }, (_, at) => path.getPointAtLength((path.getTotalLength() * at) / 100));
      const [start, end] = [points[0], points.at(-1)];
      const isEnd = (card: { x: number; width: number }) =>
        Math.abs((start?.x ?? 0) - card.x - card.width) < 2 || Math.abs((end?.x ?? 0) - card.x) < 8;
      return cards
        .filter((card) => !isEnd(card))
        .filter(({ x, y, width }) => points.some((at) => at.x > x && at.x < x + width && at.y > y && at.y < y + 40))
        .map(({ id }) => `a line over ${id}`);
    });
  });

const overlapping = (cards: readonly Rectangle[]): readonly string[] =>
  cards.flatMap((one, index) =>
    cards
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.id} on ${other.id}`),
  );

const blocksOf = ({ blocks }: JsonObject): readonly Thing[] =>
  (Array.isArray(blocks) ? blocks : []).filter((block): block is Thing => isJsonObject(block));

/** Makes one edit after the other, checks each in the export, and undoes it. */
async function editEachWay(page: Page, botId: string): Promise<readonly string[]> {
  const before = await exported(botId);
  const groups = before.groups.filter((group) => blocksOf(group).length > 0);
  const done: string[] = [];
  /**
   * Selects an element before the edit, because a press soon after another press would open the text below the pointer.
   */
  const choose = async (name: string, selector: string) => {
    if (!ways.includes(name)) return;
    await onCanvas();
    await press("1");
    await page.locator(selector).click();
  };
  const title = (id: string) => `[id="card-${id}"] .canvas-title`;
  const onCanvas = () => page.locator(".canvas").focus();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const edit = async (name: string, act: () => Promise<void>, isMeant: (change: Change) => boolean) => {
    if (!ways.includes(name)) return;
    const acts = page.waitForResponse((response) => response.url().endsWith("/changes") && response.ok());
    await act();
    await acts;
    await saved(page);
    const changes = diff(asDraft(before), asDraft(await exported(botId)));
    expect(
      changes.filter((change) => !isMeant(change)),
      name,
    ).toEqual([]);
    expect(changes.length, name).toBeGreaterThan(0);
    await onCanvas();
    await press("Control+z");
    await waitFor(async () => isSame(await exported(botId), before), { what: `${name} to be taken back` });
    await saved(page);
    await press("Escape", "Escape", "Escape");
    done.push(name);
  };
  const isOf = (change: Change, of: string, id: string | undefined) =>
    change.of === of && "id" in change && change.id === id;

  const [first = { id: "" }] = groups;
  await choose("move", title(first.id));
  await onCanvas();
  await edit(
    "move",
    () => press("Alt+ArrowRight"),
    (change) => isOf(change, "group", first.id) && change.op === "set" && change.path[0] === "graphCoordinates",
  );
  const bubble = groups.flatMap(blocksOf).find(({ type }) => type === "text");
  await choose("text", `[id^="card-row-${bubble?.id}-"]`);
  await edit(
    "text",
    async () => {
      await page.locator("[data-panel-body] [contenteditable=true]").first().click();
      await press("Control+End");
      await page.keyboard.insertText(" More");
    },
    (change) => isOf(change, "block", bubble?.id) && change.op === "set" && change.path[0] === "content",
  );
  await choose("rename", title(first.id));
  await edit(
    "rename",
    async () => {
      await onCanvas();
      await press("F2");
      await page.waitForFunction(() => document.activeElement?.matches(".acting input"));
      await press("Control+a");
      await page.keyboard.insertText("Another name");
      await press("Enter");
    },
    (change) => isOf(change, "group", first.id) && change.op === "set" && change.path[0] === "title",
  );
  const last = groups.find((group) => !blocksOf(group).at(-1)?.["outgoingEdgeId"]) ?? first;
  await choose("add", title(last.id));
  await edit(
    "add",
    async () => {
      await onCanvas();
      await press("a");
      await page.getByRole("combobox").last().waitFor();
      await page.keyboard.type("Wait");
      await press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
    },
    (change) => change.op === "add" && change.of === "block" && change.in === last.id,
  );
  const lines = page.locator("path.canvas-edge");
  await edit(
    "delete an edge",
    async () => {
      const spots = await lines.evaluateAll((paths) =>
        paths.flatMap((path) => {
          if (!(path instanceof SVGPathElement)) return [];
          const length = path.getTotalLength() - 12;
          const at = path.getPointAtLength(length / 2);
          const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(path.getScreenCTM() ?? undefined);
          return [{ x, y }];
        }),
      );
      for (const { x, y } of spots) {
        await page.mouse.click(x, y);
        if ((await page.locator(".canvas-edge.is-chosen").count()) > 0) break;
        await press("Escape");
      }
      await press("Delete");
    },
    (change) =>
      (change.op === "remove" && change.of === "edge") ||
      (change.op === "set" && change.path.at(-1) === "outgoingEdgeId" && change.value === undefined),
  );
  const start = before.events.find(({ type }) => type === "start") ?? { id: "" };
  const [led = ""] = diff(asDraft({ ...before, edges: [] }), asDraft(before)).flatMap((change) =>
    change.op === "add" && change.value["id"] === start["outgoingEdgeId"] ? [JSON.stringify(change.value)] : [],
  );
  const other = groups.findLast(({ id, title: name }) => typeof name === "string" && name !== "" && !led.includes(id));
  if (!other) return done;
  // A card may cover the start, so the test selects the start by keys.
  await onCanvas();
  await press("Home");
  await edit(
    "connect",
    async () => {
      await onCanvas();
      await press("c");
      await page.getByRole("combobox").last().waitFor();
      await page.keyboard.type(String(other["title"]));
      await press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
    },
    (change) => change.of === "edge" || isOf(change, "event", start.id),
  );
  return done;
}

const isWhole = process.env["PARLEY_FLOWS"] !== undefined;
const all = storedFlowFiles().filter(
  ({ name }) => isWhole || (isLong ? ["quiz.json", "customer-support.json"] : ["quiz.json"]).includes(name),
);
/** Without `PARLEY_FLOWS`, only two kinds of edits are made, because each edit is saved twice, which takes time. */
const ways = isWhole ? ["move", "text", "rename", "add", "delete an edge", "connect"] : ["move", "delete an edge"];

for (const { name, flow } of all)
  inBrowser(
    `${name} opens at its stored position without a write, an edit changes only its element, and tidying leaves no overlap`,
    async ({ context, problems }) => {
      const { page, botId } = await openByFile(context, flow);
      const sent: string[] = [];
      page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
      const before = await exported(botId);
      await page.locator(".canvas").focus();
      await page.keyboard.press("1");
      await waitFor(
        async () => (await page.locator(".canvas-card").count()) === before.groups.length + before.events.length,
        {
          what: `all cards of ${name}`,
        },
      );
      const cards = new Map((await cardsOn(page)).map((card) => [card.id, card]));
      for (const { id, graphCoordinates: at } of [...before.groups, ...before.events]) {
        const card = cards.get(id);
        const stored = isJsonObject(at) ? at : {};
        expect(card?.x, `${name} ${id}`).toBeCloseTo(Number(stored["x"] ?? 0), 1);
        expect(card?.y, `${name} ${id}`).toBeCloseTo(Number(stored["y"] ?? 0), 1);
      }
      expect(sent.filter((url) => url.endsWith("/changes"))).toEqual([]);
      expect(await exported(botId)).toEqual(before);

      const done = await editEachWay(page, botId);
      // With only one group, no edge can lead to another group.
      expect(done).toEqual(before.groups.length > 1 ? ways : ways.filter((way) => way !== "connect"));
      await page.locator(".canvas").focus();
      await page.keyboard.press("Escape");
      await page.keyboard.press("ContextMenu");
      await page.getByRole("menuitem", { name: /^Tidy/ }).click();
      await page.locator(".saving-state:not(.is-saved)").waitFor();
      await saved(page);
      const tidied = await exported(botId);
      for (const change of diff(asDraft(before), asDraft(tidied)))
        expect(change.op === "set" && change.path[0], name).toBe("graphCoordinates");
      expect(overlapping(await cardsOn(page)), name).toEqual([]);
      expect(await linesOverTitles(page), name).toEqual([]);
      await page.locator(".canvas").focus();
      await page.keyboard.press("Control+z");
      await waitFor(async () => isSame(await exported(botId), before), {
        what: `${name} to be as it was`,
      });
      // Pictures on other hosts are not reachable in tests.
      expect(problems.filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
    },
    wide,
  );

const row = (count: number, at: (index: number) => unknown) => ({
  version: "6.1",
  name: "Row",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: -200, y: 0 } }],
  groups: Array.from({ length: count }, (_, index) => ({
    id: `g${index}`,
    title: `Group ${index}`,
    graphCoordinates: at(index),
    blocks: [{ id: `b${index}`, type: "Wait", options: {}, outgoingEdgeId: `e${index + 1}` }],
  })),
  edges: Array.from({ length: count }, (_, index) => ({
    id: `e${index}`,
    from: index === 0 ? { eventId: "start" } : { blockId: `b${index - 1}` },
    to: { groupId: `g${index}` },
  })),
  variables: [],
});
const open = async (context: BrowserContext, botId: string, at = ""): Promise<Page> => {
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${ada.token}` });
  const page = await emptyPage(context);
  await page.goto(`${host.origin}/app/bots/${botId}${at}`);
  await page.locator(".canvas-card").first().waitFor();
  return page;
};
const percent = (page: Page) => page.locator(".canvas-zoom").textContent();
const transform = (page: Page) => page.locator(".canvas-world").getAttribute("style");

inBrowser(
  "a flow opens at its start, and later at its last position",
  async ({ context, problems }) => {
    const botId = await host.makeBot(
      ada,
      workspaceId,
      row(30, (index) => ({ x: index * 400, y: 0 })),
    );
    const page = await open(context, botId);
    expect(await percent(page)).toBe("85 %");
    await page.locator("#card-start").waitFor();
    await page.locator("#card-g0 .canvas-title").click();
    await page.locator(".canvas").focus();
    for (const key of ["0", "+"]) await page.keyboard.press(key);
    await page.keyboard.press("ContextMenu");
    await page.getByRole("menuitem", { name: /^Collapse/ }).click();
    await page.locator("#card-g0 .canvas-row").first().waitFor({ state: "detached" });

    const edge = page.getByRole("separator", { name: "Width of the panel" });
    const width = async () => Math.round((await page.locator(".flow-panel").boundingBox())?.width ?? 0);
    const isWide = (wanted: number) =>
      waitFor(async () => (await width()) === wanted, { what: `the panel to be ${wanted} wide` });
    await edge.focus();
    const usual = await width();
    await page.keyboard.press("Shift+ArrowLeft");
    await isWide(usual + 64);
    expect(await edge.getAttribute("aria-valuenow")).toBe(String(usual + 64));
    const box = await edge.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 12, (box?.y ?? 0) + 400];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y, { steps: 2 });
    await page.mouse.up();
    await isWide(usual + 14);
    await waitFor(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("parley.place."))), {
      what: "the place to be kept",
    });
    await page.reload();
    await page.locator("#card-g0.is-bare").waitFor();
    expect(await percent(page)).toBe("125 %");
    await page.locator("#card-g0 .canvas-title").click();
    await isWide(usual + 14);
    await edge.focus();
    await page.keyboard.press("Enter");
    await isWide(usual);

    const linked = await open(context, botId, "?at=b29");
    await linked.locator("#card-g29").waitFor();
    expect(await percent(linked)).toBe("85 %");
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" },
);

inLongRun(
  "cards without positions, with equal positions or far away are found by keyboard, and tidied on request",
  async ({ context, problems }) => {
    const places: Record<string, (index: number) => unknown> = {
      none: () => undefined,
      one: () => ({ x: 0, y: 0 }),
      far: (index) => (index === 2 ? { x: 1e300, y: -1e9 } : { x: index * 300, y: 0 }),
    };
    for (const [name, at] of Object.entries(places)) {
      const botId = await host.makeBot(ada, workspaceId, row(4, at));
      const before = await exported(botId);
      const page = await open(context, botId);
      const hint = page.locator(".overlap-hint");
      await hint.waitFor();
      // "Show all" shows the connected cards.
      await page.locator(".canvas").focus();
      await page.keyboard.press("1");
      await page.locator("#card-g0").waitFor();
      const met = new Set<string | null>();
      await page.keyboard.press("Home");
      for (const key of ["]", "]", "]", "]", ...(name === "far" ? [] : ["ArrowUp", "ArrowDown"])]) {
        await page.keyboard.press(key);
        met.add(await page.locator(".canvas").getAttribute("aria-activedescendant"));
      }
      expect(met.size, name).toBe(4);
      expect(await transform(page)).not.toContain("NaN");
      expect(await exported(botId)).toEqual(before);
      await hint.getByRole("button", { name: "Tidy", exact: true }).click();
      await hint.waitFor({ state: "detached" });
      await saved(page);
      await page.locator(".canvas").focus();
      await page.keyboard.press("1");
      await waitFor(async () => (await page.locator(".canvas-card").count()) === 5, { what: "all cards" });
      expect(overlapping(await cardsOn(page)), name).toEqual([]);
      await page.locator(".canvas").focus();
      await page.keyboard.press("Control+z");
      await waitFor(async () => isSame(await exported(botId), before), { what: `${name} to be as it was` });
      await page.close();
    }
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" },
);
