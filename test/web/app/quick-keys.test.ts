import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { waitFor } from "../../support/wait.ts";

/**
 * A quick key must affect the element that the previous key has opened. An element that opens late must not take the
 * focus from the element that the author has focused in the meantime.
 */

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const flow = () => ({
  ...flowOf([says("Your name?", "hi"), asks("text input", { variableId: idOf("Name") })]),
  variables: [{ id: idOf("Name"), name: "Name" }],
});

async function openFlow(page: Page, shown: "outline" | "canvas"): Promise<void> {
  await host.signIn(page.context());
  await page.addInitScript((view) => {
    if (origin !== "null") localStorage.setItem("parley.flow-view", view);
  }, shown);
  const { botId } = await host.publish(flow());
  await page.goto(`${host.builder}/bots/${botId}`);
  await page
    .locator(shown === "outline" ? ".outline-row" : ".canvas-card")
    .first()
    .waitFor();
}

/** Simulates a busy machine: work that the page defers to its next turn or frame runs after everything in `act`. */
async function withLateTurns(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const { setTimeout: timeout, requestAnimationFrame: frame } = window;
    const late: (() => void)[] = [];
    const put = (call: () => void) => late.push(call);
    Object.assign(window, {
      setTimeout: (call: () => void, ms = 0) => (ms > 0 ? timeout(call, ms) : put(call)),
      requestAnimationFrame: (call: FrameRequestCallback) => put(() => call(performance.now())),
      endLateness() {
        Object.assign(window, { setTimeout: timeout, requestAnimationFrame: frame });
        for (const call of late) call();
      },
    });
  });
  await act();
  await page.evaluate(() => Reflect.get(window, "endLateness")());
}

/** Delays parts of the page that are loaded at first use until the returned function is called. */
async function holdParts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**", async (route) => {
    if (route.request().resourceType() === "script") await held.promise;
    await route.continue();
  });
  return held.resolve;
}

async function findCommand(page: Page, typed: string, wanted: string): Promise<void> {
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type(typed);
  await palette.getByRole("option", { name: wanted, selected: true }).waitFor();
}

const search = (page: Page) => page.getByRole("searchbox", { name: "Find in this flow" });
const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
const isFocused = (selector: string) => document.activeElement?.matches(selector) === true;

inBrowser("a letter typed after a command reaches the part that the command opened", async ({ page }) => {
  await openFlow(page, "outline");
  await row(page, /^Text input/).focus();
  await findCommand(page, "find in", "Find in this flow");
  await withLateTurns(page, async () => {
    await page.keyboard.press("Enter");
    // On a row of the flow, this key opens the list of blocks to add.
    await page.keyboard.press("a");
  });
  await waitFor(async () => (await search(page).inputValue()) === "a", { what: "the letter in the field" });
});

for (const [shown, content] of [
  ["canvas", ".canvas"],
  ["outline", ".outline-row"],
] as const) {
  inBrowser(
    `“Skip to content” moves the focus past the bar and the list of blocks to the ${shown}`,
    async ({ page }) => {
      await openFlow(page, shown);
      await page.keyboard.press("Tab");
      await page.waitForFunction(isFocused, ".app-skip");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(isFocused, content)).toBe(true);
    },
  );
}

