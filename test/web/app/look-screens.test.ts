import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { clearTheme } from "../../../src/core/theme/clear.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { pressDrawn } from "../../support/drawn-frames.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { waitFor } from "../../support/wait.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const theme = {
  general: { background: { type: "Color", content: "#fafafa" }, own: { of: "somebody" } },
  chat: { hostBubbles: null, inputs: {}, roundness: "large" },
};
const settings = { typingEmulation: { enabled: false }, metadata: { tagManagerId: "GTM-1" }, own: [1] };
const flow = { ...flowOf([says("Your name?"), asks("text input", { variableId: idOf("Name") })]), theme, settings };

const frameOf = (page: Page) => page.frameLocator("iframe");
const colorIn = (page: Page, selector: string) =>
  frameOf(page)
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
const saved = (page: Page) => page.locator(".saving-state.is-saved").waitFor();

async function draftOf(botId: string) {
  const { body } = await host.api.client.get(`/api/v1/bots/${botId}`, { token: host.owner.token });
  const { bot } = JSON.parse(JSON.stringify(body));
  return bot;
}

async function walkSections(page: Page, label: string): Promise<void> {
  const links = page.getByRole("navigation", { name: label }).getByRole("link");
  for (const link of await links.all()) {
    await link.focus();
    await page.keyboard.press("Enter");
    const name = (await link.textContent()) ?? "";
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }
}

const usual = { width: 1440, height: 900 };
/** A window of 1280 × 1024 at 400 %. */
const enlarged = { width: 320, height: 256 };
const ofLooks = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];

