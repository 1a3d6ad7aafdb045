import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { flowTests, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser } = tests;

const asks = (id: string) => ({ id, type: "text input" });
const group = (id: string, x: number, y: number, blocks: readonly object[]) => ({
  id,
  title: id,
  graphCoordinates: { x, y },
  blocks,
});
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: { x: 0, y: 0 } }],
  groups: [group("One", 400, 0, [asks("name"), asks("mail"), asks("site")]), group("Two", 400, 320, [asks("age")])],
  edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "One" } }],
  variables: [],
};

const bar = (page: Page) => page.locator(".act-bar");
const row = (page: Page, id: string) => page.locator(`[id^="card-row-${id}-"]`);

/** Returns the point halfway between the start and the connected card. */
async function placeOfLine(page: Page) {
  const [start, one] = [await page.locator("#card-start").boundingBox(), await page.locator("#card-One").boundingBox()];
  if (!start || !one) throw new Error("A card is nowhere");
  return { x: (start.x + start.width + one.x) / 2, y: start.y + start.height / 2 };
}

async function chooseLine(page: Page): Promise<void> {
  const { x, y } = await placeOfLine(page);
  await page.mouse.click(x, y);
  await bar(page).waitFor();
}

async function changedElsewhere(botId: string, changes: readonly object[]): Promise<void> {
  const { revision: base } = await tests.draft(botId);
  const changeSets = [{ id: crypto.randomUUID(), title: "Remove", changes }];
  await tests.host.call(tests.ada, "POST", `/api/v1/bots/${botId}/changes`, { base, changeSets });
}

inBrowser(
  "a line or a block that another editor removed is no longer selected",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    await page.setViewportSize({ width: 1500, height: 950 });
    await chooseLine(page);
    await changedElsewhere(botId, [
      { op: "remove", of: "edge", id: "first" },
      { op: "set", of: "event", id: "start", path: ["outgoingEdgeId"] },
    ]);
    await bar(page).waitFor({ state: "detached" });

    await row(page, "name").click();
    await row(page, "mail").click({ modifiers: ["Shift"] });
    await page.getByRole("heading", { name: "2 blocks", exact: true }).waitFor();
    await changedElsewhere(botId, [
      { op: "remove", of: "block", id: "name" },
      { op: "remove", of: "block", id: "mail" },
    ]);
    await page.getByRole("heading", { name: "2 blocks", exact: true }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce" },
);

inBrowser(
  "Delete removes only the last selected element",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    await page.setViewportSize({ width: 1500, height: 950 });
    await chooseLine(page);
    const two = await page.locator("#card-Two").boundingBox();
    if (!two) throw new Error("The card is nowhere");
    await page.keyboard.down("Shift");
    await page.mouse.move(two.x - 30, two.y - 30);
    await page.mouse.down();
    await page.mouse.move(two.x + 20, two.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.keyboard.press("Delete");
    await page.locator("#card-Two").waitFor({ state: "detached" });
    await saved(page);
    expect((await tests.draft(botId)).edges).toHaveLength(1);
    await page.keyboard.press("ControlOrMeta+z");
    await page.locator("#card-Two").waitFor();

    await page.locator("#card-Two .canvas-title").click();
    await page.keyboard.press("ControlOrMeta+c");
    await chooseLine(page);
    await page.keyboard.press("ControlOrMeta+v");
    await page.locator(".canvas-card.is-group").nth(2).waitFor();
    await page.keyboard.press("Delete");
    await page.locator(".canvas-card.is-group").nth(2).waitFor({ state: "detached" });
    await saved(page);
    expect((await tests.draft(botId)).edges).toHaveLength(1);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce" },
);