inLongRun("a second request for an open search focuses the search and selects its text", async ({ page }) => {
  await openFlow(page, "outline");
  await page.keyboard.press("Control+f");
  await search(page).waitFor();
  const fromRow = async () => {
    await row(page, /^Text input/).focus();
    await findCommand(page, "find in", "Find in this flow");
    await page.keyboard.press("Enter");
    await page.keyboard.press("a");
  };
  await fromRow();
  await waitFor(async () => (await search(page).inputValue()) === "a", { what: "the letter in the empty field" });
  await page.keyboard.type("nother");
  await fromRow();
  await waitFor(async () => (await search(page).inputValue()) === "a", { what: "the letter in the place of the word" });
  // The second round repeats a text after other texts were typed.
  for (const _ of ["first", "again"]) {
    await row(page, /^Text input/).focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nowhere");
    await page.getByRole("option", { name: "Find “nowhere” in the texts of this flow", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await waitFor(async () => (await search(page).inputValue()) === "nowhere", { what: "the words of the palette" });
    await page.keyboard.press("x");
    await waitFor(async () => (await search(page).inputValue()) === "x", { what: "other words" });
  }
});

inLongRun("a letter typed immediately after a row or a variable was opened reaches its field", async ({ page }) => {
  await openFlow(page, "outline");
  // Loads the parts of the page before the keys are pressed.
  await row(page, /^Text input/).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(isFocused, "[data-panel-body] input");
  await row(page, /^Group/).focus();
  await withLateTurns(page, async () => {
    await page.keyboard.press("Enter");
    await page.keyboard.press("a");
  });
  const title = page.getByRole("textbox", { name: "Title" });
  await waitFor(async () => (await title.inputValue()).includes("a"), { what: "the letter in the title" });

  await page.getByRole("button", { name: "Variables", exact: true }).click();
  const name = page.locator(`[data-variable="${idOf("Name")}"]`).getByRole("textbox", { name: "Name" });
  await name.waitFor();
  await row(page, /^Text input/).focus();
  await findCommand(page, "name", "Name");
  await withLateTurns(page, async () => {
    await page.keyboard.press("Enter");
    await page.keyboard.press("x");
  });
  await waitFor(async () => (await name.inputValue()).includes("x"), { what: "the letter in the variable's name" });
});

/** The first field of each opened element. */
const fieldOf = { "a form": "#flow-panel [contenteditable=true]", "a variable": ".variable.is-open input" } as const;

const slowly = {
  "a form": {
    async open(page: Page) {
      // The keys move into the card, and then into its row.
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
    },
    opened: "#flow-panel [contenteditable=true]",
  },
  "a variable": {
    async open(page: Page) {
      await findCommand(page, "name", "Name");
      await page.keyboard.press("Enter");
    },
    opened: ".variable.is-open",
  },
};
for (const what of ["a form", "a variable"] as const) {
  inBrowser(`${what} that is still loading receives typed keys, and the page behind it does not`, async ({ page }) => {
    await openFlow(page, "canvas");
    // Loads the palette first, so that only the parts of the command are delayed.
    await findCommand(page, "find in", "Find in this flow");
    await page.keyboard.press("Escape");
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.locator(".canvas-card.is-chosen").waitFor();
    const rows = await page.locator(".canvas-row").count();
    const letThrough = await holdParts(page);
    await slowly[what].open(page);
    await page.locator("#flow-panel").waitFor();
    await page.keyboard.press("Delete");
    await page.keyboard.type("ab");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("So ");
    letThrough();
    const field = page.locator(fieldOf[what]).first();
    await waitFor(
      () =>
        field
          .evaluate((element) => (element instanceof HTMLInputElement ? element.value : element.textContent))
          .then((text) => text?.includes("So ")),
      { what: "the letters in the field" },
    );
    expect(await page.locator(".canvas-row").count()).toBe(rows);
    // Afterwards keys work as usual.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Delete");
    await waitFor(async () => (await page.locator(".canvas-row").count()) < rows, { what: "the row that goes" });
  });
}

for (const [what, { open, opened }] of Object.entries(slowly)) {
  const title = `${what} that is still loading does not take the focus from the element that the author has focused`;
  inBrowser(title, async ({ page }) => {
    // Nothing is open next to a canvas yet.
    await openFlow(page, "canvas");
    await page.keyboard.press("Control+f");
    await search(page).waitFor();
    // Loads the palette first, so that only the parts of the command are delayed.
    await findCommand(page, "find in", "Find in this flow");
    await page.keyboard.press("Escape");
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.locator(".canvas-card.is-chosen").waitFor();
    const letThrough = await holdParts(page);
    await open(page);
    await page.locator("#flow-panel").waitFor();
    await search(page).focus();
    await page.keyboard.type("one");
    letThrough();
    await page.locator(opened).waitFor();
    await page.keyboard.type(" two");
    expect(await search(page).inputValue()).toBe("one two");
  });
}

inLongRun("Enter on a compared card moves the focus to the card's difference before the next key", async ({ page }) => {
  await host.signIn(page.context());
  const { botId } = await host.publish(flow());
  await host.api.client.patch(`/api/v1/bots/${botId}`, {
    token: host.owner.token,
    body: { bot: { groups: flowOf([says("Your first name?", "hi")]).groups } },
  });
  await page.goto(`${host.builder}/bots/${botId}/versions/1/compare/draft`);
  await page.getByRole("heading", { name: "From version 1 to the draft" }).waitFor();
  await page.getByRole("application").waitFor();
  await page.keyboard.press("Alt+ArrowDown");
  await page.locator(".difference-line[aria-current]").waitFor();
  await page.getByRole("application").focus();
  await withLateTurns(page, async () => {
    await page.keyboard.press("Enter");
    expect(await page.evaluate(isFocused, ".difference-line[aria-current] button")).toBe(true);
  });
});

inLongRun(
  "a slow step of a preview does not take the focus from the element that the author has focused",
  async ({ page }) => {
    await host.signIn(page.context());
    const { botId } = await host.publish(
      flowOf(
        [says("Your name?"), asks("text input", { timeout: { after: 86_400, outgoingEdgeId: idOf("e1") } })],
        [says("Nobody there")],
      ),
    );
    const held = Promise.withResolvers<void>();
    await page.route("**/passTime", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${host.builder}/bots/${botId}/preview`);
    const steps = page.getByRole("region", { name: "What happened" });
    await steps.getByRole("button", { name: "Skip the wait" }).click();
    await page.getByRole("tab", { name: "Variables" }).focus();
    held.resolve();
    // Once the step is announced, the focus no longer moves.
    await page
      .getByRole("status")
      .getByText(/^Step \d/)
      .waitFor({ state: "attached" });
    expect(await page.evaluate(isFocused, "[role=tab]")).toBe(true);
  },
);
