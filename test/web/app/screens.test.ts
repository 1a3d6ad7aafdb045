import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, publish, says } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let host: BuilderHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openBuilderHost();
});
afterAll(() => host.close());

const calm = { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } } as const;

inBrowser(
  "a person signs in with a token and signs out",
  async ({ page, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await page.goto(`${host.origin}/app/w/${workspaceId}/archive`);
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Please fill in this field.").waitFor();
    await page.getByLabel("Token").fill("parley_nobody");
    await page.keyboard.press("Enter");
    await page.getByText("This token is wrong").waitFor();
    await page.getByLabel("Token").fill(ada.token);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No archived bots" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/w/${workspaceId}/archive`);

    await page.getByRole("button", { name: "Ada" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    // The test rejects some requests on purpose.
    expect(problems.filter((problem) => !problem.includes("status of 401"))).toEqual([]);
  },
  calm,
);

inLongRun(
  "`?` opens the list of keys on screens of the workspace, the account and a bot, but not in text fields",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    const bot = { name: "Leads", ...flowOf([says("Hello")]) };
    const made = await host.api.client.post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot } });
    const at = `/bots/${made.text("bot.id")}`;
    await host.signIn(context, ada.userId);
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    const screens = [
      `/w/${workspaceId}`,
      "/account",
      at,
      ...["theme", "settings", "share", "results", "tests", "versions"].map((part) => `${at}/${part}`),
    ];
    for (const path of screens) {
      await page.goto(`${host.origin}/app${path}`);
      await page.locator("#main").first().waitFor();
      await page.locator(".app-skeleton").first().waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await keys.getByText("Command palette").waitFor();
      await page.keyboard.press("Escape");
      await keys.waitFor({ state: "detached" });
    }
    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page.getByRole("searchbox").first().fill("What");
    await page.keyboard.press("?");
    expect(await page.getByRole("searchbox").first().inputValue()).toBe("What?");
    expect(await keys.count()).toBe(0);
    await page.getByRole("button", { name: "Ada" }).click();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await keys.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    // The share screen requests the page of a bot that has no page yet.
    expect(problems.filter((problem) => !problem.includes("status of 404"))).toEqual([]);
  },
  calm,
);

