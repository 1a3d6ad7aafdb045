import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { ownClient, person } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { pick } from "../../support/author.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { testKey } from "../../support/events.ts";
import { saved } from "../../support/flow-page.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

// An author's first hour with tables, calls and payments: from a workspace without a bot to a preview that tells of each.

const inBrowser = browserTests();
let google: FakeGoogle;
let host: AppHost;

beforeAll(async () => {
  google = await startFakeGoogle();
  host = await openAppHost({
    config: {
      ...{ ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]) },
      ...{ GOOGLE_CLIENT_ID: ownClient.id, GOOGLE_CLIENT_SECRET: ownClient.secret },
    },
  });
});
afterAll(async () => {
  await host.close();
  await google.close();
});

/** The acts of an author with a pointer. */
type Hands = {
  /** Adds a block behind the one that is chosen. */
  add(name: string): Promise<void>;
  /** Goes to the thing and presses it. */
  press(role: "button" | "switch" | "tab" | "link", name: string, within?: string): Promise<void>;
  /** Unfolds the rest of the form. */
  more(): Promise<void>;
  /** Puts a text into a field. */
  write(role: "textbox" | "combobox", name: string, text: string): Promise<void>;
  /** Takes an option of a field that offers some. */
  choose(name: string, option: string): Promise<void>;
  select(name: string, option: string): Promise<void>;
  /** Leads the way out with these words to a new group that says something. */
  lead(way: string): Promise<void>;
};

const inForm = (page: Page) => page.waitForFunction(() => document.activeElement?.closest("[data-panel-body]"));

