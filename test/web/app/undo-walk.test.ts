import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { idOf } from "../../support/builder-ids.ts";
import { flowTests, openFlow, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

const tests = flowTests();
const { inLongRun } = tests;

const says = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const shop = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: -250, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        says("hello", "Hello {{Name}}"),
        {
          id: "plan",
          type: "choice input",
          items: [
            { id: "small", content: "Small" },
            { id: "large", content: "Large" },
          ],
          options: { variableId: idOf("v1") },
        },
      ],
    },
    { id: "offer", title: "Offer", graphCoordinates: { x: 0, y: 330 }, blocks: [says("bye", "Hello and bye")] },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } }],
  variables: [
    { id: idOf("v1"), name: "Plan" },
    { id: idOf("v2"), name: "Name" },
    { id: idOf("v3"), name: "Left over" },
  ],
};

/** Returns the parts of the service's draft that undo can change. */
async function draftOf(botId: string): Promise<object> {
  const { groups, events, edges, variables, ...rest } = await tests.draft(botId);
  return {
    groups,
    events,
    edges,
    variables,
    theme: Reflect.get(rest, "theme"),
    settings: Reflect.get(rest, "settings"),
    editor: Reflect.get(rest, "editor"),
  };
}

/**
 * Performs and counts the actions of an author at the flow screen. After each action, the test waits until undo offers
 * the action.
 */
function authorOf(page: Page) {
  const acts: string[] = [];
  const row = (id: string) => page.locator(`[id^="card-row-${id}-"]`);
  const title = (id: string) => page.locator(`#card-${id} .canvas-title`);
  const toolbar = page.getByRole("toolbar", { name: "Selection" });
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    acts,
    row,
    press,
    toolbar,
    async does(name: string, act: () => Promise<unknown>): Promise<void> {
      await act();
      await page.getByRole("button", { name: `Undo: ${name}`, exact: true }).waitFor();
      acts.push(name);
    },
    async choose(id: string): Promise<void> {
      await title(id).click();
      await page.locator(".canvas").focus();
    },
    async pick(words: string): Promise<void> {
      await page.getByRole("combobox").last().waitFor();
      await page.keyboard.type(words);
      await page.locator("dialog").getByRole("option", { selected: true }).waitFor();
      await press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
    },
    /** Pastes a text with the event that browsers send. */
    paste: (text: string) =>
      page.evaluate((given) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", given);
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        document.querySelector(".canvas")?.dispatchEvent(event);
      }, text),
  };
}
type Author = ReturnType<typeof authorOf>;

async function onTheCanvas(page: Page, { does, choose, press, pick, paste, row, toolbar }: Author): Promise<void> {
  await choose("welcome");
  await does("Add “Number”", () => page.locator(".palette-block", { hasText: "Number" }).first().click());
  await page.locator("[data-panel-body] input").first().waitFor();
  await choose("welcome");
  await does("Rename a group to “Hello there”", () => page.getByLabel("Title of the group").fill("Hello there"));
  await row("plan-small").click();
  await page.locator(".canvas").focus();
  await does("Connect to “Offer”", async () => {
    await press("c");
    await pick("Offer");
  });
  await choose("offer");
  await does("Move a group", () => press("Alt+Shift+ArrowDown"));
  await does("Duplicate", () => press("Control+d"));
  await does("Colour blue", async () => {
    await toolbar.getByRole("button", { name: "Colour" }).click();
    await page.getByRole("menuitem", { name: "blue" }).click();
  });
  await does("Lock a group", () => toolbar.getByRole("button", { name: "Lock", exact: true }).click());
  await does("Paste a part", () =>
    paste(JSON.stringify({ id: "p", title: "Pasted", blocks: [says("pasted", "From elsewhere")] })),
  );
  await does("Add a note", () => page.getByRole("button", { name: /^Note/ }).click());
  await does("Edit a note", () => page.getByRole("textbox", { name: "Note" }).fill("Ask Grace"));
  await press("Escape");
  await does("Add a frame", () => page.getByRole("button", { name: /^Frame/ }).click());
  await does("Rename a frame to “All of it”", () =>
    page.getByRole("textbox", { name: "Title of the frame" }).fill("All of it"),
  );
  await press("Escape");
  await does("Tidy up", async () => {
    const box = await page.locator(".canvas").boundingBox();
    await page.mouse.click((box?.x ?? 0) + 12, (box?.y ?? 0) + 12, { button: "right" });
    await page.getByRole("menuitem", { name: "Tidy the whole flow" }).click();
  });
}