inLongRun(
  "a newcomer who left before naming a workspace is offered to create a workspace",
  async ({ page, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    await page.goto(`${host.origin}/app`);
    await page.getByLabel("Token").fill(ada.token);
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("button", { name: "New workspace" }).click();
    await page.getByLabel("Workspace name").fill("Engines");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/w/*");
    await page.getByRole("heading", { name: "What will your first bot do?" }).waitFor();
    expect(problems.filter((problem) => !problem.includes("status of 401"))).toEqual([]);
  },
  calm,
);

inBrowser(
  "an author creates, finds, renames, moves and archives a bot",
  async ({ page, context, problems, outside }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await host.signIn(context, ada.userId);
    const home = `${host.origin}/app/w/${workspaceId}`;
    await page.goto(`${host.origin}/app`);
    await page.getByRole("heading", { name: "What will your first bot do?" }).waitFor();
    expect(page.url()).toBe(home);
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "From a template" }).click();
    await page.getByRole("heading", { name: "Quiz with score" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Use this template: Quiz with score" }).click();
    await page.waitForURL("**/app/bots/*");

    await page.goto(home);
    await page.getByRole("button", { name: "New bot" }).click();
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByLabel("Or paste JSON here").fill("{ no");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("This is not valid JSON").waitFor();
    const groups = [{ id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [{ id: "b", type: "Nonsense" }] }];
    const pasted = { version: "6.1", name: "Imported", groups, edges: [], variables: [], events: [] };
    await page.getByLabel("Or paste JSON here").fill(JSON.stringify(pasted));
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("1 block will be skipped").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create bot" }).click();
    await page.waitForURL("**/app/bots/*");

    await page.goto(home);
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Folder name").fill("Campaigns");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: "Campaigns" }).waitFor();
    const row = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
    await row("Quiz").getByRole("button", { name: "More actions for Quiz with score" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Coffee quiz");
    await page.keyboard.press("Enter");
    await row("Coffee quiz").waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("searchbox", { name: "Search bots" }).fill("coffee");
    await row("Imported").waitFor({ state: "detached" });
    expect(page.url()).toBe(`${home}?q=coffee`);
    await page.getByRole("checkbox", { name: "Select Coffee quiz" }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Move to…" }).click();
    await page.getByRole("dialog").getByRole("treeitem", { name: "Campaigns" }).click();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Move here" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("treeitem", { name: "Campaigns" }).click();
    await row("Coffee quiz").waitFor();

    await row("Coffee quiz")
      .getByRole("button", { name: /More actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Archive", exact: true }).last().click();
    await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row("Coffee quiz").waitFor();
    const { body } = await host.api.client.get("/api/v1/bots", {
      token: ada.token,
      query: { workspaceId, search: "coffee" },
    });
    expect(body).toMatchObject({ bots: [{ name: "Coffee quiz", isArchived: false, state: "draft" }] });
    expect(problems).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);

inLongRun(
  "bots that link to a bot are listed before the linked bot is archived",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await host.signIn(context, ada.userId);
    const make = (bot: object) =>
      host.api.client.post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot } });
    const inner = (await make({ name: "Inner" })).text("bot.id");
    await make({ name: "Outer", ...flowOf([{ id: "link", type: "Typebot link", options: { typebotId: inner } }]) });
    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page.getByRole("button", { name: "More actions for Inner" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    const warning = "Another bot has a link that will stop working: “Outer”";
    await page.getByRole("dialog").getByText(warning).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "a workspace, its invitations and tokens can be edited in the builder",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await host.signIn(context, ada.userId);
    const base = `${host.origin}/app/w/${workspaceId}/settings`;
    await page.goto(base);
    await page.getByLabel("Name", { exact: true }).fill("Support team");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Support team" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill("grace@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Send this link").first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("row", { name: /grace@example.com/ })
      .getByRole("button", { name: "Withdraw" })
      .click();
    await page.getByText("No pending invitations.").waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Token name").fill("Deployment");
    await page.keyboard.press("Enter");
    await page.getByText("Copy this token now").first().waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /Deployment/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    for (const name of ["Events", "Credentials"]) {
      await page.getByRole("link", { name }).click();
      await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
    }

    await page.goto(`${host.origin}/app/account/sign-ins`);
    await page.getByText("this browser", { exact: true }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    await page.getByRole("radio", { name: "Dunkel" }).check({ force: true });
    await page.reload();
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset["scheme"])).toBe("dark");
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "an expired sign-in can be renewed without losing input",
  async ({ page, context }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await host.signIn(context, ada.userId);
    await page.goto(`${host.origin}/app/w/${workspaceId}/settings`);
    await page.getByLabel("Name", { exact: true }).fill("Half typed");
    await context.clearCookies();
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Please sign in again" });
    await dialog.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.getByLabel("Token").fill(ada.token);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Half typed");

    await page.goto(`${host.origin}/app/w/01m830bk7sxja6v8xbqwaktf08`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.goto(`${host.origin}/app/nowhere/at/all`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page.getByRole("heading", { name: "What will your first bot do?" }).waitFor();
    await context.setOffline(true);
    await page.getByText("No connection").waitFor();
    await page.getByRole("link", { name: "Bin" }).click();
    await page
      .getByRole("button", { name: "Reload" })
      .or(page.getByRole("button", { name: "Try again" }))
      .first()
      .waitFor();
    expect(await axeProblems(page)).toEqual([]);
  },
  calm,
);

inBrowser(
  "a person's results are erased after a confirmation",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    const [bot, token] = [{ name: "Leads", ...flowOf([says("Hello")]) }, ada.token];
    const { botId } = await publish(host.api.client, { token, workspaceId }, bot);
    const variables = [{ id: idOf("Email"), name: "Mail" }];
    await host.api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { variables }, overwrite: true } });
    const put = (value: string) =>
      putResult(host.api.deps.sql, botId, { variables: [{ id: idOf("Email"), name: "Email", value }] });
    const answers = [{ content: "ben@example.com", variableId: idOf("Email") }];
    await putResult(host.api.deps.sql, botId, { answers });
    for (const value of ["ben@example.com", "BEN@example.com ", "ben@example.com.au"]) await put(value);
    await host.signIn(context, ada.userId);
    await page.goto(`${host.origin}/app/w/${workspaceId}/settings/erasures`);
    await page.getByRole("heading", { name: "No erasures yet" }).waitFor();
    const count = async (value: string, { isFolded = true } = {}) => {
      await page.getByRole("button", { name: "Erase a person" }).click();
      await page.getByLabel("Variable", { exact: true }).fill("Email");
      await page.getByLabel("Value", { exact: true }).fill(value);
      if (!isFolded) await page.getByLabel("Ignore case and spacing").uncheck();
      await page.getByRole("button", { name: "Count" }).click();
    };

    await count(" Ben@Example.com", { isFolded: false });
    const none = page.getByRole("dialog", { name: "Nothing found" });
    await none.getByRole("button", { name: "Back" }).click();
    expect(await page.getByLabel("Ignore case and spacing").isChecked()).toBe(false);
    await page.getByRole("button", { name: "Cancel" }).click();
    await count(" Ben@Example.com");
    const found = page.getByRole("dialog", { name: "Erase 3 results?" });
    await found.getByText("Leads: 3 results").waitFor();
    await found.getByText("1 result has this value only in answers").waitFor();
    await found.getByText("Leads: Mail, Email", { exact: true }).waitFor();
    await found.getByText("BEN@example.com", { exact: true }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await countResults()).toBe(4);
    expect(await found.getByRole("button", { name: "Erase" }).isDisabled()).toBe(true);
    await found.getByRole("textbox").fill("Ben@Example.com");
    await found.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("dialog", { name: "3 results erased" }).getByRole("button", { name: "Close" }).last().click();
    expect(await countResults()).toBe(1);
    await page.getByRole("cell", { name: "3", exact: true }).waitFor();

    await count("ben@example.com");
    await none.getByRole("button", { name: "Keep a receipt for 0 results" }).click();
    await page.getByRole("dialog", { name: "0 results erased" }).getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /Email · any spelling 0 Nothing found/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
    expect(problems).toEqual([]);

    async function countResults(): Promise<number> {
      return (await host.api.deps.sql`select from results where bot_id = ${botId} and not is_archived`).length;
    }
  },
  calm,
);

inLongRun(
  "on a phone the side bar is a sheet, and nothing scrolls sideways",
  async ({ page, context }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    const bot = { name: "A bot with a name that is much longer than any phone is wide" };
    await host.api.client.post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot } });
    await host.signIn(context, ada.userId);
    for (const path of [`/w/${workspaceId}`, `/w/${workspaceId}/settings/members`, "/account", "/account/tokens"]) {
      await page.goto(`${host.origin}/app${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("status").filter({ hasText: "Loading" }).first().waitFor({ state: "detached" });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await axeProblems(page)).toEqual([]);
    }
    await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Bots" }).click();
    await page.getByRole("link", { name: /A bot with a name/ }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  },
  { ...calm, viewport: { width: 320, height: 640 }, hasTouch: true, colorScheme: "dark" },
);

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
