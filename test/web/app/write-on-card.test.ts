import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { placeOfCaret } from "../../../src/web/app/canvas-acts/on-card/put-caret.ts";
import { axeProblems } from "../../support/axe.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowTests, openFlow, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

test("a caret keeps its position despite folded white space", () => {
  const at = (parts: readonly string[], letters: number, isAfterBlank = false) =>
    placeOfCaret(parts, { letters, isAfterBlank });
  expect(at(["Hello  {{Name}}!"], 5)).toEqual({ part: 0, offset: 5 });
  expect(at(["Hello  {{Name}}!"], 5, true)).toEqual({ part: 0, offset: 9 });
  expect(at(["Hello", "you"], 6)).toEqual({ part: 1, offset: 1 });
  expect(at(["Hello", "you"], 5, true)).toEqual({ part: 1, offset: 0 });
  expect(at(["  Hi"], 0)).toEqual({ part: 0, offset: 0 });
  expect(at(["  Hi"], 0, true)).toEqual({ part: 0, offset: 2 });
  expect(at(["Hi"], 9)).toEqual({ part: 0, offset: 2 });
  expect(at([], 3)).toEqual({ part: 0, offset: 0 });
});

const tests = flowTests();
const { inBrowser } = tests;
const says = (words: string) => ({ richText: [{ type: "p", children: [{ text: words }] }] });
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 240, y: 0 },
      blocks: [
        { id: "hello", type: "text", content: says("Hello dear guest") },
        { id: "name", type: "text input", options: { variableId: idOf("v1"), labels: { placeholder: "Your name" } } },
        { id: "cat", type: "image", content: { url: "https://example.com/cat.png" } },
        {
          id: "size",
          type: "choice input",
          items: [
            { id: "small", content: "Small" },
            { id: "large", content: "Large" },
          ],
        },
      ],
    },
    {
      id: "locked",
      title: "Locked",
      graphCoordinates: { x: 240, y: 290 },
      blocks: [{ id: "fixed", type: "text", content: says("As it is") }],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } }],
  variables: [
    { id: idOf("v1"), name: "Name" },
    { id: idOf("v2"), name: "Size" },
  ],
  editor: { locks: { locked: true } },
};

const blocksOf = async (botId: string) => (await tests.host.draft(tests.ada, botId)).groups[0]?.blocks ?? [];
const row = (page: Page, id: string) => page.locator(`[id^="card-row-${id}-"]`).first();
const text = (page: Page, id: string) => row(page, id).locator(".canvas-text");
const field = (page: Page) => page.locator(".on-card-field input:not([type=file])");

