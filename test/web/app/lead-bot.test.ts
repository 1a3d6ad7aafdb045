import { expect } from "bun:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { pick } from "../../support/author.ts";
import { axeProblems } from "../../support/axe.ts";
import { type Draft, flowTests, openFlow, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

/**
 * Returns a flow without ids and positions. Edges are described by the titles of groups and the positions of blocks.
 */
function shapeOf({ groups, edges, events, variables }: Draft): unknown {
  const names = new Map<unknown, string>();
  for (const [at, { id }] of events.entries()) names.set(id, `event ${at}`);
  for (const { id, name } of variables) names.set(id, `variable ${name}`);
  for (const { id, title, blocks } of groups) {
    names.set(id, `group ${title}`);
    for (const [at, block] of blocks.entries()) {
      names.set(block.id, `block ${at} of ${title}`);
      const items: readonly { readonly id?: unknown }[] = Array.isArray(block["items"]) ? block["items"] : [];
      for (const [index, item] of items.entries()) names.set(item.id, `item ${index} of block ${at} of ${title}`);
    }
  }
  const named = JSON.stringify({ groups, edges, events, variables }, (key, value) => {
    if (key === "graphCoordinates" || key === "outgoingEdgeId") return undefined;
    if (key === "id" && typeof value === "string" && !names.has(value)) return undefined;
    return typeof value === "string" ? (names.get(value) ?? value) : value;
  });
  const made: { groups: { title: string }[]; edges: object[] } = JSON.parse(named);
  return {
    ...made,
    groups: made.groups.sort((one, other) => (one.title < other.title ? -1 : 1)),
    edges: made.edges.map((edge) => JSON.stringify(edge)).sort(),
  };
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const inForm = (page: Page, selector = "*") =>
  page.waitForFunction(
    (wanted) => document.activeElement?.closest("[data-panel-body]") && document.activeElement.matches(wanted),
    selector,
  );

/**
 * Builds the bot by keys only, in the outline or on the canvas. The keys are the same, except for the keys that return
 * to the first item.
 */
async function buildByKeys(page: Page, toFirstItem: () => Promise<void>): Promise<void> {
  const isBack = ".canvas, .outline-row";
  const back = async () => {
    await press(page, "Escape");
    await page.waitForFunction((wanted) => document.activeElement?.matches(wanted), isBack);
  };
  const add = async (words: string, typed: string) => {
    await press(page, "a");
    await pick(page, words);
    await inForm(page, words === "Text" ? "[contenteditable]" : "*");
    if (typed !== "") await page.keyboard.type(typed);
    if (words === "Email") await press(page, "Enter");
    await back();
  };
  const write = async (words: string) => {
    await press(page, "Enter");
    await inForm(page);
    await page.keyboard.type(words);
    await back();
  };
  const leadTo = async (title: string) => {
    await press(page, "c");
    await pick(page, title);
    await page.locator(".outline-row.is-group, .canvas-title", { hasText: title }).first().waitFor();
  };
  await add("Text", "Welcome");
  await add("Email", "Mail");
  await add("Buttons", "");
  await press(page, "ArrowDown");
  await write("Yes");
  await press(page, "i");
  await write("No");
  await leadTo("End");
  await add("Text", "Bye");
  await toFirstItem();
  await leadTo("Offer");
  await add("HTTP request", "");
  await add("Condition", "");
  await press(page, "ArrowDown");
  await leadTo("End");
  await saved(page);
}

async function byOutline(context: BrowserContext): Promise<string> {
  const { botId, page } = await tests.open(context);
  await page.locator(".outline-row").first().focus();
  await buildByKeys(page, () => press(page, "Home", ...Array(5).fill("ArrowDown")));
  return botId;
}

type Spot = { readonly x: number; readonly y: number };

/** Returns functions that find the positions of visible elements on the canvas. */
function placesOn(page: Page) {
  const boxOf = async (selector: string, text?: string) => {
    const found = page.locator(selector, text === undefined ? {} : { hasText: text }).last();
    await found.waitFor();
    // The camera moves to the selection a frame or two later, and a person only presses elements at rest.
    const box = await found.evaluate(async (element) => {
      let [at, still] = [element.getBoundingClientRect(), 0];
      while (still < 4 && element.isConnected) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = element.getBoundingClientRect();
        still = now.x === at.x && now.y === at.y && now.width === at.width ? still + 1 : 0;
        at = now;
      }
      return { x: at.x, y: at.y, width: at.width, height: at.height };
    });
    if (box.width === 0) throw new Error(`${selector} is not to be seen`);
    return box;
  };
  const middle = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Spot => ({
    x: x + width / 2,
    y: y + height / 2,
  });
  return {
    /** The newest item. */
    item: async () => middle(await boxOf(".canvas-row.is-item")),
    row: async (text: string) => middle(await boxOf(".canvas-row", text)),
    title: async (text: string) => middle(await boxOf(".canvas-card.is-group .canvas-title", text)),
    port: async (selector: string, text?: string): Promise<Spot> => {
      const { x, y, width, height } = await boxOf(selector, text);
      return { x: x + width, y: y + height / 2 };
    },
    ground: async (across: number): Promise<Spot> => {
      const { x, y, height } = await boxOf(".canvas");
      return { x: x + across, y: y + height - 190 };
    },
  };
}

const field = "[data-panel-body] input, [data-panel-body] textarea, [data-panel-body] [contenteditable=true]";

async function byPointer(page: Page): Promise<void> {
  const at = placesOn(page);
  const drag = async (from: Spot, to: Spot) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 12, from.y + 12);
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const palette = (name: string) => page.locator(".palette-block", { hasText: name }).first();
  const dragBlock = async (name: string, to: Spot) => {
    await palette(name).scrollIntoViewIfNeeded();
    const box = await palette(name).boundingBox();
    if (box) await drag({ x: box.x + 30, y: box.y + 12 }, to);
    await inForm(page);
  };
  const click = async ({ x, y }: Spot, button: "left" | "right" = "left") => page.mouse.click(x, y, { button });
  const write = async (words: string) => {
    await page.locator(field).first().click();
    await press(page, "Control+a");
    await page.keyboard.type(words);
  };
  await page.getByRole("button", { name: "Say hello" }).click();
  await inForm(page, "[contenteditable]");
  await page.keyboard.type("Welcome");
  await dragBlock("Email", await at.row("Welcome").then(({ x, y }) => ({ x, y: y + 12 })));
  await page.keyboard.type("Mail");
  await press(page, "Enter");
  await palette("Buttons").click();
  await inForm(page);
  await click(await at.item());
  await write("Yes");
  await click(await at.row("Yes"), "right");
  await page.getByRole("menuitem", { name: "Add an item" }).click();
  await write("No");
  // A line that is dropped on the canvas asks for the next block.
  await drag(await at.port(".canvas-row.is-item", "No"), await at.ground(120));
  await pick(page, "Text");
  await inForm(page, "[contenteditable]");
  await page.keyboard.type("Bye");
  await click(await at.title("Group #2"));
  await write("End");
  await drag(await at.port(".canvas-row.is-item", "Yes"), await at.ground(480));
  await pick(page, "HTTP request");
  await inForm(page);
  await click(await at.title("Group #3"));
  await write("Offer");
  await dragBlock("Condition", await at.title("Offer").then(({ x, y }) => ({ x, y: y + 44 })));
  await drag(await at.port(".canvas-row.is-item"), await at.title("End"));
  await saved(page);
}

