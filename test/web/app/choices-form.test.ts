import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { pastedLines } from "../../../src/web/app/forms/layout/pasted-lines.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { isOurs, openForms, sets, show, swap } from "./forms-browser.ts";

const browserTest = browserTests();

const rows = (page: Page) => page.locator(".app-choice-list > li");
const value = (page: Page) => page.evaluate(() => window.forms.value());

/** Simulates a paste, because a page cannot set the contents of the clipboard. */
const paste = (page: Page, field: number | string, text: string) =>
  page.getByLabel(typeof field === "string" ? field : `Label ${field}`, { exact: true }).evaluate((field, pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);

test("pasted lines lose their list markers, and empty lines are omitted", () => {
  expect(pastedLines("- Red\r\n\r\n  • Green \n3. Blue\n4) Pink\u2028* Grey\n1.5 kg\n-5")).toEqual([
    ...["Red", "Green", "Blue", "Pink", "Grey", "1.5 kg", "-5"],
  ]);
  expect(pastedLines(" \n ")).toEqual([]);
});

browserTest("the row of an option is at most 36 pixels high", async ({ page, problems }) => {
  await openForms(page);
  await show(page, "choice input", {
    items: [
      { id: "a", content: "One", outgoingEdgeId: "e", colour: 1 },
      { id: "b", content: "Two", value: "2" },
    ],
  });
  await page.getByRole("button", { name: "More settings of Two" }).click();
  await page.getByRole("button", { name: "More settings of One" }).click();
  for (const row of await rows(page).all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(36);
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "More settings of Two" }).click();
  await page.getByLabel("Stored value", { exact: true }).fill("two");
  await paste(page, "Stored value", "three\nfour");
  expect(await value(page)).toMatchObject({
    items: [
      { content: "One", colour: 1, outgoingEdgeId: "e" },
      { content: "Two", value: "two" },
    ],
  });
  expect(await axeProblems(page)).toEqual([]);
  expect(problems.filter(isOurs)).toEqual([]);
});

browserTest("an option can be dragged by its handle to another position", async ({ page }) => {
  await openForms(page);
  await show(page, "choice input", { items: ["One", "Two", "Three"].map((content) => ({ id: content, content })) });
  const from = await page.getByRole("button", { name: "Move One", exact: true }).boundingBox();
  const to = await rows(page).nth(2).boundingBox();
  if (!from || !to) throw new Error("There is no handle");
  await page.mouse.move(from.x + 6, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 6, to.y + 12, { steps: 4 });
  await page.mouse.up();
  expect(await value(page)).toMatchObject({ items: [{ id: "Two" }, { id: "Three" }, { id: "One" }] });
  await page.mouse.down();
  await page.mouse.move(from.x + 6, from.y, { steps: 4 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await sets(page)).toHaveLength(1);
});

browserTest("a dragged option keeps its target if others insert an option", async ({ page }) => {
  await openForms(page);
  const [one, two, three, four] = ["One", "Two", "Three", "Four"].map((content) => ({ id: content, content }));
  await show(page, "choice input", { items: [one, two, three] });
  const drag = async () => {
    const from = await page.getByRole("button", { name: "Move One", exact: true }).boundingBox();
    const to = await page.getByRole("button", { name: "Move Two", exact: true }).boundingBox();
    if (!from || !to) throw new Error("There is no handle");
    await page.mouse.move(from.x + 6, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(from.x + 6, to.y + 12, { steps: 4 });
  };
  await drag();
  await swap(page, "choice input", { items: [four, one, two, three] });
  expect(await page.locator(".is-dragged input").first().inputValue()).toBe("One");
  await page.mouse.up();
  expect(await value(page)).toMatchObject({ items: [four, two, one, three] });
  await drag();
  await swap(page, "choice input", { items: [four, two, three] });
  await page.mouse.up();
  await swap(page, "choice input", { items: [four, one, two, three] });
  expect(await page.locator(".is-dragged").count()).toBe(0);
  expect(await sets(page)).toHaveLength(1);
});

browserTest("pasted lines become options in one undo step", async ({ page }) => {
  await openForms(page);
  await show(page, "choice input", { items: [{ id: "a", content: "First ", colour: 1 }, { id: "z" }] });
  const lines = Array.from({ length: 300 }, (_, index) => `- Line ${index}`);
  await paste(page, 1, lines.join("\n"));
  expect(await rows(page).count()).toBe(301);
  expect(await sets(page)).toHaveLength(1);
  expect(await value(page)).toMatchObject({
    items: { 0: { id: "a", content: "First Line 0", colour: 1 }, 299: { content: "Line 299" }, 300: { id: "z" } },
  });
  const ids = await page.evaluate(() => {
    const items: unknown = Reflect.get(Object(window.forms.value()), "items");
    return new Set(Array.isArray(items) ? items.map((item: unknown) => Reflect.get(Object(item), "id")) : []).size;
  });
  expect(ids).toBe(301);

  // Typing a letter re-renders only the row of its field.
  const drawn = await page.evaluate(async () => {
    const seen = new Set<Element>();
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest(".app-choice-list > li");
        if (row) seen.add(row);
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const field = document.querySelector<HTMLInputElement>(".app-choice-list > li:nth-child(150) input");
    if (field) field.value = "Typed";
    field?.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    observer.disconnect();
    return seen.size;
  });
  expect(drawn).toBeLessThanOrEqual(1);

  const before = await value(page);
  await paste(page, 1, Array(1_000).fill("More").join("\n"));
  await page.getByText("There can be at most 1,000 options. Nothing was added.").first().waitFor();
  expect(await value(page)).toEqual(before);
});

browserTest(
  "options of unexpected types stay unchanged, and valid options can be edited",
  async ({ page, problems }) => {
    await openForms(page);
    const items = ["Plain", { content: "Without id" }, { id: "n", content: 3 }, null, { id: "o", content: "Yes" }];
    await show(page, "choice input", { items });
    expect(await sets(page)).toEqual([]);
    await page.getByLabel("Label 5", { exact: true }).fill("No");
    expect(await value(page)).toMatchObject({ items: [...items.slice(0, 4), { id: "o", content: "No" }] });
    await show(page, "choice input", { items: "none" });
    await show(page, "choice input", {});
    await page.getByRole("button", { name: "Add an option" }).click();
    await page.keyboard.type("New");
    expect(await value(page)).toMatchObject({ items: [{ content: "New" }] });
    expect(problems.filter(isOurs)).toEqual([]);
  },
);
