import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { flowTests, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser } = tests;
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    { id: "one", title: "One", graphCoordinates: { x: 240, y: 0 }, blocks: [{ id: "name", type: "text input" }] },
  ],
  edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "one" } }],
  variables: [],
};
const search = (page: Page) => page.getByRole("combobox", { name: "Search types" });
const line = (page: Page) => page.locator(".canvas-connecting");

/** Drags a line from the block's port. Returns the position at which it was dropped. */
async function dropLine(page: Page) {
  const row = (await page.locator(".canvas-row.is-block").first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const port = { x: row.x + row.width, y: row.y + row.height / 2 };
  const to = { x: port.x + 160, y: port.y + 120 };
  await page.mouse.move(port.x, port.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await search(page).waitFor();
  return to;
}

inBrowser(
  "a line dropped on the canvas opens a block picker",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    const groups = async () => (await tests.draft(botId)).groups;
    const menu = page.getByRole("dialog", { name: "Choose a block" });

    const to = await dropLine(page);
    const box = (await menu.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // A corner of the list is at the drop position. The available space determines which one.
    const away = (from: number, size: number, at: number) => Math.min(Math.abs(from - at), Math.abs(from + size - at));
    expect(away(box.x, box.width, to.x)).toBeLessThan(16);
    expect(away(box.y, box.height, to.y)).toBeLessThan(16);
    expect(await line(page).count()).toBe(1);
    expect(await search(page).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await menu.getByText("Says", { exact: true }).count()).toBe(1);
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await line(page).waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.className)).toInclude("canvas");

    await dropLine(page);
    await page.mouse.click(to.x - 80, to.y + 120);
    await menu.waitFor({ state: "detached" });
    await line(page).waitFor({ state: "detached" });
    expect((await groups()).length).toBe(1);

    await dropLine(page);
    await page.keyboard.type("number");
    await page.keyboard.press("Enter");
    await menu.waitFor({ state: "detached" });
    await saved(page);
    const [, made] = await groups();
    const { edges } = await tests.draft(botId);
    expect(made?.blocks[0]?.["type"]).toBe("number input");
    expect(edges.find(({ id }) => id !== "first")).toMatchObject({
      from: { blockId: "name" },
      to: { groupId: made?.id },
    });
    expect(await page.locator(".canvas-card.is-chosen, .canvas-row.is-active").count()).toBe(1);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);