function byPointer(page: Page): Hands {
  const form = page.locator("[data-panel-body]");
  return {
    async add(name) {
      const found = page.locator(".palette-block", { hasText: name }).first();
      await found.scrollIntoViewIfNeeded();
      await found.click();
      await inForm(page);
    },
    press: (role, name, within = "body") => page.locator(within).getByRole(role, { name, exact: true }).last().click(),
    more: () => form.getByText("More", { exact: true }).click(),
    async write(role, name, text) {
      await form.getByRole(role, { name, exact: true }).last().click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    async choose(name, option) {
      await form.getByRole("combobox", { name, exact: true }).last().click();
      await page.getByRole("option", { name: optionOf(option) }).click();
    },
    select: async (name, option) => void (await form.getByLabel(name, { exact: true }).selectOption(option)),
    async lead(way) {
      const from = await page.locator(".canvas-row.is-way", { hasText: way }).boundingBox();
      if (!from) throw new Error(`There is no way out ${way}`);
      await page.mouse.move(from.x + from.width, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(from.x + from.width + 90, from.y + 60, { steps: 4 });
      await page.mouse.up();
      await pick(page, "Text");
    },
  };
}

/** An option by its name; a sheet has its number behind it. */
const optionOf = (name: string) => new RegExp(`^${name}( \\d+)?$`);

/** Each screen on the way is sound before the author goes on. */
async function station(page: Page, name: string): Promise<void> {
  expect({ name, axe: await axeProblems(page), layout: await layoutProblems(page) }).toEqual({
    name,
    axe: [],
    layout: [],
  });
}

async function hour(page: Page, context: BrowserContext, handsOf: (page: Page) => Hands): Promise<void> {
  const hands = handsOf(page);
  // On a phone the form of a block is a dialog, too.
  const dialog = page.locator("dialog.is-dialog");
  const spreadsheet = google.sheets.make({
    tab: "Leads of spring",
    rows: [["Name", "Paid"]],
    sharedWith: [person.account],
  });
  await host.signIn(context);
  await page.goto(`${host.builder}/w/${await host.api.makeWorkspace(host.owner)}`);
  await page
    .getByRole("button", { name: "Blank" })
    .or(page.getByRole("button", { name: "New bot" }))
    .first()
    .waitFor();
  await station(page, "empty workspace");
  await page.getByRole("button", { name: "New bot" }).first().press("Enter");
  await page.getByRole("tab", { name: "Blank bot" }).press("Enter");
  await page.getByLabel("Bot name").fill("Enrolment");
  await page.keyboard.press("Enter");

  await page.getByRole("button", { name: "Say hello" }).or(page.locator(".outline-row")).first().waitFor();
  await station(page, "empty flow");
  if (await page.getByRole("button", { name: "Say hello" }).count())
    await page.getByRole("button", { name: "Say hello" }).press("Enter");
  else {
    await page.locator(".outline-row").first().focus();
    await hands.add("Text");
  }
  await page.waitForFunction(() => document.activeElement?.matches("[data-panel-body] [contenteditable]"));
  await page.keyboard.type("What is your name?");
  await hands.add("Text input");
  await page.keyboard.type("Name");
  await page.keyboard.press("Enter");

  await hands.add("Google Sheets");
  await station(page, "sheet without account");
  await hands.choose("Google account", "New credentials …");
  await dialog.getByRole("button", { name: "Connect Google" }).waitFor();
  await station(page, "new account");
  const [tab] = await Promise.all([context.waitForEvent("page"), hands.press("button", "Connect Google", "dialog")]);
  await tab.getByText("The account is connected").waitFor();
  await station(tab, "connected tab");
  await tab.close();
  await dialog.getByText(`Connected as ${person.account}`).waitFor();
  await station(page, "connected account");
  await hands.press("button", "Save", "dialog");
  await dialog.waitFor({ state: "detached" });
  await hands.write("textbox", "Spreadsheet", `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit`);
  await hands.choose("Sheet", "Leads of spring");
  await hands.select("Action", "Insert a row");
  await hands.press("button", "Add to Cells", "[data-panel-body]");
  await hands.choose("Column", "Name");
  await hands.write("textbox", "Value", "{{Name}}");
  await station(page, "sheet with a cell");

  await hands.add("Wait for a call");
  await hands.more();
  await hands.press("switch", "When nobody answers", "[data-panel-body]");
  await station(page, "call with a time-out");

  await hands.add("Payment");
  await station(page, "payment without account");
  await hands.choose("Stripe account", "New credentials …");
  await dialog.getByLabel("Live publishable key").fill("pk_live_1");
  await dialog.getByLabel("Live secret key").fill("sk_live_1");
  await station(page, "shop");
  await hands.press("button", "Create", "dialog");
  await dialog.waitFor({ state: "detached" });
  await hands.write("textbox", "Amount", "12.50");
  await station(page, "payment");
  await hands.add("Text");
  await page.waitForFunction(() => document.activeElement?.matches("[data-panel-body] [contenteditable]"));
  await page.keyboard.type("See you soon, {{Name}}");
  await hands.lead("After 10 minutes");
  await page.waitForFunction(() => document.activeElement?.matches("[data-panel-body] [contenteditable]"));
  await page.keyboard.type("Nobody called");
  await station(page, "flow");
  await saved(page);
  // The address of a spreadsheet is asked about as a whole.
  expect(google.asked.filter(({ path }) => path === `/v4/spreadsheets/${spreadsheet}`).length).toBeLessThan(4);

  await hands.press("button", "Preview");
  const chat = page.frameLocator("iframe");
  const happened = page.getByRole("region", { name: "What happened" });
  await chat.getByRole("textbox").fill("Ada");
  await chat.getByRole("textbox").press("Enter");
  await happened.getByRole("button", { name: "Send a call" }).waitFor();
  await station(page, "waits for a call");
  expect(google.sheets.rowsOf(spreadsheet)).toEqual([["Name", "Paid"], ["Ada"]]);
  await hands.press("button", "Send a call", ".preview-inspector");
  await happened.getByRole("heading", { name: "A call came" }).waitFor();
  await chat.getByText("12.50").first().waitFor();
  await station(page, "payment in the preview");
  await chat.getByRole("button", { name: /Pay/ }).press("Enter");
  await chat.getByText("See you soon, Ada").waitFor();
  await happened.getByText("The chat has ended").waitFor();
  await station(page, "trace");
  expect((await happened.locator(".preview-step").allInnerTexts()).map((step) => step.split(/\n+/))).toEqual([
    ["Step 1", "Text: What is your name?", "Text input: Name"],
    [
      ...[
        "You: Ada",
        "Name = Ada",
        "Google Sheets",
        `Insert a row ${spreadsheet}`,
        expect.stringMatching(/^OK \d+ ms$/),
      ],
      ...["Succesfully inserted row in Leads > Leads of spring", "Wait for a call"],
    ],
    ["A call came", "Payment", "Payment", expect.stringMatching(/^OK/)],
    ["You: Success", "Text: See you soon, {{Name}}", "The chat has ended"],
  ]);

  await hands.press("button", "Restart");
  await chat.getByRole("textbox").fill("Bo");
  await chat.getByRole("textbox").press("Enter");
  await happened.getByRole("button", { name: "Let time pass" }).waitFor();
  await hands.press("button", "Let time pass", ".preview-inspector");
  await happened.getByRole("heading", { name: "The time was over" }).waitFor();
  await chat.getByText("Nobody called").waitFor();
}

inBrowser(
  "an author connects Google, adds a lead to a sheet, waits for a call and takes a payment, and the preview tells all of it",
  async ({ page, context, problems }) => {
    await hour(page, context, byPointer);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" },
);