async function inPanels(page: Page, { does, press }: Author): Promise<void> {
  const dialog = page.getByRole("dialog");
  await press("Control+f");
  await page.getByRole("searchbox", { name: "Find in this flow" }).fill("elsewhere");
  const find = page.getByRole("search");
  await find.getByRole("button", { name: "Replace…" }).click();
  await find.getByRole("textbox", { name: "Replace with" }).fill("afar");
  await does("Replace “elsewhere” with “afar”", () => find.getByRole("button", { name: /^Replace all/ }).click());
  await find.getByRole("searchbox", { name: "Find in this flow" }).press("Escape");
  await page.getByRole("button", { name: "Variables", exact: true }).click();
  const variable = (id: string) => page.locator(`[data-variable="${id}"]`);
  await variable(idOf("v2")).getByRole("button", { name: "Details of Name" }).click();
  await variable(idOf("v2")).getByRole("textbox", { name: "Name" }).fill("First name");
  await press("Enter");
  await does("Rename a variable to “First name”", () => dialog.getByRole("button", { name: "Rename" }).click());
  await variable(idOf("v3")).getByRole("button", { name: "Details of Left over" }).click();
  await variable(idOf("v3")).getByRole("button", { name: "Merge into…" }).click();
  await dialog.getByRole("combobox", { name: "Into" }).fill("Plan");
  await press("Enter");
  await does("Merge a variable into “Plan”", () => dialog.getByRole("button", { name: "Merge" }).click());
}

async function inTheOutline(page: Page, { does, press, pick }: Author): Promise<void> {
  const line = async (key: string) => {
    await page.locator(`[data-key="${key}"]`).click();
    await page.locator(`[data-key="${key}"][tabindex="0"]:focus`).waitFor();
  };
  await press("Control+.");
  await page.locator(".outline-row").first().waitFor();
  await line("block:hello");
  await does("Move a block", () => press("Alt+ArrowDown"));
  await line("item:plan:large");
  await does("Add an item", () => press("i"));
  await line("block:hello");
  await does("Duplicate", () => press("Control+d"));
  await does("Remove a block", () => press("Delete"));
  await line("group:offer");
  await does("Remove a group", () => press("Delete"));
  await does("Add the event “Reply”", async () => {
    await page.getByRole("button", { name: "Add event" }).click();
    await pick("Reply");
  });
}

inLongRun(
  "a long session over canvas, panels, outline, theme and settings can be undone and redone, over reloads",
  async ({ context, problems }) => {
    const botId = await tests.host.makeBot(tests.ada, tests.workspaceId, shop);
    const first = await draftOf(botId);
    const page = await openFlow(context, tests.host, { user: tests.ada, botId, shown: "canvas" });
    await page.setViewportSize({ width: 1500, height: 950 });
    const author = authorOf(page);
    await onTheCanvas(page, author);
    await inPanels(page, author);
    await inTheOutline(page, author);
    const section = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await section("Theme");
    await section("Bot’s bubbles");
    const color = page.getByRole("textbox", { name: "Background", exact: true });
    await author.does("Change “Background”", () => color.fill("#222222"));
    await section("Settings");
    await section("About the page");
    const name = page.getByRole("textbox", { name: "Title" });
    await author.does("Change “Title”", () => name.fill("Shop"));
    await saved(page);
    const last = await draftOf(botId);
    expect(last).not.toEqual(first);

    // Undoes or redoes until nothing is left. The number of steps must equal the number of actions.
    const steps = async (way: "Undo" | "Redo"): Promise<readonly string[]> => {
      const button = page.getByRole("button", { name: new RegExp(`^${way}`) });
      const done: string[] = [];
      for (let next = await button.getAttribute("aria-label"); next?.startsWith(`${way}: `); ) {
        const now = next;
        await button.click();
        done.push(now.slice(way.length + 2));
        next = await waitFor(
          async () => {
            const label = await button.getAttribute("aria-label");
            return label !== now || done.length > 100 ? (label ?? "") : undefined;
          },
          { what: `${now} to be done` },
        );
      }
      await saved(page);
      return done;
    };
    await page.reload();
    await page.getByRole("button", { name: "Undo: Change “Title”" }).waitFor();
    expect(await steps("Undo")).toEqual(author.acts.toReversed());
    expect(await draftOf(botId)).toEqual(first);
    await page.reload();
    await page.getByRole("button", { name: /^Redo: Add “Number”/ }).waitFor();
    expect(await steps("Redo")).toEqual(author.acts);
    expect(await draftOf(botId)).toEqual(last);
    // The page next to theme and settings is in a sandbox, where the test's own script has no storage.
    expect(problems.filter((one) => !/^Failed to load resource|sandboxed/.test(one))).toEqual([]);
  },
  { reducedMotion: "reduce" },
);
