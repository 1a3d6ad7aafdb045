import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { flowTests, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser } = tests;

const asks = (id: string, type: string, placeholder: string) => ({ id, type, options: { labels: { placeholder } } });
const group = (id: string, y: number, blocks: readonly object[]) => ({
  id,
  title: id,
  graphCoordinates: { x: 0, y },
  blocks,
});
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: -300, y: 0 } }],
  groups: [
    group("One", 0, [
      asks("name", "text input", "Who?"),
      asks("mail", "email input", "Mail"),
      asks("site", "url input", "Site"),
    ]),
    group("Two", 260, [asks("phone", "phone number input", "Phone"), asks("age", "number input", "Age")]),
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "One" } }],
  variables: [],
};
/** A press on a row's icon only selects the row. */
const icon = { position: { x: 16, y: 12 } };
const row = (page: Page, id: string) => page.locator(`[id^="card-row-${id}-"]`);
const middleOf = async (page: Page, id: string) => {
  const box = await row(page, id).boundingBox();
  if (!box) throw new Error(`${id} is nowhere`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }) => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
};

inBrowser(
  "several blocks can be selected, edited in one form and moved",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    await page.setViewportSize({ width: 1500, height: 950 });
    const blocks = async () => {
      await saved(page);
      return (await tests.draft(botId)).groups.map(({ title, blocks: list }) => [title, list.map(({ id }) => id)]);
    };
    const chosen = () => page.locator(".canvas-row.is-block.is-active").count();
    const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

    // Rows are selected with the pointer on two cards, with a box over rows, and with keys in both directions.
    await row(page, "mail").click(icon);
    await row(page, "phone").click({ modifiers: ["Shift"] });
    await heading("2 blocks");
    expect(await chosen()).toBe(2);
    await page.getByText("Changes apply to all selected blocks.").waitFor();
    await page.getByLabel("Placeholder", { exact: true }).fill("Tell us");
    await saved(page);
    const { groups } = await tests.draft(botId);
    expect(JSON.stringify(groups).match(/Tell us/g)).toHaveLength(2);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo: Change “Placeholder” of 2 blocks" }).click();
    await row(page, "name").click(icon);
    const [from, to] = [await middleOf(page, "name"), await middleOf(page, "site")];
    await page.keyboard.down("Shift");
    await drag(page, from, to);
    await page.keyboard.up("Shift");
    await heading("3 blocks");
    await page.keyboard.press("Escape");
    await row(page, "name").click(icon);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await heading("3 blocks");
    await page.keyboard.press("Shift+ArrowUp");
    await heading("2 blocks");
    expect(await chosen()).toBe(2);

    // The selected blocks are dragged together to another group, and out of two groups onto the canvas. They are
    // removed and copied in one action.
    const age = await middleOf(page, "age");
    await drag(page, await middleOf(page, "mail"), { x: age.x, y: age.y - 20 });
    expect(await blocks()).toEqual([
      ["One", ["site"]],
      ["Two", ["phone", "name", "mail", "age"]],
    ]);
    await row(page, "site").click(icon);
    await row(page, "mail").click({ modifiers: ["ControlOrMeta"] });
    const site = await middleOf(page, "site");
    await drag(page, site, { x: site.x - 420, y: site.y + 320 });
    await page.getByRole("button", { name: "Undo: Move 2 blocks to a new group" }).waitFor();
    expect((await blocks()).at(-1)).toEqual(["Group #3", ["site", "mail"]]);
    await row(page, "phone").click(icon);
    await row(page, "mail").click({ modifiers: ["Shift"] });
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Undo: Remove 2 blocks" }).click();
    expect((await blocks()).at(1)).toEqual(["Two", ["phone", "name", "age"]]);

    // A locked card is shown, explains why it cannot be changed, and can be unlocked.
    await page.locator("#card-Two .canvas-title").click();
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Lock", exact: true }).click();
    await page.getByText("Locked against accidental changes.").waitFor();
    expect(await page.getByLabel("Title of the group").getAttribute("readonly")).not.toBeNull();
    await row(page, "age").click(icon);
    const field = page.getByLabel("Placeholder", { exact: true });
    await page.getByText("Locked against accidental changes.").waitFor();
    expect(await field.isEditable()).toBe(false);
    expect(await axeProblems(page)).toEqual([]);
    await page.locator(".flow-panel").getByRole("button", { name: "Unlock" }).click();
    await page.getByText("Locked against accidental changes.").waitFor({ state: "detached" });
    await field.fill("How old?");
    await saved(page);
    expect(JSON.stringify((await tests.draft(botId)).groups)).toContain("How old?");
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce" },
);
