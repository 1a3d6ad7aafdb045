import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { putSignIn } from "../../support/sign-ins.ts";

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const asOutline = (context: BrowserContext) =>
  context.addInitScript(() => {
    if (origin !== "null") localStorage.setItem("parley.flow-view", "outline");
  });
const calm = { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } } as const;
const choice = (id: string, ...words: readonly string[]) => ({
  id,
  type: "choice input",
  items: words.map((content) => ({ id: `${id}-${content}`, content })),
});
const tea = (hello: string, ...more: readonly object[]) => flowOf([says(hello, "hello"), asks("text input"), ...more]);
const edit = (botId: string, bot: object, user: TestUser = host.owner) =>
  host.api.client.patch(`/api/v1/bots/${botId}`, { token: user.token, body: { bot } });
const publish = (botId: string, body: object = {}) =>
  host.api.client.post(`/api/v1/bots/${botId}/publish`, { token: host.owner.token, body: { force: true, ...body } });
const draftOf = async (botId: string) =>
  JSON.stringify((await host.api.client.get(`/api/v1/bots/${botId}`, { token: host.owner.token })).at("bot.groups"));
const row = (page: Page, number: number) => page.getByRole("row", { name: new RegExp(`Version ${number}\\b`) });
const saved = (page: Page) => page.locator(".saving-state.is-saved").waitFor();

