import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { announcementsOn, type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let host: FlowHost;
let threads: Threads;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
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
        { id: "name", type: "text input", options: { variableId: idOf("v1") } },
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
  variables: [{ id: idOf("v1"), name: "Name" }],
  editor: { locks: { kept: true } },
};

inBrowser(
  "a card is renamed, edited, checked and previewed in place",
  async ({ context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const botId = await host.makeBot(ada, await host.api.makeWorkspace(ada), flow);
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const welcome = page.locator("#card-welcome");
    const row = (index: number) => welcome.locator(".canvas-row").nth(index);
    const title = page.getByRole("textbox", { name: "Title of the group" }).and(page.locator(".on-card-title"));
    const start = { position: { x: 60, y: 10 } };
    const heights = () =>
      page.locator(".canvas-card").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));

    // Marks are next to each other, and do not increase the height of a card.
    const before = await heights();
    const kept = page.locator("#card-kept");
    await kept.locator(".canvas-marks").first().waitFor();
    expect(await kept.locator(".canvas-title [title=locked]").count()).toBe(1);
    expect(await kept.getAttribute("aria-label")).toMatch(/^Group Kept as.*locked, 1 warning, 1 hint$/);
    expect(await row(2).textContent()).toBe("Type your answer...Name");
    expect(await row(0).locator(".canvas-chip").textContent()).toBe("Name");
    expect(await heights()).toEqual(before);

    // In the title, Escape discards the text, Enter saves it, and one undo reverts it.
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
    const told = await announcementsOn(page);
    expect(told.some((sentence) => sentence.includes("Rename a group to “Good day”"))).toBe(true);
    // A locked card explains that it is locked.
    await kept.locator(".canvas-title").dblclick(start);
    await waitFor(async () => (await announcementsOn(page)).some((sentence) => sentence.includes("locked")));
    expect(await title.count()).toBe(0);

    expect(await axeProblems(page)).toEqual([]);

    // A text on a card is saved while it is typed, and one undo reverts all of it.
    await row(0).click(start);
    const editor = page.locator(".on-card-text").getByRole("textbox");
    await editor.waitFor();
    await page.keyboard.press("End");
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

    // The marks lead to the findings of the card, and ▷ previews the flow from the card.
    await kept.locator(".canvas-marks").first().click();
    const panel = page.locator(".flow-panel");
    await panel.getByText("Findings in “Kept as it is").waitFor();
    const own = await panel.locator(".finding").count();
    await panel.getByRole("button", { name: "Show all" }).click();
    expect(await panel.locator(".finding").count()).toBeGreaterThan(own);
    await welcome.hover();
    const asked = page.waitForRequest((request) => request.url().endsWith("/preview/startChat"));
    await welcome.getByRole("button", { name: "Preview from here" }).click();
    expect((await asked).postDataJSON().startFrom).toEqual({ type: "group", groupId: "welcome" });
    const again = page.waitForRequest((request) => request.url().endsWith("/preview/startChat"));
    await row(2).click({ position: { x: 16, y: 10 } });
    await page.locator(".canvas").focus();
    await page.keyboard.press("p");
    expect((await again).postDataJSON().startFrom).toEqual({ type: "block", blockId: "name" });
    // The frame of a preview comes from the chats' host, which this test lacks.
    expect(problems.filter((problem) => !problem.endsWith("/assets/preview"))).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inBrowser(
  "a double click applies to the first clicked element",
  async ({ context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    type Place = { readonly x: number; readonly y: number };
    for (const { fromLeft, under } of [
      { fromLeft: 60, under: "canvas" },
      { fromLeft: 200, under: "flow-panel" },
    ]) {
      const botId = await host.makeBot(ada, workspaceId, flow);
      const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
      const devtools = await context.newCDPSession(page);
      const tools = page.locator(".act-bar");
      const title = page.locator(".on-card-title");
      const placeOf = async (left: number) => {
        const { x, y } = (await page.locator("#card-welcome .canvas-title").boundingBox()) ?? { x: 0, y: 0 };
        return { x: x + left, y: y + 10 };
      };
      // The presses have explicit timestamps, so that a slow page does not matter.
      const begin = Date.now() / 1_000;
      const press = async (place: Place, seconds: number, clickCount: number) => {
        const rest = { ...place, timestamp: begin + seconds, clickCount, button: "left" } as const;
        for (const type of ["mousePressed", "mouseReleased"] as const)
          await devtools.send("Input.dispatchMouseEvent", { type, ...rest });
      };
      const classUnder = ({ x, y }: Place) =>
        page.evaluate(
          (point) =>
            document.elementFromPoint(point.x, point.y)?.closest(".canvas-card, .flow-panel, .canvas")?.classList[0],
          { x, y },
        );

      const at = await placeOf(fromLeft);
      await press(at, 0, 1);
      await waitFor(async () => (await classUnder(at)) === under);
      await tools.waitFor();
      const reached = await page.evaluateHandle(() => {
        const types: string[] = [];
        for (const type of ["mousedown", "click", "dblclick"])
          for (const element of document.querySelectorAll(".flow-panel, .canvas-tools"))
            element.addEventListener(type, () => types.push(type));
        return types;
      });
      await press(at, 0.2, 2);
      await title.waitFor();
      expect(await title.inputValue()).toBe("Welcome");
      expect(await tools.count()).toBe(1);
      expect(await reached.jsonValue()).toEqual([]);
      await page.keyboard.press("Escape");
      await title.waitFor({ state: "detached" });

      // A late press is not the second press of a double-click, and neither is a press at another position.
      const isOther = async (presses: number) => {
        if (under === "canvas") await tools.waitFor({ state: "detached" });
        else expect(await reached.jsonValue()).toEqual(Array(presses).fill(["mousedown", "click"]).flat());
      };
      await press(at, 2, 1);
      await isOther(1);
      await press(await placeOf(60), 3, 1);
      await tools.waitFor();
      await press(at, 3.2, 1);
      await isOther(2);
      if (under === "canvas") {
        await press(at, 6, 1);
        await page.locator(".canvas-tools button").first().press("Enter");
        expect(await reached.jsonValue()).toEqual(["click"]);
      }
      await page.close();
    }
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_200, height: 900 } },
);

inLongRun(
  "two taps are a double tap on the first tapped element, even if the second tap is some pixels away",
  async ({ context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const botId = await host.makeBot(ada, await host.api.makeWorkspace(ada), flow);
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const devtools = await context.newCDPSession(page);
    const title = (await page.locator("#card-welcome .canvas-title").boundingBox()) ?? { x: 0, y: 0, height: 0 };
    const begin = Date.now() / 1_000;
    const tap = async (below: number, seconds: number) => {
      const point = { x: title.x + 60, y: title.y + title.height - 3 + below };
      const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[], after: number) =>
        devtools.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp: begin + seconds + after });
      await touch("touchStart", [point], 0);
      await touch("touchEnd", [], 0.03);
    };
    await tap(0, 0);
    await tap(15, 0.2);
    const field = page.locator(".on-card-title");
    await field.waitFor();
    expect(await field.inputValue()).toBe("Welcome");
    expect(problems).toEqual([]);
  },
  { hasTouch: true, reducedMotion: "reduce", viewport: { width: 1_200, height: 900 } },
);

