import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { places, searchPath, startFakeAddressSearch } from "../../fake-providers/address-search.ts";
import { type FakeProvider, providerUrls } from "../../fake-providers/kit.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { testKey } from "../../support/events.ts";

let host: ChatHost;
let search: FakeProvider;
let credentialsId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const plantedKey = "planted-key-of-a-search-7c2e";

beforeAll(async () => {
  search = await startFakeAddressSearch();
  host = await openChatHost({ config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([search]) } });
  const made = await host.api.client.post(`/api/v1/workspaces/${host.workspaceId}/credentials`, {
    token: host.owner.token,
    body: {
      type: "address-search",
      name: "Ours",
      data: { url: `${search.origin}${searchPath}`, header: "X-Key", key: plantedKey },
    },
  });
  credentialsId = made.text("credentials.id");
});
afterEach(() => search.recover());
afterAll(async () => {
  await host.close();
  await search.close();
});

const flowWith = (options: object = {}, settings: object = {}) => ({
  ...flowOf([
    says("Where do you live?"),
    asks("address input", {
      ...{ credentialsId, variableId: idOf("Name"), parts: [{ part: "Postcode", variableId: idOf("Email") }] },
      ...options,
    }),
    says("{{Name}} has {{Email}}."),
  ]),
  settings: { typingEmulation: { enabled: false }, ...settings },
});

/** Opens the field of a started chat, because before the start there is no session for the search. */
async function openField(page: Page, options: object = {}, settings: object = {}) {
  const { address } = await host.publish(flowWith(options, settings));
  const started = page.waitForResponse((response) => response.url().endsWith("/startChat"));
  await page.goto(address);
  await started;
  await page.locator("body.is-live").waitFor();
  return page.getByRole("combobox", { name: "Where do you live?" });
}

const options = (page: Page) => page.getByRole("option").allTextContents();
const activeOf = (page: Page) =>
  page.getByRole("combobox").evaluate((field) => {
    const id = field.getAttribute("aria-activedescendant");
    return id === null ? null : document.getElementById(id)?.textContent;
  });
const [first, second, third] = [places[0].label, places[1].label, places[2].label];

for (const [name, viewport, inThisRun] of [
  ["wide", { width: 1440, height: 900 }, inLongRun],
  ["narrow", { width: 390, height: 844 }, inBrowser],
] as const) {
  inThisRun(
    `on a ${name} page an address is chosen by keyboard only, and its parts are stored`,
    async ({ page, problems }) => {
      const field = await openField(page);
      await field.pressSequentially("downing");
      await page.getByRole("option").first().waitFor();
      expect(await options(page)).toEqual([first, second]);
      expect(await field.getAttribute("aria-expanded")).toBe("true");
      await page.getByRole("status").getByText("2 to choose from").waitFor();
      expect(await axeProblems(page)).toEqual([]);

      // No option is active, so Enter would send the typed text. The arrow keys wrap around.
      expect(await activeOf(page)).toBe(null);
      await page.keyboard.press("ArrowUp");
      expect(await activeOf(page)).toBe(second);
      await page.keyboard.press("ArrowDown");
      expect(await activeOf(page)).toBe(first);
      await page.keyboard.press("ArrowDown");
      expect(await activeOf(page)).toBe(second);
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Enter");
      expect(await field.inputValue()).toBe(second);
      expect(await field.getAttribute("aria-expanded")).toBe("false");
      expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press("Enter");
      await page.getByText(`${second} has SW1A 2AD.`).waitFor();
      expect(problems).toEqual([]);
    },
    { viewport, reducedMotion: "reduce" },
  );
}

inBrowser(
  "a suggestion that is changed afterwards counts as typed text",
  async ({ page }) => {
    const field = await openField(page);
    await field.pressSequentially("rivoli");
    await page.getByRole("option", { name: third }).tap();
    expect(await field.inputValue()).toBe(third);
    await field.press("End");
    await field.pressSequentially("!");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText(`${third}! has .`).waitFor();
  },
  { hasTouch: true, viewport: { width: 390, height: 844 } },
);

