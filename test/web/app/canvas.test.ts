import { expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { idOf } from "../../support/builder-ids.ts";
import { flowTests, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const small = () => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 200, y: 0 },
      blocks: [
        text("hello", "Hello"),
        {
          id: "plan",
          type: "choice input",
          outgoingEdgeId: "e2",
          items: [
            { id: "small", content: "Small" },
            { id: "large", content: "Large", outgoingEdgeId: "e3" },
          ],
          options: { variableId: idOf("v1") },
        },
      ],
    },
    { id: "offer", title: "Offer", graphCoordinates: { x: 560, y: 0 }, blocks: [text("bye", "Bye {{Plan}}")] },
  ],
  edges: [
    { id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } },
    { id: "e2", from: { blockId: "plan" }, to: { groupId: "offer" } },
    { id: "e3", from: { blockId: "plan", itemId: "large" }, to: { groupId: "gone" } },
  ],
  variables: [{ id: idOf("v1"), name: "Plan" }],
});
/** Returns a flow of groups with five blocks each, in rows of twenty. */
const large = (groups: number) => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: -200, y: 0 } }],
  groups: Array.from({ length: groups }, (_, index) => ({
    id: `g${index}`,
    title: `Group ${index}`,
    graphCoordinates: { x: (index % 20) * 320, y: Math.floor(index / 20) * 320 },
    blocks: [0, 1, 2, 3, 4].map((number) => ({
      ...text(`b${index}x${number}`, `Text ${number} of ${index}`),
      ...(number === 4 && index + 1 < groups && { outgoingEdgeId: `e${index + 1}` }),
    })),
  })),
  edges: Array.from({ length: groups }, (_, index) => ({
    id: `e${index}`,
    from: index === 0 ? { eventId: "start" } : { blockId: `b${index - 1}x4` },
    to: { groupId: `g${index}` },
  })),
  variables: [],
});
const open = (context: BrowserContext, flow: object) => tests.open(context, flow, { shown: "canvas" });
const frame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
const middleOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is nowhere`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

inBrowser(
  "cards on the canvas show their content, their targets, and the selection",
  async ({ context, problems }) => {
    const { page } = await open(context, small());
    const canvas = page.getByRole("application", { name: "Flow of Leads, 2 groups" });
    await canvas.waitFor();

    expect(await page.locator(".canvas-card").count()).toBe(3);
    expect(await page.locator(".canvas-edge.is-broken").count()).toBe(1);
    expect(await page.locator("#card-welcome").textContent()).toInclude("Otherwise");
    await page.locator("#card-welcome .canvas-title").click();
    expect(await canvas.getAttribute("aria-activedescendant")).toBe("card-welcome");
    expect(await page.locator("#card-welcome").getAttribute("aria-label")).toInclude(
      "Group Welcome, 2 blocks, Hello, Buttons, leads to a deleted item, Offer",
    );
    // The panel shows the form of the card, and is to the right of the card.
    await page.getByLabel("Title of the group").waitFor();
    const [card, panel] = [await middleOf(page, "#card-welcome"), await page.locator(".flow-panel").boundingBox()];
    expect(card.x).toBeLessThan(panel?.x ?? 0);

    await canvas.focus();
    for (const key of ["Enter", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const active = await canvas.getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-label")).toInclude("Small");
    for (const key of ["Escape", "Escape", "ArrowRight"]) await page.keyboard.press(key);
    expect(await canvas.getAttribute("aria-activedescendant")).toBe("card-offer");
    await page.keyboard.press("Control+.");
    expect(await page.locator(".outline-row.is-active .outline-name").textContent()).toBe("Offer");
    await page.keyboard.press("Control+.");
    expect(await page.locator(".canvas-card.is-chosen .canvas-title").textContent()).toBe("Offer");
    // A quick second press affects the elements that the first press has rendered.
    await page.evaluate(async () => {
      const press = () => dispatchEvent(new KeyboardEvent("keydown", { key: ".", ctrlKey: true, cancelable: true }));
      const drawn = new Promise<void>((done) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(".outline-row")) return;
          observer.disconnect();
          done();
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });
      press();
      await drawn;
      press();
    });
    await page.locator(".canvas-card.is-chosen").waitFor();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inBrowser(
  "dragging cards causes one request below two kilobytes",
  async ({ context, problems }) => {
    const { botId, page } = await open(context, small());
    const bodies: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/changes")) bodies.push(request.postData() ?? "");
    });
    const places = async () => {
      const { groups, events } = await tests.draft(botId);
      return [...events, ...groups].map((thing) => thing["graphCoordinates"]);
    };
    const before = await places();
    const drag = async (selector: string, by: { x: number; y: number }, last = () => page.mouse.up()) => {
      const from = await middleOf(page, selector);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2);
      await page.mouse.move(from.x + by.x, from.y + by.y);
      await last();
    };

    await drag("#card-offer .canvas-title", { x: 0, y: 300 }, async () => {
      await page.keyboard.press("Escape");
      await page.mouse.up();
    });
    expect(await page.locator(".canvas-card.is-dragged").count()).toBe(0);
    // A box with Shift selects the cards that it touches. Then all cards after a card are selected, and then all cards.
    const chosen = () => page.locator(".canvas-card.is-chosen").count();
    const [first, last] = [await middleOf(page, "#card-start"), await middleOf(page, "#card-welcome")];
    await page.keyboard.press("Escape");
    await page.keyboard.down("Shift");
    await page.mouse.move(first.x, first.y - 60);
    await page.mouse.down();
    await page.mouse.move(first.x + 20, first.y);
    await page.mouse.move(last.x, last.y);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    expect(await chosen()).toBe(2);
    await page.locator("#card-welcome .canvas-title").click();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+Shift+a");
    expect(await page.locator("#card-offer.is-chosen").count()).toBe(1);
    expect(await page.locator("#card-start.is-chosen").count()).toBe(0);
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+a");
    expect(await chosen()).toBe(3);
    await drag("#card-welcome .canvas-title", { x: 0, y: 163 });
    await waitFor(() => bodies.length > 0, { what: "the move to be sent" });
    await saved(page);
    const moved = await places();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.length).toBeLessThan(2_000);
    expect(moved).toEqual([
      { x: 0, y: 160 },
      { x: 200, y: 160 },
      { x: 560, y: 160 },
    ]);
    await page.keyboard.press("Control+z");
    await saved(page);
    expect(await places()).toEqual(before);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" },
);

inBrowser(
  "zooming in a flow of 2,000 blocks renders at most 2,500 elements",
  async ({ context, problems }) => {
    const { page } = await open(context, large(400));
    await page.locator(".canvas-card").first().waitFor();
    const elements = () => page.locator("*").count();
    const most: number[] = [];
    await page.locator(".canvas").focus();
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press(step < 3 ? "+" : "-");
      await frame(page);
      most.push(await elements());
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(2_500);
    // At this zoom, the whole flow is painted on a canvas element.
    expect(await page.locator(".canvas-card").count()).toBe(0);
    await page.locator("canvas.canvas-picture:not([hidden])").waitFor();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await frame(page);
    expect(await page.locator(".canvas-card").count()).toBe(1);

    await page.keyboard.press("0");
    await page.locator(".canvas-card").nth(4).waitFor();
    const changed = await page.evaluate(async () => {
      let count = 0;
      const observer = new MutationObserver((records) => {
        count += records.filter(({ type }) => type === "childList").length;
      });
      const world = document.querySelector(".canvas-world");
      const canvas = document.querySelector(".canvas");
      if (!world || !canvas) return -1;
      observer.observe(world, { childList: true, subtree: true });
      const before = world.getAttribute("style");
      for (let step = 0; step < 20; step++) {
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaX: step < 10 ? 1 : -1, deltaY: 0.5, cancelable: true }));
        await new Promise((done) => requestAnimationFrame(done));
      }
      await new Promise((done) => setTimeout(done));
      return before === world.getAttribute("style") ? -2 : count;
    });
    expect(changed).toBe(0);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "after a target group is renamed, the accessible names of a card and its row contain the new title",
  async ({ context, problems }) => {
    const { page } = await open(context, small());
    await page.locator("#card-offer .canvas-title").click();
    await page.getByLabel("Title of the group").fill("Sale");
    await page.locator("#card-offer", { hasText: "Sale" }).waitFor();

    const names = [page.locator("#card-welcome"), page.locator("#card-welcome .canvas-row", { hasText: "Otherwise" })];
    const read = await Promise.all(names.map((name) => name.getAttribute("aria-label")));
    expect(read).toEqual([expect.stringMatching(/leads to .*Sale/), expect.stringMatching(/leads to Sale/)]);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "a new colour of a group is painted in the distant view",
  async ({ context, problems }) => {
    const { page } = await open(context, small());
    await page.locator("#card-offer .canvas-title").click();
    await page.locator(".canvas").focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press("-");
    const picture = page.locator("canvas.canvas-picture:not([hidden])").first();
    const painted = () => picture.evaluate((one) => one instanceof HTMLCanvasElement && one.toDataURL());
    await picture.waitFor();
    const before = await painted();
    await page.getByRole("button", { name: "Colour" }).click();
    await page.getByRole("menuitem", { name: "Green" }).click();
    await saved(page);

    expect((await painted()) === before).toBe(false);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" },
);
