import type { Page } from "playwright-core";
import { saved } from "./flow-page.ts";

/** Selects the best match for the text in the open dialog, such as a block or a group. */
export async function pick(page: Page, words: string): Promise<void> {
  const dialog = page.locator("dialog.is-dialog, .picker-menu");
  await page.getByRole("combobox").last().waitFor();
  await page.keyboard.type(words);
  await dialog.getByRole("option", { selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  // The selected action runs after the dialog has closed, in the next turn of the event loop.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
}

/** Returns the actions of an author who writes a flow in the outline with the keyboard. */
export function authorAt(page: Page) {
  const { keyboard } = page;
  const toBeOn = (selector: string) =>
    page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
  const add = async (name: string) => {
    await keyboard.press("a");
    await pick(page, name);
    await toBeOn("[data-panel-body] *");
    if (name === "Text") await toBeOn("[contenteditable]");
  };
  /** Selects or creates the variable, and waits until the list of options is closed. */
  const name = async (variable: string) => {
    await keyboard.type(variable);
    await page.locator("[data-panel-body] .app-option.is-active", { hasText: variable }).waitFor();
    await keyboard.press("Enter");
    await page.locator("[data-panel-body] .app-option").first().waitFor({ state: "detached" });
  };
  const tabTo = async (selector: string) => {
    for (let tabs = 0; tabs < 12; tabs++) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`Tab leads to no ${selector}`);
  };
  /** Moves to this option of the focused field. */
  const choose = async (option: string) => {
    const select = page.locator("[data-panel-body] select:focus");
    const options = await select.locator("option").allTextContents();
    if (!options.includes(option)) throw new Error(`There is no ${option} in ${JSON.stringify(options)}`);
    const chosen = await select.evaluate((field) => (field instanceof HTMLSelectElement ? field.selectedIndex : 0));
    const distance = options.indexOf(option) - chosen;
    for (let step = 0; step < Math.abs(distance); step++) await keyboard.press(distance > 0 ? "ArrowDown" : "ArrowUp");
  };
  const back = async () => {
    for (let escapes = 0; escapes < 3; escapes++) {
      await keyboard.press("Escape");
      if (await page.evaluate(() => document.activeElement?.matches(".outline-row"))) return;
    }
    await toBeOn(".outline-row");
  };
  return {
    begin: () => page.locator(".outline-row").first().focus(),
    /** Moves down from the first row to the last row whose name begins with this text. */
    async go(start: string) {
      const rows = await page
        .locator(".outline-row")
        .evaluateAll((all) => all.map((row) => row.getAttribute("aria-label") ?? ""));
      const index = rows.findLastIndex((label) => label.startsWith(start));
      if (index < 0) throw new Error(`There is no ${start} in ${JSON.stringify(rows)}`);
      await keyboard.press("Home");
      for (let row = 0; row < index; row++) await keyboard.press("ArrowDown");
      await page.waitForFunction(
        (label) => document.activeElement?.getAttribute("aria-label") === label,
        rows[index] ?? "",
      );
    },
    async ask(type: string, variable: string) {
      await add(type);
      await name(variable);
      await back();
    },
    async set(variable: string, expression: string) {
      await add("Set variable");
      await name(variable);
      await page.locator("[data-panel-body] .app-code").waitFor();
      await tabTo(".app-code");
      await keyboard.type(expression);
      await back();
    },
    async say(text: string) {
      await add("Text");
      await keyboard.type(text);
      await back();
    },
    async when([variable, operator, value]: readonly [variable: string, operator: string, value: string]) {
      await add("Condition");
      await back();
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await toBeOn("[data-panel-body] *");
      await tabTo("[role=combobox]");
      await name(variable);
      await keyboard.press("Tab");
      await tabTo("select");
      await choose(operator);
      await keyboard.press("Tab");
      await tabTo("input, textarea");
      await keyboard.type(value);
      await back();
    },
    async lead(group: string) {
      await keyboard.press("c");
      await pick(page, group);
      await toBeOn(".outline-row");
    },
    async publish() {
      await saved(page);
      await page.getByRole("button", { name: /^Publish/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
      await page.getByText("Version 1 is live").first().waitFor();
      await keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  };
}