inBrowser(
  "the full text of a truncated row is shown under a resting pointer",
  async ({ context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const botId = await host.makeBot(ada, await host.api.makeWorkspace(ada), flow);
    await context.clock.install();
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const welcome = page.locator("#card-welcome");
    const row = (index: number) => welcome.locator(".canvas-row").nth(index);
    const whole = page.getByRole("tooltip");
    const start = { position: { x: 60, y: 10 } };
    const ground = { position: { x: 20, y: 20 } };
    const boxOf = async (element: typeof whole) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const rest = () => page.clock.runFor(700);

    await row(1).hover(start);
    await rest();
    await whole.waitFor();
    expect(await whole.textContent()).toBe(`Text${long.replace("{{Name}}", "Name")}`);
    expect(await row(1).getAttribute("aria-describedby")).toBe(await whole.getAttribute("id"));
    const [card, under, told] = [await boxOf(welcome), await boxOf(row(1)), await boxOf(whole)];
    expect(told.x).toBeGreaterThanOrEqual(card.x - 1);
    expect(told.x + told.width).toBeLessThanOrEqual(card.x + card.width + 1);
    expect(told.height).toBeLessThanOrEqual(160);
    expect(told.y).toBeGreaterThanOrEqual(under.y + under.height - 1);
    expect(await axeProblems(page)).toEqual([]);
    // The pointer moves onto the full text, which must stay open for reading.
    await whole.hover();
    await rest();
    expect(await whole.isVisible()).toBe(true);
    await page.locator(".canvas").hover(ground);
    await whole.waitFor({ state: "detached" });

    for (const end of [() => page.keyboard.press("Shift"), () => page.mouse.wheel(0, 1), () => page.mouse.down()]) {
      await page.locator(".canvas").hover(ground);
      await row(1).hover(start);
      await rest();
      await whole.waitFor();
      await end();
      await whole.waitFor({ state: "detached" });
      await page.mouse.up();
    }
    // A press opens the text for editing. A text that is only selected is shown completely in its form.
    await page.locator(".on-card-text").getByRole("textbox").press("Escape");
    await page.locator(".on-card-text").waitFor({ state: "detached" });
    await page.locator(".canvas").hover(ground);
    await row(1).hover(start);
    await rest();
    await welcome.locator(".canvas-row.is-active").waitFor();
    expect(await whole.count()).toBe(0);
    // The full text of a title is also shown on hover.
    await page.locator("#card-kept .canvas-title").hover(start);
    await rest();
    await whole.getByText(/^Kept as it is, whatever anybody says or does$/).waitFor();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);
