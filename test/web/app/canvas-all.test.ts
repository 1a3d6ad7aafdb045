import { describe, expect, test } from "bun:test";
import type { DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { replace, search } from "../../../src/core/editing/references/search.ts";
import { createCamera, freeOf } from "../../../src/web/app/canvas/scene/camera.ts";
import { flowTests, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

const tests = flowTests();
const { inBrowser } = tests;

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: -300, y: 0 } }],
  groups: [
    {
      id: "Plan",
      title: "Plan",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        text("hello", "Hello"),
        { id: "ask", type: "choice input", items: [{ id: "a", content: "Basic" }], outgoingEdgeId: "e2" },
      ],
    },
    { id: "End", title: "End", graphCoordinates: { x: 420, y: 0 }, blocks: [text("bye", "Bye")] },
  ],
  edges: [
    { id: "e1", from: { eventId: "start" }, to: { groupId: "Plan" } },
    { id: "e2", from: { blockId: "ask" }, to: { groupId: "End" } },
  ],
  variables: [],
  editor: {
    notes: [{ id: "n", text: "Far away", graphCoordinates: { x: 3000, y: 1500 }, size: { width: 240, height: 160 } }],
  },
};

test("a replacement skips protected texts", () => {
  const draft: DraftDocument = { groups: flow.groups, edges: [], variables: [] };
  const isKept = (groupId: string) => groupId === "End";
  expect(search(draft, { text: "e" }, { isKept })).toMatchObject({ kept: 2, replaceable: 1 });
  expect(replace(draft, { text: "e" }, { by: "i", isKept })).toHaveLength(1);
});

describe("a part that is scrolled into view", () => {
  const size = { width: 1_000, height: 868 };
  const map = { x: 808, y: 736, width: 176, height: 116 };
  const find = { x: 608, y: 12, width: 380, height: 300 };

  test("a part is scrolled to the middle of the uncovered area", () => {
    const covers = [find, map];
    const frames = { now: () => 0, next: () => () => {}, isMotionReduced: () => true, covers: () => covers };
    const camera = createCamera(
      () => undefined,
      () => [],
      frames,
    );
    camera.size.value = size;
    // The tools at the lower edge take 68 px. For each of the two other covers, the smallest strip is subtracted.
    const free = freeOf(size, covers);
    expect(free).toEqual({ x: 0, y: 312, width: 1_000, height: 424 });
    const card = { x: 640, y: 20, width: 272, height: 200 };
    camera.reveal(card);
    const { x, y } = camera.state.value;
    expect([card.x - x + 136, card.y - y + 100]).toEqual([500, 524]);
    camera.reveal(card);
    expect(camera.state.value).toEqual({ x, y, zoom: 1 });
    // If a card is larger than the window, its relevant part is shown, or otherwise its beginning.
    const tall = { x: 0, y: 0, width: 272, height: 2_000 };
    camera.reveal(tall, { x: 0, y: 1_900, width: 272, height: 32 });
    expect(1_916 - camera.state.value.y).toBe(524);
    camera.reveal(tall);
    expect(-camera.state.value.y).toBe(312 + 24);
  });

  test("the uncovered area ignores a panel that covers nearly the whole canvas", () => {
    expect(freeOf(size, [{ x: 10, y: 10, width: 980, height: 840 }])).toEqual({
      x: 0,
      y: 0,
      width: 1_000,
      height: 800,
    });
    // In a narrow window, the selection's bar is above the tools.
    expect(freeOf({ width: 390, height: 800 }, [])).toEqual({ x: 0, y: 0, width: 390, height: 676 });
  });
});

inBrowser(
  "arrow keys reach the last line of a card",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    const canvas = page.locator(".canvas");
    const active = async () => await page.locator(".canvas-row.is-active").textContent();
    await canvas.focus();
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await waitFor(async () => (await active()) === "Hello");
    // The keys move down to the last line, which belongs to no block. Delete removes its edge.
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await waitFor(async () => (await active())?.includes("Otherwise") === true);
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Undo: Remove a line" }).click();
    await canvas.focus();
    for (const key of ["Escape", "Alt+ArrowUp"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Undo: Move a block" }).waitFor();
    await saved(page);
    const [plan] = (await tests.draft(botId)).groups;
    expect(plan?.blocks.map(({ id, outgoingEdgeId }) => [id, outgoingEdgeId])).toEqual([
      ["ask", "e2"],
      ["hello", undefined],
    ]);
    await page.keyboard.press("Control+a");
    await page.locator(".act-bar-text", { hasText: "4 objects" }).waitFor();
    await page.keyboard.press("1");
    await page.locator(".canvas.is-far").waitFor();
    expect(await page.locator(".act-bar-text").textContent()).toBe("4 objects");
    await page.locator("#note-n, .canvas-far").first().waitFor();
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);