inBrowser(
  "a newcomer publishes the first of two versions again",
  async ({ page, context, problems, outside }) => {
    await host.signIn(context);
    const { botId, address } = await host.publish(tea("Tea from small gardens"));
    await page.goto(`${host.builder}/bots/${botId}?at=hello`);
    const field = page.getByRole("textbox", { name: "Text" });
    await field.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Coffee by mistake");
    await saved(page);
    await page.getByRole("button", { name: /^Publish/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Changes 1 block.").waitFor();
    expect(await dialog.locator("del").allTextContents()).toEqual(["removed: Tea from small gardens"]);
    expect(await dialog.locator("ins").allTextContents()).toEqual(["added: Coffee by mistake"]);
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Version 2 is live").first().waitFor();
    await page.keyboard.press("Escape");
    const visitor = await context.newPage();
    await visitor.goto(address);
    await visitor.getByText("Coffee by mistake").waitFor();

    // From this point on, the test counts the presses to view the changes and to restore, guided only by the texts on
    // the screen.
    let presses = 0;
    const pressOn = async (target: Locator) => {
      presses++;
      await target.click();
    };
    const called = (name: string | RegExp, role: "button" | "link" = "button") => page.getByRole(role, { name });
    await pressOn(called("Versions", "link"));
    await row(page, 2).getByText("Live").waitFor();
    await page.getByText("The draft is the same as the live version.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await pressOn(called(/^What changed/));
    await page.getByRole("heading", { name: "From version 1 to version 2" }).waitFor();
    await page.getByText("Changes 1 block.").waitFor();
    const list = page.getByRole("region", { name: "Differences" });
    expect(await list.locator("del").allTextContents()).toEqual(["removed: Tea from small gardens"]);
    await page.getByRole("application").getByText("Coffee by mistake").waitFor();
    await pressOn(called("Publish version 1 again"));
    await dialog.getByText("Changes 1 block.").waitFor();
    expect(await dialog.getByLabel("Note for your team").inputValue()).toBe("Back to version 1");
    expect(await axeProblems(page)).toEqual([]);
    await pressOn(dialog.getByRole("button", { name: "Publish again" }));
    await page.getByText("Version 3 is live").first().waitFor();
    expect(presses).toBe(4);
    await pressOn(called("All versions", "link"));
    await row(page, 3).getByText("Back to version 1").waitFor();
    await row(page, 3).getByText("Live").waitFor();
    await page.getByText("The draft has unpublished changes").waitFor();
    // The draft is restored as well. The dialog first shows the same comparison.
    await pressOn(called("Actions for version 1"));
    await pressOn(page.getByRole("menuitem", { name: "Restore to the draft" }));
    await dialog.getByText("Changes 1 block.").waitFor();
    await dialog.locator("ins", { hasText: "Tea from small gardens" }).waitFor();
    await pressOn(dialog.getByRole("button", { name: "Restore to the draft" }));
    await page.getByText("The draft is the same as the live version.").waitFor();
    expect(presses).toBe(8);
    expect(await draftOf(botId)).toContain("Tea from small gardens");

    const next = await (await context.browser()?.newContext())?.newPage();
    await next?.goto(address);
    await next?.getByText("Tea from small gardens").waitFor();
    await next?.context().close();
    expect(problems).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);

inLongRun(
  "a missing version and a comparison with itself are reported, and an archived bot cannot be published or restored",
  async ({ page, context }) => {
    await host.signIn(context);
    const { botId } = await host.publish(tea("Only words"));
    const at = `${host.builder}/bots/${botId}/versions`;
    for (const [path, sentence] of [
      ["/99", "There is no version 99"],
      ["/last", "“last” is not a version"],
      ["/1/compare/7", "There is no version 7"],
      ["/1/compare/1", "Choose two different versions above."],
    ]) {
      await page.goto(`${at}${path}`);
      await page.getByText(sentence ?? "").waitFor();
      expect(await axeProblems(page)).toEqual([]);
    }
    const { owner, api } = host;
    const archived = await api.client.post(`/api/v1/bots/${botId}/archive`, { token: owner.token });
    expect(archived.status).toBe(200);
    await page.goto(`${at}/1`);
    await page.getByRole("button", { name: "Try this version" }).waitFor();
    await page.goto(at);
    await row(page, 1).waitFor();
    expect(await page.getByRole("button", { name: /^Publish again|^Restore/ }).count()).toBe(0);
    await page.goto(`${host.builder}/bots/${botId}`);
    await page.getByRole("button", { name: /^Publish/, disabled: true }).waitFor();
  },
  calm,
);

inBrowser(
  "two versions are compared by keyboard",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(tea("We ship on Monday", choice("size", "Small", "Large")));
    const after = flowOf(
      [says("We ship on Friday", "hello"), asks("text input"), choice("size", "Small", "Huge")],
      [says("Bye", "bye")],
    );
    // The groups are placed side by side, so that each card can be pressed.
    const groups = after.groups.map((group, index) => ({ ...group, graphCoordinates: { x: 400 * index, y: 80 } }));
    await edit(botId, { ...after, groups, theme: { chat: { buttons: { backgroundColor: "#123456" } } } });
    await publish(botId, { note: "Friday" });
    await page.goto(`${host.builder}/bots/${botId}/versions`);
    await row(page, 1).waitFor();
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole("checkbox", { name: "Select Version 2" }).focus();
    await press("Space");
    await page.getByRole("checkbox", { name: "Select Version 1" }).focus();
    await press("Space");
    await page.getByRole("button", { name: "Compare", exact: true }).last().focus();
    await press("Enter");
    await page.getByRole("heading", { name: "From version 1 to version 2" }).waitFor();
    await page.getByText("Adds 1 group and 1 block; changes 2 blocks and the theme.").waitFor();
    const list = page.getByRole("region", { name: "Differences" });
    expect((await list.locator("dd").allTextContents()).map((words) => words.replaceAll(/\s+/g, " "))).toEqual([
      "We ship on removed: Mondayadded: Friday",
      expect.stringContaining("then "),
    ]);
    expect(await list.locator(".difference-sign").allTextContents()).toEqual([
      "~changed",
      "−removed",
      "+added",
      "+added",
      "+added",
      "~changed",
      "+added",
    ]);
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeProblems(page)).toEqual([]);

    // The canvas shows the same changes with colours and marks. Removed elements are in their former positions.
    const canvas = page.getByRole("application");
    const bye = canvas.getByRole("group", { name: /^Text, Bye\b.*\badded/ });
    await bye.waitFor();
    for (const sign of ["added", "changed", "removed"])
      await canvas.locator(`.canvas-sign[title="${sign}"]`).first().waitFor();
    // Keys move from change to change. The list follows, and the card is selected.
    const current = page.locator(".difference-line[aria-current]");
    await press("Alt+ArrowDown");
    await page.getByText("Change 1 of 7").waitFor();
    expect(await current.textContent()).toContain("Text");
    await press("n", "n");
    await page.getByText("Change 3 of 7").waitFor();
    await press("p", "Alt+ArrowUp", "Alt+ArrowUp");
    await page.getByText("Change 7 of 7").waitFor();
    // A press on a card shows its line in the list.
    await bye.click();
    await current.getByText("Bye").waitFor();
    await list.getByRole("button", { name: /^Go to Buttons/ }).focus();
    await press("Enter");
    await canvas.and(page.locator("[aria-activedescendant]")).waitFor();
    await page.emulateMedia({ forcedColors: "active" });
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".app-segment", { hasText: "List" }).click();
    await list.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });

    // The line leads to the version itself, on the editor's screen without editing controls.
    await list.getByRole("button", { name: /^Open Version 2 at Text Bye/ }).focus();
    await press("Enter");
    await page.getByRole("heading", { name: "Version 2" }).waitFor();
    await canvas
      .getByRole("group", { name: /^Text, Bye/ })
      .first()
      .waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await press("Control+.");
    await page
      .getByRole("row", { name: /^Text, Bye/ })
      .and(page.locator('[tabindex="0"]'))
      .waitFor();
    expect(await page.getByRole("button", { name: "Add block" }).count()).toBe(0);
    expect(await page.getByRole("treegrid").getAttribute("aria-readonly")).toBe("true");
    await press("Control+f");
    await page.keyboard.type("Friday");
    await page.getByText("1 match").waitFor();
    await press("Escape");
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await axeProblems(page)).toEqual([]);

    // An old version is previewed unchanged, even if the draft and visitors have another version.
    await page.goto(`${host.builder}/bots/${botId}/versions/1`);
    await page.getByRole("button", { name: "Try this version" }).focus();
    await press("Enter");
    await page.frameLocator("iframe").getByText("We ship on Monday").waitFor();
    await page.getByRole("button", { name: "Compare with…" }).focus();
    await press("Enter", "Enter");
    await page.getByRole("heading", { name: "From version 1 to the draft" }).waitFor();
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "a version or an earlier draft is shown and restored",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(tea("First words"));
    await edit(botId, tea("Second words"));
    await asOutline(context);
    const editor = await context.newPage();
    await editor.goto(`${host.builder}/bots/${botId}?at=hello`);
    await editor.getByRole("row", { name: /Second words/ }).waitFor();

    await page.goto(`${host.builder}/bots/${botId}/versions/1`);
    await page.getByRole("button", { name: "Restore to the draft" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Changes 1 block.").waitFor();
    // Another author edits in the meantime. No unseen edit may be replaced.
    await edit(botId, tea("Third words"));
    await dialog.getByRole("button", { name: "Restore to the draft" }).click();
    await dialog.getByText("Someone changed the draft in the meantime").waitFor();
    await dialog.locator("del", { hasText: "Third" }).waitFor();
    await dialog.getByRole("button", { name: "Restore to the draft" }).click();
    await page.getByText("Version 1 is now the draft. The previous draft is saved as version 2.").first().waitFor();
    await editor.getByRole("row", { name: /First words/ }).waitFor();
    await editor.getByRole("button", { name: /^Undo/ }).click();
    await editor.getByRole("row", { name: /Third words/ }).waitFor();
    await saved(editor);
    expect(await draftOf(botId)).toContain("Third words");

    await editor.getByRole("button", { name: "History" }).click();
    await editor.getByRole("button", { name: /^Show all/ }).click();
    await editor.locator(".sitting-set").last().click();
    const moment = editor.getByRole("dialog");
    await moment.locator("del", { hasText: "Second" }).waitFor();
    expect(await axeProblems(editor)).toEqual([]);
    await moment.getByRole("tab", { name: "The flow at that time" }).click();
    await moment.getByRole("row", { name: /Second words/ }).waitFor();
    expect(await axeProblems(editor)).toEqual([]);
    await moment.getByRole("button", { name: "Restore this draft" }).click();
    await moment.waitFor({ state: "hidden" });
    await editor.getByRole("row", { name: /Second words/ }).waitFor();
    await editor.locator(".app-toasts").getByRole("button", { name: "Undo" }).click();
    await editor.getByRole("row", { name: /Third words/ }).waitFor();
    await saved(editor);
    expect(problems.filter((one) => !one.includes("status of 409"))).toEqual([]);
  },
  calm,
);