inBrowser(
  "a click on a text or an option starts editing",
  async ({ context, problems }) => {
    await context.route("https://example.com/**", (route) => route.fulfill({ status: 204 }));
    const { page, botId } = await tests.open(context, flow, { shown: "canvas" });
    const editor = page.locator(".on-card-text").getByRole("textbox");

    // The caret is at the position of the press, after the first word.
    const letters = await text(page, "hello").evaluate((element) => {
      const range = document.createRange();
      range.setStart(element.firstChild ?? element, 0);
      range.setEnd(element.firstChild ?? element, 5);
      const { right, top, height } = range.getBoundingClientRect();
      return { x: right, y: top + height / 2 };
    });
    await page.mouse.click(letters.x, letters.y);
    await editor.waitFor();
    await page.keyboard.type(" there,");
    expect(await editor.textContent()).toBe("Hello there, dear guest");
    expect(await axeProblems(page)).toEqual([]);
    // Delete removes letters, and Escape returns to the row.
    for (let times = 0; times < 5; times++) await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    expect(await text(page, "hello").textContent()).toBe("Hello there, guest");
    expect(await row(page, "hello").getAttribute("class")).toInclude("is-active");
    expect(await page.evaluate(() => document.activeElement?.className)).toInclude("canvas");

    // A press that moves further than 4 px is a drag, and opens no editor.
    const icon = (await row(page, "hello").boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(icon.x + 80, icon.y + 10);
    await page.mouse.down();
    await page.mouse.move(icon.x + 90, icon.y + 14, { steps: 3 });
    await page.locator(".canvas-dragged").waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await editor.count()).toBe(0);
    // A press on the icon, a press with Shift, and a press in a locked group open no editor.
    await row(page, "hello").click({ position: { x: 16, y: 12 } });
    await text(page, "name").click({ modifiers: ["Shift"] });
    await text(page, "fixed").click();
    await page.locator(".canvas-row.is-active", { hasText: "As it is" }).waitFor();
    expect(await page.locator(".on-card-text, .on-card-field").count()).toBe(0);

    // The editor contains the placeholder, and the variable that stores the answer.
    await text(page, "name").click();
    await field(page).waitFor();
    expect(await field(page).getAttribute("class")).toInclude("app-input");
    await page.keyboard.press("End");
    await page.keyboard.type(", please");
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await field(page).waitFor({ state: "detached" });
    expect(await text(page, "name").textContent()).toBe("Your name, please");
    await row(page, "name").locator(".canvas-variable").click();
    await page.getByRole("option", { name: "Size" }).click();
    await field(page).waitFor({ state: "detached" });
    expect(await row(page, "name").locator(".canvas-variable").textContent()).toBe("Size");

    // A press on a picture opens its picker.
    await row(page, "cat").locator(".canvas-text").click();
    expect(await field(page).inputValue()).toBe("https://example.com/cat.png");
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });

    // An option is renamed, Enter adds the next option, pasted lines become options, and the ghost row adds another.
    await text(page, "size-small").click();
    await field(page).fill("Tiny");
    await page.keyboard.press("Enter");
    await waitFor(async () => (await field(page).inputValue()) === "");
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "- Small\n- Medium");
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await waitFor(async () => (await field(page).inputValue()) === "Medium");
    await page.keyboard.press("ArrowDown");
    await waitFor(async () => (await field(page).inputValue()) === "Large");
    await page.getByRole("button", { name: "Add an option" }).and(page.locator(".on-card-ghost")).click();
    await waitFor(async () => (await field(page).inputValue()) === "");
    await page.keyboard.type("Huge");
    await page.keyboard.press("Escape");
    await saved(page);
    const [, , , size] = await blocksOf(botId);
    const items = Array.isArray(size?.["items"]) ? size["items"] : [];
    expect(items.map(({ content }) => content)).toEqual(["Tiny", "Small", "Medium", "Large", "Huge"]);

    // F2 edits an option and an input by keys only.
    await row(page, "size-small").click({ position: { x: 8, y: 8 } });
    await page.locator(".canvas").focus();
    await page.keyboard.press("F2");
    await field(page).waitFor();
    await page.keyboard.type("!");
    await page.keyboard.press("Escape");
    expect(await text(page, "size-small").textContent()).toBe("Tiny!");

    // In a distant view, a press only selects.
    while (Number.parseInt((await page.locator(".canvas-zoom").textContent()) ?? "", 10) >= 60)
      await page.getByRole("button", { name: "Zoom out" }).click();
    await text(page, "hello").click();
    await page.locator(".canvas-row.is-active", { hasText: "Hello" }).waitFor();
    expect(await page.locator(".on-card-text, .on-card-field, .on-card-ghost").count()).toBe(0);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inBrowser(
  "letters of two authors in one label are merged",
  async ({ context, problems }) => {
    const { host, ada, workspaceId } = tests;
    const grace = await host.api.makeUser({ name: "Grace" });
    await host.api.deps.sql`
      insert into members (workspace_id, user_id, role) values (${workspaceId}, ${grace.userId}, 'MEMBER')`;
    const other = await context.browser()?.newContext();
    if (!other) throw new Error("There is no browser");
    await context.route("https://example.com/**", (route) => route.fulfill({ status: 204 }));
    const { page, botId } = await tests.open(context, flow, { shown: "canvas" });
    const second = await openFlow(other, host, { user: grace, botId, at: "name" });
    const theirs = second.getByLabel("Placeholder", { exact: true });
    await text(page, "name").click();
    await field(page).press("End");
    await page.keyboard.type("!");
    await theirs.press("Home");
    await second.keyboard.type("So: ");
    const isMerged = async () =>
      (await field(page).inputValue()) === "So: Your name!" && (await theirs.inputValue()) === "So: Your name!";
    await waitFor(isMerged);
    // The caret is still after the last letter.
    await page.keyboard.type("?");
    await waitFor(async () => (await theirs.inputValue()) === "So: Your name!?");
    await page.keyboard.press("Escape");

    await text(page, "size-large").click();
    await field(page).waitFor();
    await saved(page);
    const { revision } = await host.draft(ada, botId);
    const change = { op: "remove", of: "item", in: "size", id: "large" };
    const changeSets = [{ id: crypto.randomUUID(), title: "Remove", changes: [change] }];
    await host.call(grace, "POST", `/api/v1/bots/${botId}/changes`, { base: revision, changeSets });
    await field(page).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await other.close();
  },
  { viewport: { width: 1_440, height: 900 } },
);
