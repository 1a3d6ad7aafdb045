import { afterAll, beforeAll, expect } from "bun:test";
import { overlaps } from "../../../src/web/app/canvas/geometry.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { type FlowHost, openFlow, openFlowHost, saved, toldOn } from "../../support/flow-page.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let host: FlowHost;
let threads: Threads;
const inBrowser = browserTests();
beforeAll(async () => {
  threads = createThreads({ count: 1 });
  host = await openFlowHost({ threads });
});
afterAll(async () => {
  await host.close();
  await threads.close();
});

const long = "We are open from nine to five, and on Saturdays till noon. What can we do for you today, {{Name}}?";
const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 240, y: 0 },
      blocks: [
        text("hello", "Hello {{Name}}"),
        text("hours", long),
        { id: "name", type: "text input", options: { variableId: "v1" } },
      ],
    },
    {
      id: "kept",
      title: "Kept as it is, whatever anybody says or does",
      graphCoordinates: { x: 240, y: 300 },
      blocks: [{ id: "away", type: "Jump", options: { groupId: "gone" } }],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } }],
  variables: [{ id: "v1", name: "Name" }],
  editor: { locks: { kept: true } },
};

inBrowser(
  "a card is named, written, read in full, looked into and tried where it stands, by pointer and by keys",
  async ({ context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const botId = await host.makeBot(ada, await host.api.makeWorkspace(ada), flow);
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const welcome = page.locator("#card-welcome");
    const row = (index: number) => welcome.locator(".canvas-row").nth(index);
    const title = page.getByRole("textbox", { name: "Title of the group" }).and(page.locator(".on-card-title"));
    const whole = page.getByRole("tooltip");
    const start = { position: { x: 60, y: 10 } };
    const heights = () =>
      page.locator(".canvas-card").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));

    // Marks stand beside each other, and make no card higher.
    const before = await heights();
    const kept = page.locator("#card-kept");
    await kept.locator(".canvas-marks").first().waitFor();
    expect(await kept.locator(".canvas-title [title=locked]").count()).toBe(1);
    expect(await kept.getAttribute("aria-label")).toMatch(/^Group Kept as.*locked, 2 warnings$/);
    expect(await row(2).textContent()).toBe("Type your answer...Name");
    expect(await row(0).locator(".canvas-chip").textContent()).toBe("Name");
    expect(await heights()).toEqual(before);

    // The title: Escape lets it be, Enter writes it, and one undo takes it back.
    await welcome.locator(".canvas-title").dblclick(start);
    await title.fill("Nobody");
    await title.press("Escape");
    expect(await welcome.locator(".canvas-title-text").textContent()).toBe("Welcome");
    await page.keyboard.press("F2");
    await title.fill("Good day");
    await title.press("Enter");
    expect(await welcome.locator(".canvas-title-text").textContent()).toBe("Good day");
    await page.keyboard.press("Control+z");
    await waitFor(async () => (await welcome.locator(".canvas-title-text").textContent()) === "Welcome");
    const told = await toldOn(page);
    expect(told.some((sentence) => sentence.includes("Rename a group to “Good day”"))).toBe(true);
    // What is locked says so.
    await kept.locator(".canvas-title").dblclick(start);
    await waitFor(async () => (await toldOn(page)).some((sentence) => sentence.includes("locked")));
    expect(await title.count()).toBe(0);

    // Folded texts: with keys, beside the row; Escape closes it, and the row stays selected.
    await welcome.locator(".canvas-title").click(start);
    await page.locator(".canvas").focus();
    for (const key of ["Enter", "ArrowDown"]) await page.keyboard.press(key);
    await whole.waitFor();
    expect(await whole.textContent()).toBe(`Text${long.replace("{{Name}}", "Name")}`);
    const boxOf = async (element: typeof whole) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(overlaps(await boxOf(row(1)), await boxOf(whole))).toBe(false);
    expect(await row(1).getAttribute("aria-describedby")).toBe(await whole.getAttribute("id"));
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await whole.waitFor({ state: "detached" });
    expect(await row(1).getAttribute("class")).toInclude("is-active");
    // With the pointer, which may go over to it; titles, too.
    await kept.locator(".canvas-title").hover(start);
    await whole.getByText(/^Kept as it is, whatever anybody says or does$/).waitFor();
    await row(0).hover(start);
    await row(1).hover(start);
    await whole.hover();
    expect(await whole.isVisible()).toBe(true);

    // A text in its place: written as it is typed, and one undo takes all of it back.
    await row(0).dblclick(start);
    const editor = page.locator(".on-card-text").getByRole("textbox");
    await editor.waitFor();
    await page.keyboard.type(", and");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" welcome");
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    expect(await row(0).textContent()).toBe("Hello Name, and welcome");
    expect(await page.evaluate(() => document.activeElement?.className)).toInclude("canvas");
    await saved(page);
    const stored = JSON.stringify((await host.draft(ada, botId)).groups[0]?.blocks[0]);
    expect(stored).toInclude('"bold":true');
    await page.keyboard.press("Control+z");
    await waitFor(async () => (await row(0).textContent()) === "Hello Name");

    // The signs lead to the findings of this card, and ▷ tries the flow from here.
    await kept.locator(".canvas-marks").first().click();
    const panel = page.locator(".flow-panel");
    await panel.getByText("Findings of “Kept as it is").waitFor();
    const own = await panel.locator(".finding").count();
    await panel.getByRole("button", { name: "Show all" }).click();
    expect(await panel.locator(".finding").count()).toBeGreaterThan(own);
    await welcome.hover();
    const asked = page.waitForRequest((request) => request.url().endsWith("/preview/startChat"));
    await welcome.getByRole("button", { name: "Preview from here" }).click();
    expect((await asked).postDataJSON().startFrom).toEqual({ type: "group", groupId: "welcome" });
    const again = page.waitForRequest((request) => request.url().endsWith("/preview/startChat"));
    await row(2).click(start);
    await page.locator(".canvas").focus();
    await page.keyboard.press("p");
    expect((await again).postDataJSON().startFrom).toEqual({ type: "block", blockId: "name" });
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);
