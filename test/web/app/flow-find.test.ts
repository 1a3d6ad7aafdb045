import { afterAll, beforeAll, expect } from "bun:test";
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { overlaps } from "../../../src/web/app/canvas/scene/geometry.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

let host: FlowHost;
let ada: TestUser;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
});
afterAll(() => host.close());

const text = (id: string, ...leaves: readonly object[]) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: leaves }] },
});
const shop = () => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        text("hello", { text: "Welcome to the " }, { text: "shop", bold: true }, { text: ", {{Name}}" }),
        { id: "ask", type: "text input", options: { variableId: idOf("v1"), labels: { placeholder: "Your shop" } } },
        text("lost", { text: "Hi {{Nmae}}" }),
        {
          id: "plan",
          type: "choice input",
          outgoingEdgeId: "e2",
          items: [
            { id: "small", content: "Small shop", outgoingEdgeId: "gone" },
            { id: "large", content: "Large shop" },
          ],
          options: { variableId: idOf("v2") },
        },
      ],
    },
    {
      id: "offer",
      title: "Shop offer",
      graphCoordinates: { x: 400, y: 0 },
      blocks: [text("bye", { text: "Bye {{Name}}" })],
    },
  ],
  edges: [
    { id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } },
    { id: "e2", from: { blockId: "plan" }, to: { groupId: "offer" } },
  ],
  variables: [
    { id: idOf("v1"), name: "Name" },
    { id: idOf("v2"), name: "Plan" },
    { id: idOf("v3"), name: "Plan" },
    { id: idOf("v4"), name: "Left over" },
  ],
});

