import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { type FlowHost, openFlow, openFlowHost, saved, toldOn } from "../../support/flow-page.ts";

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

const rows = (page: Page) =>
  page.locator(".outline-row").evaluateAll((found) => found.map((row) => row.getAttribute("aria-label")));
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const pick = async (page: Page, words: string) => {
  await page.getByRole("combobox").last().waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
};

inBrowser("a lead bot is built by keys alone, and every line is told by its name", async ({ context, problems }) => {
  const botId = await host.makeBot(ada, workspaceId);
  const page = await openFlow(context, host, { user: ada, botId });
  for (let tabs = 0; tabs < 25 && !(await page.evaluate(() => document.activeElement?.matches(".outline-row"))); tabs++)
    await press(page, "Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Start, nowhere");
  const add = async (words: string) => {
    await press(page, "a");
    await pick(page, words);
    await page.waitForFunction(() => document.activeElement?.closest("[data-panel-body]"));
  };
  const back = async () => {
    await press(page, "Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".outline-row"));
  };

  await add("Text");
  await page.waitForFunction(() => document.activeElement?.matches("[contenteditable]"));
  await page.keyboard.type("Welcome");
  await back();
  await add("Email");
  await page.keyboard.type("Mail");
  await press(page, "Enter");
  await back();
  await add("Buttons");
  await back();
  await press(page, "ArrowDown", "Enter");
  await page.waitForFunction(() => document.activeElement?.closest("[data-panel-body]"));
  await page.keyboard.type("Yes");
  await back();
  await press(page, "c");
  await pick(page, "Offer");
  await page.getByRole("row", { name: /^Group Offer/ }).waitFor();
  await add("Text");
  await page.waitForFunction(() => document.activeElement?.matches("[contenteditable]"));
  await page.keyboard.type("Here it is");
  await back();
  await saved(page);
  await page.locator(".outline-row.is-item").focus();
  await press(page, "i", "Enter");
  await page.waitForFunction(() => document.activeElement?.closest("[data-panel-body]"));
  await page.keyboard.type("No");
  await back();
  await press(page, "c");
  await pick(page, "End");
  await add("Condition");
  await back();
  await saved(page);

  expect(await rows(page)).toEqual([
    "Start, leads to Group #1",
    "Group Group #1, 3 blocks",
    "Text, Welcome",
    expect.stringMatching(/^Email, .*saved to Mail/),
    expect.stringMatching(/^Buttons, 2 items/),
    "Item 1, Yes, leads to Offer",
    "Item 2, No, leads to End",
    "Group Offer, 1 block",
    expect.stringMatching(/^Text, Here it is, ends here/),
    "Group End, 1 block",
    expect.stringMatching(/^Condition, 1 item, ends here/),
    expect.stringMatching(/^Item 1/),
  ]);
  const draft = await host.draft(ada, botId);
  expect(draft.groups.map(({ title, blocks }) => [title, blocks.map(({ type }) => type)])).toEqual([
    ["Group #1", ["text", "email input", "choice input"]],
    ["Offer", ["text"]],
    ["End", ["Condition"]],
  ]);
  expect(draft.variables.map(({ name }) => name)).toEqual(["Mail"]);
  expect(draft.edges).toHaveLength(3);
  const told = (await toldOn(page)).map((one) => one.replace(/\u00a0/g, " ").trim());
  for (const said of ["Add “Text”", "Add “Buttons”", "Add an item", "Saved"]) expect(told).toContain(said);
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});