async function byTouch(page: Page): Promise<void> {
  const at = placesOn(page);
  const tap = async ({ x, y }: Spot) => page.touchscreen.tap(x, y);
  const write = async (words: string) => {
    await page.locator(field).first().tap();
    await press(page, "Control+a");
    await page.keyboard.type(words);
  };
  const add = async (name: string, selector = "*") => {
    await page.locator(".palette-block", { hasText: name }).first().tap();
    await inForm(page, selector);
  };
  await page.getByRole("button", { name: "Say hello" }).tap();
  await inForm(page, "[contenteditable]");
  await page.keyboard.type("Welcome");
  await add("Email");
  await page.keyboard.type("Mail");
  await press(page, "Enter");
  await add("Buttons");
  await tap(await at.item());
  await write("Yes");
  // A resting finger opens the menu.
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [await at.row("Yes")] });
  await page.getByRole("menuitem", { name: "Add an item" }).waitFor();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.getByRole("menuitem", { name: "Add an item" }).tap();
  await write("No");
  // The author taps the port first, and then its target.
  await tap(await at.port(".canvas-row.is-item", "No"));
  await page.getByRole("toolbar", { name: "Where should the line lead?" }).waitFor();
  await tap(await at.ground(160));
  await pick(page, "Text");
  await inForm(page, "[contenteditable]");
  await page.keyboard.type("Bye");
  await tap(await at.title("Group #2"));
  await write("End");
  await tap(await at.port(".canvas-row.is-item", "Yes"));
  await page.getByRole("button", { name: "Search…" }).tap();
  await pick(page, "Offer");
  await at.title("Offer");
  await add("HTTP request");
  await page.locator(".canvas-card", { hasText: "Offer" }).locator(".canvas-row").nth(0).waitFor();
  await add("Condition");
  await page.locator(".canvas-card", { hasText: "Offer" }).locator(".canvas-row").nth(2).waitFor();
  await page.getByRole("button", { name: "Show all" }).tap();
  await tap(await at.port(".canvas-row.is-item"));
  await page.getByRole("toolbar", { name: "Where should the line lead?" }).waitFor();
  await tap(await at.title("End"));
  await page.getByRole("toolbar", { name: "Where should the line lead?" }).waitFor({ state: "detached" });
  await saved(page);
}