inLongRun(
  "changes of others are shown before they are published, and later changes require another confirmation",
  async ({ page, context }) => {
    const grace = await host.api.makeUser({ name: "Grace" });
    const workspaceId = await host.api.makeWorkspace(host.owner, { [grace.userId]: "MEMBER" });
    const made = await host.api.client.post("/api/v1/bots", {
      token: host.owner.token,
      body: { workspaceId, bot: { name: "Shared", ...tea("First words") } },
    });
    const botId = made.text("bot.id");
    await publish(botId);
    await edit(botId, tea("Grace's words"), grace);
    const { secret } = await putSignIn(host.api.deps.sql, host.owner.userId);
    await context.addCookies([{ name: "parley", value: secret, url: host.builder, httpOnly: true }]);
    await asOutline(context);
    await page.goto(`${host.builder}/bots/${botId}?at=hello`);
    await page.getByRole("row", { name: /Grace's words/ }).waitFor();
    // An unsaved edit is saved first.
    const field = page.getByRole("textbox", { name: "Text" });
    await field.click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and mine");
    await page.getByRole("button", { name: /^Publish/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("With changes by Grace (1 change).").waitFor();
    await dialog.locator("ins", { hasText: "Grace's" }).waitFor();
    await dialog.locator("ins", { hasText: "and mine" }).waitFor();
    await edit(botId, tea("Grace again"), grace);
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("The draft was changed in the meantime").waitFor();
    await dialog.locator("ins", { hasText: "Grace again" }).waitFor();
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Version 2 is live").first().waitFor();
    expect(await draftOf(botId)).toContain("Grace again");
  },
  calm,
);
