import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { pick } from "../../support/author.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { announcementsOn, type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { listenTo, type ScreenReader } from "../../support/screen-reader.ts";

// PARLEY_RECORD=FILE records all announcements of the screen reader while the bot is built.

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(() => host.close());

inBrowser("a lead bot can be built in the outline with the keyboard alone", async ({ context, problems }) => {
  const botId = await host.makeBot(ada, workspaceId);
  const page = await openFlow(context, host, { user: ada, botId });
  const reader = await listenTo(page, () => announcementsOn(page));
  const { add, back, go, leadTo, type } = authorAt(page, reader);

  await reader.hear("Tab …", async () => {
    for (let tabs = 0; tabs < 40 && !(await isOn(page, ".outline-row")); tabs++) await page.keyboard.press("Tab");
  });
  await add("Text");
  await type("Welcome");
  await back();
  await add("Email");
  await type("Mail");
  await reader.hear("Enter", () => page.keyboard.press("Enter"));
  await back();
  await add("Buttons");
  await back();
  await go("Option 1");
  await type("Yes", { isOpening: true });
  await back();
  await leadTo("Offer");
  await add("Text");
  await type("Here it is");
  await back();
  await add("Condition");
  await back();
  await go("Branch 1");
  await leadTo("Request");
  await add("HTTP request");
  await reader.hear("Tab Tab", async () => {
    while (!(await isOn(page, "[data-panel-body] input"))) await page.keyboard.press("Tab");
  });
  await type("https://crm.example.com/leads");
  await back();
  await go("Option 1, Yes");
  await reader.hear("I", async () => {
    await page.keyboard.press("i");
    await page.getByRole("row", { name: "Option 2" }).waitFor();
  });
  await type("No", { isOpening: true });
  await back();
  await leadTo("End");
  await add("Text");
  await type("Good bye");
  await back();
  await go("HTTP request");
  await leadTo("End");
  await saved(page);

  if (process.env["PARLEY_RECORD"]) await Bun.write(process.env["PARLEY_RECORD"], `${reader.lines.join("\n")}\n`);
  expect(await reader.namesOf("treegrid")).toEqual(["Flow of Leads, 4 groups"]);
  expect(await reader.namesOf("row")).toEqual([
    expect.stringContaining("What Says Saves to"),
    "Start, leads to Group #1",
    "Group Group #1, 3 blocks",
    "Text, Welcome",
    expect.stringMatching(/^Email, .*saved to Mail/),
    expect.stringMatching(/^Buttons, 2 items/),
    "Option 1, Yes, leads to Offer",
    "Option 2, No, leads to End",
    "Group Offer, 2 blocks",
    "Text, Here it is",
    expect.stringMatching(/^Condition, 1 item/),
    expect.stringMatching(/^Branch 1, leads to Request/),
    "Group Request, 1 block",
    expect.stringMatching(/^HTTP request, .*crm\.example\.com.*, leads to End/),
    "Group End, 1 block",
    expect.stringMatching(/^Text, Good bye, ends here/),
  ]);
  const said = reader.lines.flatMap((line) => /^ {2}says: (.*)/.exec(line)?.[1] ?? []);
  expect(said.filter((one) => !/^Saved|finding|hint|warning/.test(one))).toEqual([
    "Add “Text”",
    "Add “Email”",
    "Add the variable “Mail”",
    "Add “Buttons”",
    "Add a group",
    "Add “Text”",
    "Add “Condition”",
    "Add a group",
    "Add “HTTP request”",
    "Add an item",
    "Add a group",
    "Add “Text”",
    "Connect to “End”",
  ]);
  expect(said).toContain("Saved");
  // The focused row was announced with its role, level and selection.
  expect(reader.lines).toContain("  focus: Start, nowhere, row, level 1, selected");
  const draft = await host.draft(ada, botId);
  expect(draft.groups.map(({ title, blocks }) => [title, blocks.map((block) => block["type"])])).toEqual([
    ["Group #1", ["text", "email input", "choice input"]],
    ["Offer", ["text", "Condition"]],
    ["Request", ["Webhook"]],
    ["End", ["text"]],
  ]);
  expect(draft.variables.map(({ name }) => name)).toEqual(["Mail"]);
  expect(draft.edges).toHaveLength(5);
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

const isOn = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
const toBeOn = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

/** Builds a flow in the outline by keys only, as an author does. */
function authorAt(page: Page, reader: ScreenReader) {
  const inForm = () => toBeOn(page, "[data-panel-body] *");
  return {
    /** Adds a block after the focused row. The focus moves to the form of the block. */
    add: (name: string) =>
      reader.hear(`A ${name} Enter`, async () => {
        await page.keyboard.press("a");
        await pick(page, name);
        await inForm();
        if (name === "Text") await toBeOn(page, "[contenteditable]");
      }),
    type: (text: string, { isOpening = false } = {}) =>
      reader.hear(isOpening ? `Enter ${text}` : text, async () => {
        if (isOpening) {
          await page.keyboard.press("Enter");
          await inForm();
        }
        await page.keyboard.type(text);
      }),
    back: () =>
      reader.hear("Escape", async () => {
        await page.keyboard.press("Escape");
        await toBeOn(page, ".outline-row");
      }),
    /** Moves to the last row with the name, starting at the first row. */
    go: (name: string) =>
      reader.hear(`Home ↓ … to ${name}`, async () => {
        const rows = await page
          .locator(".outline-row")
          .evaluateAll((all) => all.map((row) => [row.getAttribute("aria-label") ?? "", row.getAttribute("data-key")]));
        const index = rows.findLastIndex(([label]) => new RegExp(`^${name}`).test(label ?? ""));
        if (index < 0) throw new Error(`There is no ${name} in ${JSON.stringify(rows)}`);
        await page.keyboard.press("Home");
        for (let row = 0; row < index; row++) await page.keyboard.press("ArrowDown");
        await toBeOn(page, `[data-key="${rows[index]?.[1]}"]`);
      }),
    leadTo: (group: string) =>
      reader.hear(`C ${group} Enter`, async () => {
        await page.keyboard.press("c");
        await pick(page, group);
        await page
          .getByRole("row", { name: new RegExp(`leads to ${group}`) })
          .first()
          .waitFor();
        await toBeOn(page, ".outline-row");
      }),
  };
}