// Animations are disabled, so that a tap hits the element that is visible at that point.
const fingers: BrowserContextOptions = {
  hasTouch: true,
  reducedMotion: "reduce",
  viewport: { width: 1366, height: 1024 },
};
let first: unknown;
/** Expects that the first bot of the run is correct, and that all others equal it. */
const isSame = async (botId: string) => {
  const shape = shapeOf(await tests.draft(botId));
  first ??= shape;
  expect(first).toMatchObject({ groups: [{ title: "End" }, { title: "Group #1" }, { title: "Offer" }] });
  expect(shape).toEqual(first);
};
const openCanvas = async (context: BrowserContext) => {
  const botId = await tests.host.makeBot(tests.ada, tests.workspaceId);
  return { botId, page: await openFlow(context, tests.host, { user: tests.ada, botId, shown: "canvas" }) };
};

inLongRun(
  "a lead bot is built by keyboard in the outline, and an equal bot by keyboard on the canvas",
  async (visit) => {
    const { context, problems } = visit;
    await isSame(await byOutline(context));
    const { botId, page } = await openCanvas(context);
    await page.locator(".canvas").focus();
    await press(page, "ArrowRight");
    // The keys move back along the line to the end, into the group, and down to its first button.
    await buildByKeys(page, () => press(page, "Escape", "[", "Enter", "ArrowDown", "ArrowDown", "ArrowDown"));
    await isSame(botId);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

inBrowser("the lead bot is built by pointer, with drawn lines and dragged blocks", async ({ context, problems }) => {
  const { botId, page } = await openCanvas(context);
  await page.setViewportSize({ width: 1600, height: 1000 });
  await byPointer(page);
  await isSame(botId);
  expect(problems).toEqual([]);
});

inLongRun(
  "an equal lead bot is built by touch, without a drag",
  async ({ context, problems }) => {
    const { botId, page } = await openCanvas(context);
    await byTouch(page);
    await isSame(botId);
    expect(problems).toEqual([]);
  },
  fingers,
);
