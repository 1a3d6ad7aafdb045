import type { Locator, Page } from "playwright-core";
import { pick } from "./author.ts";

/** The actions of an author with one input method. Names are as shown on the page, in its language. */
export type Hands = {
  add(name: string): Promise<void>;
  press(role: "button" | "switch" | "tab" | "link", name: string, within?: string): Promise<void>;
  /** Expands a section of the form. */
  unfold(name: string): Promise<void>;
  write(name: string, text: string, within?: string): Promise<void>;
  choose(name: string, option: string): Promise<void>;
  select(name: string, option: string): Promise<void>;
  /** Connects the outlet with this label to a new group that begins with this block. */
  lead(way: string, to: { readonly group: string; readonly block: string }): Promise<void>;
  /** Moves the focus back to the outline. With a pointer, this is not necessary. */
  leave(): Promise<void>;
  /** Sends a text in the chat of a preview. */
  say(text: string): Promise<void>;
  /** Presses a button in the chat of a preview. */
  pressInChat(name: RegExp): Promise<void>;
};

const form = "[data-panel-body]";
const fields = ["textbox", "combobox"] as const;

function fieldIn(page: Page, name: string, within = form): Locator {
  const [text, list] = fields.map((role) => page.locator(within).getByRole(role, { name, exact: true }));
  if (!text || !list) throw new Error("There is no such role");
  return text.or(list).last();
}

/** Matches an option by its name, which may be followed by one word, such as an id. */
const optionOf = (name: string) => new RegExp(`^${RegExp.escape(name)}( \\S+)?$`);
const inForm = (page: Page) => page.waitForFunction(() => document.activeElement?.closest("[data-panel-body]"));
const chatOf = (page: Page) => page.frameLocator("iframe");

export function byPointer(page: Page): Hands {
  return {
    async add(name) {
      const found = page.locator(".palette-block", { hasText: name }).first();
      await found.scrollIntoViewIfNeeded();
      await found.click();
      await inForm(page);
    },
    press: (role, name, within = "body") => page.locator(within).getByRole(role, { name, exact: true }).last().click(),
    unfold: (name) => page.locator(form).getByText(name, { exact: true }).click(),
    async write(name, text, within) {
      await fieldIn(page, name, within).click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    async choose(name, option) {
      await fieldIn(page, name).click();
      await page.getByRole("option", { name: optionOf(option) }).click();
    },
    select: async (name, option) =>
      void (await page.locator(form).getByLabel(name, { exact: true }).selectOption(option)),
    async lead(way, { block }) {
      const from = await page.locator(".canvas-row.is-way", { hasText: way }).boundingBox();
      if (!from) throw new Error(`There is no way out ${way}`);
      await page.mouse.move(from.x + from.width, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(from.x + from.width + 90, from.y + 60, { steps: 4 });
      await page.mouse.up();
      await pick(page, block);
    },
    leave: async () => {},
    async say(text) {
      await chatOf(page).getByRole("textbox").click();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    },
    pressInChat: (name) => chatOf(page).getByRole("button", { name }).click(),
  };
}

/** Performs the actions with the keyboard only. Throws if Tab does not reach a control. */
export function byKeys(page: Page): Hands {
  const { keyboard } = page;
  const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement);
  /** Moves by Tab to an element, even if the element is re-rendered in the meantime. */
  const tabTo = async (place: Locator) => {
    await place.waitFor();
    for (let tabs = 0; tabs < 150; tabs++) {
      if (await hasFocus(place)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${place}`);
  };
  const isInForm = () => page.evaluate(() => document.activeElement?.closest("[data-panel-body]") != null);
  /** Moves the focus to the outline: with Escape from a form, and with Tab from other elements. */
  const back = async () => {
    if (!(await isInForm())) return tabTo(page.locator(".outline-row[tabindex='0']"));
    // If a list is open, the first Escape only closes the list.
    if (await page.evaluate(() => document.activeElement?.getAttribute("aria-expanded") === "true"))
      await keyboard.press("Escape");
    await keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".outline-row"));
  };
  const add = async (name: string) => {
    await back();
    await keyboard.press("a");
    await pick(page, name);
    await inForm(page);
  };
  /** Moves to a tab. Only one tab of a tab list can be reached with Tab. Arrow keys reach the others. */
  const toTab = async (place: Locator) => {
    const isChosen = async () => (await place.getAttribute("aria-selected")) === "true";
    await tabTo(place.locator("xpath=ancestor::*[@role='tablist']").locator("[role=tab][tabindex='0']"));
    for (let steps = 0; steps < 10 && !(await isChosen()); steps++) await keyboard.press("ArrowRight");
  };
  const goDown = async (isThere: () => Promise<boolean>) => {
    for (let downs = 0; downs < 60; downs++) {
      if (await isThere()) return;
      await keyboard.press("ArrowDown");
    }
    throw new Error("The list has no such entry");
  };
  return {
    add,
    async press(role, name, within = "body") {
      const place = page.locator(within).getByRole(role, { name, exact: true }).last();
      if (role === "tab") return toTab(place);
      await tabTo(place);
      // A busy control does not respond yet.
      await place.and(page.locator(":not([aria-disabled='true'], :disabled)")).waitFor();
      await keyboard.press(role === "switch" ? "Space" : "Enter");
    },
    async unfold(name) {
      await tabTo(page.locator(`${form} summary`, { hasText: name }).first());
      await keyboard.press("Enter");
    },
    async write(name, text, within) {
      await tabTo(fieldIn(page, name, within));
      await keyboard.press("Control+a");
      await keyboard.type(text);
    },
    async choose(name, option) {
      await tabTo(fieldIn(page, name));
      await keyboard.press("ArrowDown");
      const wanted = page.getByRole("option", { name: optionOf(option) });
      await wanted.waitFor();
      await goDown(() => wanted.evaluate((element) => element.classList.contains("is-active")));
      await keyboard.press("Enter");
    },
    async select(name, option) {
      const place = page.locator(form).getByLabel(name, { exact: true });
      await tabTo(place);
      const chosen = () =>
        place.evaluate((element) =>
          element instanceof HTMLSelectElement ? element.selectedOptions[0]?.textContent?.trim() : undefined,
        );
      await goDown(async () => (await chosen()) === option);
    },
    async lead(way, { group, block }) {
      await back();
      const row = page.getByRole("row", { name: new RegExp(RegExp.escape(way)) });
      await row.waitFor();
      await keyboard.press("Home");
      await goDown(() => hasFocus(row));
      await keyboard.press("c");
      await pick(page, group);
      await add(block);
    },
    leave: back,
    async say(text) {
      await tabInto(page, chatOf(page).getByRole("textbox"));
      await keyboard.type(text);
      await keyboard.press("Enter");
    },
    async pressInChat(name) {
      await tabInto(page, chatOf(page).getByRole("button", { name }));
      await keyboard.press("Enter");
    },
  };
}

/** Moves by Tab to an element in a frame. */
async function tabInto(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  for (let tabs = 0; tabs < 60; tabs++) {
    const isThere = await place.evaluate(
      (element) => element === element.ownerDocument.activeElement && element.ownerDocument.hasFocus(),
    );
    if (isThere) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${place}`);
}