/** Returns the problems of a screen: light and wide, then dark and enlarged. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  const look = async (scheme: string, only?: readonly string[]) => {
    await page.evaluate((name) => document.documentElement.setAttribute("data-scheme", name), scheme);
    return [...(await axeProblems(page, only ? { only } : {})), ...(await layoutProblems(page))];
  };
  const wide = await look("light");
  await page.setViewportSize(enlarged);
  const narrow = await look("dark", ofLooks);
  await page.setViewportSize(usual);
  return [...new Set([...wide, ...narrow])];
}

inBrowser(
  "a theme is edited next to the real page",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(flow);
    const before = await draftOf(botId);
    await page.goto(`${host.builder}/bots/${botId}/theme`);
    await frameOf(page).getByText("Nice to see you here").waitFor();
    // Viewing all sections changes nothing.
    await walkSections(page, "Parts of the page");
    expect(await draftOf(botId)).toEqual(before);

    await frameOf(page).getByText("I can show you around").click();
    await page.getByRole("heading", { level: 1, name: "Bot’s bubbles" }).waitFor();
    expect(new URL(page.url()).search).toBe("?part=hostBubbles");
    await page.getByRole("textbox", { name: "Background", exact: true }).fill("#222222");
    await page.waitForFunction(() => document.querySelector(".saving-state.is-saved") !== null);
    await waitFor(async () => (await colorIn(page, ".bubble-typing")) === "rgb(34, 34, 34)");
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("#333333");
    await page.getByText("Contrast is too low").waitFor();
    await saved(page);
    await waitFor(async () => (await draftOf(botId)).theme.chat.hostBubbles?.color === "#333333");
    expect((await draftOf(botId)).theme).toEqual({
      ...theme,
      chat: { ...theme.chat, hostBubbles: { backgroundColor: "#222222", color: "#333333" } },
    });
    await page.keyboard.press("ControlOrMeta+z");
    await page.keyboard.press("ControlOrMeta+z");
    await waitFor(async () => (await draftOf(botId)).theme.chat.hostBubbles === null);
    expect((await draftOf(botId)).theme).toEqual(theme);
    await waitFor(async () => (await colorIn(page, ".bubble-typing")) === "rgb(255, 255, 255)");

    // The look can differ in the dark scheme.
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    await page.getByRole("link", { name: "Page", exact: true }).click();
    await page.getByRole("textbox", { name: "Colour or picture", exact: true }).fill("#000000");
    await waitFor(async () => (await colorIn(page, "body")) === "rgb(0, 0, 0)");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("radio", { name: "Light" }).check({ force: true });
    await waitFor(async () => (await colorIn(page, "body")) === "rgb(250, 250, 250)");
    await waitFor(async () => (await draftOf(botId)).theme.dark !== undefined);
    expect((await draftOf(botId)).theme.dark).toEqual({ general: { background: { content: "#000000" } } });
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    await page.getByRole("button", { name: "Remove dark mode" }).click();
    await waitFor(async () => (await draftOf(botId)).theme.dark === undefined);

    // A change on this screen can also be undone on the next screen.
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("button", { name: "Undo: Change “Dark mode”" }).click();
    await waitFor(async () => (await draftOf(botId)).theme.dark !== undefined);
    await page.getByRole("button", { name: /^Redo: / }).click();
    await waitFor(async () => (await draftOf(botId)).theme.dark === undefined);
    await page.getByRole("link", { name: "Theme", exact: true }).click();

    // Every state is rendered by the chat page's own code.
    for (const [state, words] of [
      ["Rating", "How did you like it?"],
      ["Cards", "Forty herbs"],
      ["Rejected reply", "Invalid message"],
      ["Ended", "This chat has ended"],
      ["This bot", "Your name?"],
    ] as const) {
      await page.getByRole("combobox", { name: "Content of the page" }).selectOption(state);
      await frameOf(page).getByText(words).first().waitFor();
    }

    // The workspace stores the theme for other bots.
    const more = page.getByRole("button", { name: "More theme actions" });
    await more.click();
    await page.getByRole("menuitem", { name: "Save this theme…" }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Calm");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const other = await host.publish(flowOf([says("Hello")]));
    await page.goto(`${host.builder}/bots/${other.botId}/theme`);
    await more.click();
    await page.getByRole("menuitem", { name: "Apply a theme…" }).click();
    await page.getByRole("button", { name: "Calm", exact: true }).click();
    await waitFor(async () => (await draftOf(other.botId)).theme.chat?.roundness === "large");
    expect((await draftOf(other.botId)).theme).toEqual(theme);

    // An older bot gets the new look with one press.
    await more.click();
    await page.getByRole("menuitem", { name: "Apply a theme…" }).click();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await frameOf(page).getByRole("banner").waitFor();
    await waitFor(async () => (await draftOf(other.botId)).theme.general?.welcome?.isEnabled === true);
    expect((await draftOf(other.botId)).theme).toEqual(clearTheme);
    expect(problems).toEqual([]);
  },
  { viewport: usual, reducedMotion: "reduce" },
);

inBrowser(
  "settings are edited next to the chat page that they change",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(flow);
    const before = await draftOf(botId);
    await page.goto(`${host.builder}/bots/${botId}/settings`);
    await frameOf(page).getByText("This chat has ended").waitFor();
    await walkSections(page, "Sections of the settings");
    expect(await draftOf(botId)).toEqual(before);

    const section = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await section("General");
    await page.getByRole("combobox", { name: "Language" }).fill("de");
    await section("Standard messages");
    const refused = page.getByRole("textbox", { name: "Reply is rejected" });
    await page.waitForFunction(() => document.querySelector("[placeholder^='Das konnte nicht']") !== null);
    await frameOf(page).getByText("Das konnte nicht").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await refused.fill("Nanu?");
    await frameOf(page).getByText("Nanu?").waitFor();
    await section("About the page");
    await page.getByRole("textbox", { name: "Title" }).fill("Fern");
    await page.locator(".social-card").getByText("Fern").waitFor();
    await section("Security");
    const shop = "https://shop.example.com";
    await page.getByRole("button", { name: /Add/ }).first().click();
    await page
      .getByRole("textbox", { name: /Allowed origins/i })
      .first()
      .fill(shop);
    await waitFor(async () => (await draftOf(botId)).settings.security?.allowedOrigins?.[0] === shop);
    expect((await draftOf(botId)).settings).toEqual({
      ...settings,
      general: { language: "de", systemMessages: { invalidMessage: "Nanu?" } },
      metadata: { tagManagerId: "GTM-1", title: "Fern" },
      security: { allowedOrigins: [shop] },
    });

    await section("Availability");
    await page.getByRole("switch", { name: "Closed" }).check();
    await waitFor(async () => (await draftOf(botId)).isClosed === true);
    await section("Danger zone");
    await page.getByRole("button", { name: "Archive this bot" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive this bot" }).click();
    await page.waitForURL("**/app/w/*");
    expect((await draftOf(botId)).isArchived).toBe(true);
    expect(problems).toEqual([]);
  },
  { viewport: usual, reducedMotion: "reduce" },
);

inBrowser(
  "the share screen previews the bot and gives HTML with the chosen options",
  async ({ page, context, problems, outside }) => {
    await host.signIn(context);
    const { botId, address } = await host.publish({ ...flow, settings: {} });
    await page.goto(`${host.builder}/bots/${botId}/share`);
    // The share screen shows the page at the bot's address, and below it a sample page with the real elements. The
    // elements are open at first, and closed after a change.
    await frameOf(page).first().getByText("Which of these do you like?").waitFor();
    const siteFrame = page.locator("iframe[title='Your page with the chat']");
    const site = siteFrame.contentFrame();
    await siteFrame.scrollIntoViewIfNeeded();
    await site.getByText("Nice to see you here").waitFor();
    await page.getByRole("textbox", { name: "Message next to the button" }).fill("Any questions?");
    await page.getByRole("combobox", { name: "Corner" }).selectOption("left");
    const html = page.getByRole("textbox", { name: "HTML" });
    expect(await html.inputValue()).toContain(`placement="left"`);
    await pressDrawn(page, siteFrame, site.getByText("Any questions?"));
    await site.getByText("Nice to see you here").waitFor();
    await pressDrawn(page, siteFrame, site.getByRole("button", { name: "Show me around" }));
    await site.getByText("Good to know").waitFor();
    await page.getByText("Prefill variables").click();
    await page.getByRole("button", { name: "Add a value" }).click();
    await page.getByRole("combobox", { name: "Variable" }).selectOption("Name");
    await page.getByRole("textbox", { name: "Value" }).fill("Ada & co");
    const shown = page.getByRole("textbox", { name: "Address" });
    expect(await shown.inputValue()).toBe(`${address}?Name=Ada+%26+co`);
    expect(await html.inputValue()).toContain("prefilled-variables=");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("tab", { name: "API" }).click();
    expect(await page.getByRole("textbox", { name: "curl" }).inputValue()).toContain("/startChat'");
    await page.getByText("Any site can embed this chat").waitFor();

    const other = await host.publish({ ...flow, settings: {} });
    const asks = page.getByRole("dialog");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await asks.getByRole("textbox").fill(other.address.slice(other.address.lastIndexOf("/") + 1));
    await page.keyboard.press("Enter");
    await asks.locator(".app-field-error").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await asks.getByRole("textbox").fill(`tour-${botId}`);
    await page.keyboard.press("Enter");
    await asks.waitFor({ state: "detached" });
    const tour = new URL(`tour-${botId}`, address).href;
    expect(await shown.inputValue()).toBe(`${tour}?Name=Ada+%26+co`);
    expect((await Promise.all([fetch(tour), fetch(address)])).map(({ status }) => status)).toEqual([200, 404]);

    await page.goto(`${host.builder}/w/${host.workspaceId}`);
    await page.getByRole("button", { name: "New bot" }).click();
    await page.getByRole("button", { name: "Try it: Quiz with score" }).click();
    await frameOf(page).getByRole("button", { name: "Let’s go" }).click();
    await frameOf(page).getByText("What is coffee made from?").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Use this template: Quiz with score" }).click();
    await page.waitForURL("**/app/bots/*");
    expect(outside).toEqual([]);
    // The address already belongs to another bot.
    expect(problems).toEqual([expect.stringContaining("409")]);
  },
  { viewport: usual, reducedMotion: "reduce" },
);