/** The folder for pictures of a review, if PARLEY_PICTURES sets one. */
const folder = process.env["PARLEY_PICTURES"];
async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Checks the rendered page, in the long run in both colour schemes. */
async function looksRight(page: Page, name: string): Promise<void> {
  for (const colorScheme of isLong ? (["light", "dark"] as const) : (["light"] as const)) {
    await page.emulateMedia({ colorScheme });
    expect(await axeProblems(page)).toEqual([]);
    await picture(page, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

inBrowser("findings can be fixed, and texts can be found and replaced", async ({ context, problems }) => {
  const workspaceId = await host.api.makeWorkspace(ada);
  const botId = await host.makeBot(ada, workspaceId, shop());
  await host.call(ada, "POST", "/api/v1/bots", { workspaceId, bot: { name: "Second bot" } });
  // The page checks its own draft: all later findings come from the page, not from the service.
  await context.route("**/lint", (route) => route.abort());
  const page = await openFlow(context, host, { user: ada, botId, at: "hello" });
  await page.setViewportSize({ width: 1440, height: 900 });
  const publish = (count: number) =>
    page.getByRole("button", { name: count === 0 ? "Publish" : new RegExp(`^Publish, ${count} finding`) });

  // The findings contain a lost edge, a variable, and their consequences.
  await page.getByRole("button", { name: "Findings", exact: true }).click();
  const findings = page.locator(".finding");
  await findings.filter({ hasText: "The outgoing edge does not exist" }).waitFor();
  const before = await findings.count();
  await publish(before).waitFor();
  await page.getByRole("row", { name: /Small shop.*1 warning/ }).waitFor();
  await looksRight(page, "findings");
  await findings
    .filter({ hasText: 'No variable is named "Nmae"' })
    .getByRole("button", { name: "Fix", exact: true })
    .click();
  await findings.filter({ hasText: "Nmae" }).waitFor({ state: "detached" });
  await findings.filter({ hasText: "outgoing edge" }).getByRole("button", { name: "Fix", exact: true }).click();
  await findings.filter({ hasText: "outgoing edge" }).waitFor({ state: "detached" });
  await saved(page);
  const mended = await host.draft(ada, botId);
  expect(mended.variables.map(({ name }) => name)).toEqual(["Name", "Plan", "Plan", "Left over", "Nmae"]);
  expect(JSON.stringify(mended.groups)).not.toContain("gone");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await findings.filter({ hasText: "Nmae" }).waitFor();

  // Matches are found while the user types, with variables distinguished by their names, and are replaced in one
  // action.
  await page.keyboard.press("Control+f");
  // The keys are typed before the field exists, because the search is only loaded now.
  await page.keyboard.type("shop");
  const find = page.getByRole("search");
  await find.getByText("5 matches", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await find.getByText("1 of 5").waitFor();
  expect(await page.locator(".find-hit[aria-current]").textContent()).toContain("Welcome · Text");
  await find.getByRole("button", { name: "Replace…" }).click();
  await find.getByRole("textbox", { name: "Replace with" }).fill("store");
  await looksRight(page, "find");
  await find.getByRole("button", { name: "Match case" }).click();
  await find.getByText("4 matches", { exact: true }).waitFor();
  await find.getByRole("button", { name: "Replace all (4)" }).click();
  await find.getByText("No matches").waitFor();
  await saved(page);
  const [welcome, offer] = (await host.draft(ada, botId)).groups;
  expect(welcome?.blocks[0]).toMatchObject(
    text("hello", { text: "Welcome to the " }, { text: "store", bold: true }, { text: ", {{Name}}" }),
  );
  expect(offer?.title).toBe("Shop offer");
  await page.keyboard.press("Escape");
  await find.waitFor({ state: "detached" });
  await page.locator('[data-key="block:hello"]').focus();
  await page.keyboard.press("Control+z");
  await page.locator('[data-key="item:plan:large"]').getByText("Large shop").waitFor();

  // The palette finds commands, parts of this flow, other bots and screens.
  const palette = page.getByRole("dialog", { name: "Command palette" });
  const run = async (typed: string, wanted: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(typed);
    await palette.getByRole("option", { name: wanted, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
  };
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await palette.getByRole("option", { name: "Second bot" }).waitFor();
  await looksRight(page, "palette");
  await page.keyboard.type("shoff");
  await palette.getByRole("option", { name: "Shop offer", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Title of the group").waitFor();
  await run("bye", "Bye {{Name}}");
  await waitFor(() => page.locator('[data-key="block:bye"][aria-selected="true"]').count(), { what: "the block" });
  await run("redo repl", "Redo: Replace “shop” with “store”");
  await page.locator('[data-key="item:plan:large"]').getByText("Large store").waitFor();
  await run("duplic", "Duplicate");
  await waitFor(async () => (await page.locator('[data-key^="block:"]').count()) === 6, { what: "the copy" });
  await run("left ov", "Left over");
  await page.locator(`[data-variable="${idOf("v4")}"].is-open`).waitFor();

  // On the canvas, the palette contains all actions of the canvas. The search leads to notes, and to theme and
  // settings.
  await page.keyboard.press("Control+.");
  await page.locator(".canvas-row").first().waitFor();
  await page.locator(".canvas").focus();
  await run("add a note", "Add a note");
  await page.getByRole("textbox", { name: "Note" }).fill("Mind the shopkeeper");
  await page.keyboard.press("Escape");
  await run("colour blu", "Colour: Blue");
  await page.locator(".canvas-note.is-blue.is-chosen").waitFor();
  await run("keyboard sh", "Keyboard shortcuts");
  await page.getByRole("switch", { name: "Single-character shortcuts" }).click();
  await page.keyboard.press("Escape");
  await run("shop off", "Shop offer");
  await page.locator(".canvas-note:not(.is-chosen)").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("shopkee");
  await palette.getByText("No results for “shopkee”.").waitFor();
  await looksRight(page, "palette-nothing");
  await page.keyboard.press("Enter");
  await find.getByText("1 match", { exact: true }).waitFor();
  await page.keyboard.press("F3");
  await page.locator(".canvas-note.is-chosen").waitFor();
  expect(await find.getByRole("status").textContent()).toBe("1 of 1: Note");
  await page.keyboard.press("Escape");

  // Single letters have no effect once they are disabled, also in the outline.
  await page.keyboard.press("Control+.");
  await page.locator('[data-key="group:offer"]').focus();
  await page.keyboard.press("a");
  await page.keyboard.press("ArrowDown");
  await page.locator('[data-key="block:bye"]:focus').waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);

  // The outline also contains elements outside the flow. In the outline, the canvas's actions on cards can only be
  // used by keys.
  await page.keyboard.press("End");
  await page.locator('[data-key^="note:"]:focus').waitFor();
  expect(await page.locator('[data-key^="note:"]').getAttribute("aria-label")).toBe("Note, Mind the shopkeeper");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("textbox", { name: "Note" }).fill("Ask Grace");
  await page.keyboard.press("Escape");
  await page.locator('[data-key^="note:"]:focus').getByText("Ask Grace").waitFor();
  // A row that gets the focus right after the dialog has closed keeps the focus.
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("textbox", { name: "Note" }).waitFor();
  expect(await page.evaluate(leaveAndGoOn)).toBe("group:offer");
  await run("lock", "Lock");
  await page.locator('[data-key="group:offer"]').getByText("1 block · locked").waitFor();
  await run("unlo", "Unlock");
  await run("frame aro", "Add a frame around the selection");
  await page.locator('[data-key^="frame:"][aria-selected="true"]').waitFor();
  await page.getByRole("dialog").getByRole("textbox", { name: "Title of the frame" }).fill("Closing");
  await page.keyboard.press("Escape");
  await page.locator('[data-key^="frame:"]:focus').getByText("Closing").waitFor();
  await page.keyboard.press("Delete");
  await page.locator('[data-key^="frame:"]').waitFor({ state: "detached" });
  await looksRight(page, "outline-beside");
  expect(problems.filter((one) => !one.includes("net::ERR_FAILED"))).toEqual([]);
  await saved(page);
  await run("members", "Members");
  await page.waitForURL("**/settings/members");
  await run("second", "Second bot");
  await page.locator(".outline-row").first().waitFor();
});

inBrowser("variables can be renamed, merged and removed", async ({ context, problems }) => {
  const botId = await host.makeBot(ada, await host.api.makeWorkspace(ada), shop());
  const page = await openFlow(context, host, { user: ada, botId, at: "hello" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Variables" }).click();
  const row = (id: string) => page.locator(`[data-variable="${id}"]`);
  const dialog = page.getByRole("dialog");
  await row(idOf("v1")).getByText("written 1× · read 2×").waitFor();
  await row(idOf("v1")).getByRole("button", { name: "Details of Name" }).click();
  await page.getByText("2 variables are called “Plan”").waitFor();
  await looksRight(page, "variables");

  await row(idOf("v1")).getByRole("textbox", { name: "Name" }).fill("First name");
  await page.keyboard.press("Enter");
  await dialog.getByText("These 2 places will be updated:").waitFor();
  await looksRight(page, "rename");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await page.locator('[data-key="block:bye"]').getByText("Bye {{First name}}").waitFor();

  await page.getByRole("button", { name: "Merge the variables" }).click();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await row(idOf("v3")).waitFor({ state: "detached" });
  await row(idOf("v4")).getByRole("button", { name: "Details of Left over" }).click();
  await row(idOf("v4")).getByRole("button", { name: "Merge into…" }).click();
  await dialog.getByRole("combobox", { name: "Into" }).fill("Plan");
  await page.keyboard.press("Enter");
  await dialog.getByText("“Left over” will be removed. Nothing else will change.").waitFor();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await row(idOf("v4")).waitFor({ state: "detached" });
  await row(idOf("v2")).getByRole("button", { name: "Details of Plan" }).click();
  await row(idOf("v2")).getByRole("button", { name: "Remove…" }).click();
  await dialog.getByText("One place uses this variable.").waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await row(idOf("v2")).waitFor({ state: "detached" });
  await saved(page);
  const draft = await host.draft(ada, botId);
  expect(draft.variables).toEqual([{ id: idOf("v1"), name: "First name" }]);
  expect(JSON.stringify(draft.groups)).not.toContain(idOf("v2"));

  // On a phone, the same parts are sheets, and a button opens the palette.
  await page.setViewportSize({ width: 390, height: 844 });
  await looksRight(page, "variables-phone");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Command palette/ }).click();
  await page.getByRole("option").first().waitFor();
  await looksRight(page, "palette-phone");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Find in this flow" }).fill("shop");
  await page.getByText("5 matches", { exact: true }).waitFor();
  await looksRight(page, "find-phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(problems).toEqual([]);
});

inLongRun(
  "a found text is scrolled to an uncovered position, and opening the search does not resize the canvas",
  async ({ context, problems }) => {
    const workspaceId = await host.api.makeWorkspace(ada);
    const groups = Array.from({ length: 100 }, (_, index) => ({
      id: `g${index}`,
      title: `Step ${index}`,
      graphCoordinates: { x: (index % 10) * 360, y: Math.floor(index / 10) * 320 },
      blocks: [text(`t${index}`, { text: `How do you like product number ${index}?` })],
    }));
    const botId = await host.makeBot(ada, workspaceId, { ...shop(), groups, edges: [] });
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await boxOf(".canvas");
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find in this flow" }).fill("number 77");
    await page.locator(".find-hit").first().waitFor();
    expect(await boxOf(".canvas")).toEqual(before);
    const find = await boxOf(".find");
    expect(find.width).toBe(380);
    expect(find.x + find.width).toBe(before.x + before.width - 12);
    // In a distant view without readable cards, each hit is zoomed in and centred in the free area, with a ring around
    // it.
    await page.locator(".canvas").focus();
    await page.keyboard.press("1");
    await page.locator(".canvas.is-far").waitFor();
    await page.getByRole("searchbox", { name: "Find in this flow" }).fill("number 44?");
    await page.keyboard.press("Enter");
    const found = page.locator("#card-g44 .canvas-row.is-active");
    await found.waitFor();
    expect(Number.parseInt((await page.locator(".canvas-zoom").textContent()) ?? "", 10)).toBe(60);
    expect(await found.evaluate((row) => getComputedStyle(row).outlineWidth)).toBe("2px");
    // Each hit is approached from either side.
    for (const index of [77, 9, 90, 0, 99]) {
      await page.getByRole("searchbox", { name: "Find in this flow" }).fill(`number ${index}?`);
      await page.keyboard.press("Enter");
      await page.locator(`#card-g${index}.is-active, #card-g${index} .is-active`).first().waitFor();
      await waitFor(async () => {
        const card = await boxOf(`#card-g${index}`);
        const covers = await Promise.all([".find", ".canvas-map", ".act-bar", ".canvas-tools"].map(boxOf));
        const canvas = await boxOf(".canvas");
        const isWithin =
          card.x >= canvas.x &&
          card.y >= canvas.y &&
          card.x + card.width <= canvas.x + canvas.width &&
          card.y + card.height <= canvas.y + canvas.height;
        return isWithin && !covers.some((cover) => overlaps(card, cover));
      });
    }
    await looksRight(page, "find");
    await page.setViewportSize({ width: 390, height: 844 });
    await looksRight(page, "find-narrow");
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);

/**
 * Runs in the page: closes the dialog, focuses a row before any timer, as a quick key would, and returns the focused
 * element a moment later.
 */
async function leaveAndGoOn(): Promise<string | undefined> {
  document.querySelector<HTMLElement>("dialog [aria-label=Close]")?.click();
  for (let left = 100; left > 0; left--) await Promise.resolve();
  if (document.querySelector("dialog")) throw new Error("The dialog is still there");
  document.querySelector<HTMLElement>('[data-key="group:offer"]')?.focus();
  await new Promise((resolve) => setTimeout(resolve));
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset["key"] : undefined;
}