inLongRun(
  "Escape and leaving close the list, an arrow key reopens it, and Enter without a choice sends the text",
  async ({ page }) => {
    const field = await openField(page);
    await field.pressSequentially("downing");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "hidden" });
    expect(await field.inputValue()).toBe("downing");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: first, selected: true }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("option").first().waitFor({ state: "hidden" });
    await field.focus();
    await page.keyboard.press("Enter");
    await page.getByText("downing has .").waitFor();
  },
);

inBrowser("later input cancels earlier searches", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  const cancelled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/suggestions"));
  const field = await openField(page);
  await page.route("**/suggestions", async (route) => {
    if (route.request().postDataJSON().text === "downing") await held.promise;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest((request) => request.url().endsWith("/suggestions"));
  await field.pressSequentially("downing");
  await asked;
  await field.fill("rivoli");
  await cancelled;
  held.resolve();
  await page.getByRole("option").first().waitFor();
  expect(await options(page)).toEqual([third]);
});

inBrowser("after a failed search, the visitor can send the typed text", async ({ page, problems }) => {
  const field = await openField(page);
  const answered = () => page.waitForResponse((response) => response.url().endsWith("/suggestions"));
  search.fail("500");
  const failed = answered();
  await field.pressSequentially("downing");
  expect(await (await failed).json()).toEqual({ suggestions: [] });
  await page.getByRole("status").getByText("Nothing matches.").waitFor();
  expect(await page.getByRole("listbox").count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.getByText("downing has .").waitFor();
  expect(problems).toEqual([]);
});

inBrowser("the page contains neither the address nor the key of the search service", async ({ page }) => {
  const seen: string[] = [];
  page.on("request", (request) => void seen.push(request.url()));
  page.on("response", async (response) => void seen.push(await response.text().catch(() => "")));
  const field = await openField(page);
  await field.pressSequentially("downing");
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(`${first} has SW1A 2AA.`).waitFor();
  expect(seen.join("\n")).toContain("suggestions");
  for (const secret of [plantedKey, search.origin, credentialsId]) expect(seen.join("\n")).not.toContain(secret);
});

inLongRun(
  "in a right-to-left language with forced colours on a narrow page, the list fits and the selected option is visible",
  async ({ page }) => {
    const field = await openField(page, {}, { general: { language: "ar" }, typingEmulation: { enabled: false } });
    await page.emulateMedia({ forcedColors: "active" });
    await field.pressSequentially("downing");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = page.getByRole("option", { selected: true });
    await active.waitFor();
    const seen = await active.evaluate((option) => {
      const { outlineStyle, outlineWidth, direction } = getComputedStyle(option);
      const box = option.getBoundingClientRect();
      const list = option.parentElement?.getBoundingClientRect();
      const isInList = list !== undefined && box.top >= list.top - 1 && box.bottom <= list.bottom + 1;
      const isWide = document.documentElement.scrollWidth <= innerWidth;
      return {
        outlineStyle,
        outlineWidth,
        direction,
        isInList,
        isInWindow: box.top >= 0 && box.bottom <= innerHeight,
        isWide,
      };
    });
    expect(seen).toEqual({
      ...{ outlineStyle: "solid", outlineWidth: "2px", direction: "ltr" },
      ...{ isInList: true, isInWindow: true, isWide: true },
    });
    expect(await axeProblems(page)).toEqual([]);
  },
  { viewport: { width: 320, height: 480 } },
);

inBrowser(
  "without scripts an address input is a text field",
  async ({ page }) => {
    const { address } = await host.publish(flowWith());
    await page.goto(address);
    await page.getByRole("textbox", { name: "Where do you live?" }).fill("  1 Main Street ");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("1 Main Street has .").waitFor();
  },
  { javaScriptEnabled: false },
);
