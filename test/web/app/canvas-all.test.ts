import { expect, test } from "bun:test";
import type { DraftDocument } from "../../../src/editing/change.ts";
import { replace, search } from "../../../src/editing/search.ts";
import { createCamera } from "../../../src/web/app/canvas/camera.ts";
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

test("a replacement leaves out what is kept as it is, and tells how many places that are", () => {
  const draft: DraftDocument = { groups: flow.groups, edges: [], variables: [] };
  const isKept = (groupId: string) => groupId === "End";
  expect(search(draft, { text: "e" }, { isKept })).toMatchObject({ kept: 2, replaceable: 1 });
  expect(replace(draft, { text: "e" }, { by: "i", isKept })).toHaveLength(1);
});

test("what is revealed lies above the tools at the lower rim, in a narrow window higher than in a wide one", () => {
  const frames = { now: () => 0, next: () => () => {}, isMotionReduced: () => true };
  for (const [width, covered] of [
    [390, 124],
    [1_440, 68],
  ] as const) {
    const camera = createCamera(
      () => undefined,
      () => [],
      frames,
    );
    camera.size.value = { width, height: 800 };
    camera.reveal({ x: 0, y: 700, width: 100, height: 80 });
    expect(780 - camera.state.value.y).toBe(800 - covered - 24);
  }
});

inBrowser(
  "all is chosen and shown with its notes; each line of a card is reached by keys, and a row is moved by them",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow, { shown: "canvas" });
    const canvas = page.locator(".canvas");
    const active = async () => await page.locator(".canvas-row.is-active").textContent();
    await canvas.focus();
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await waitFor(async () => (await active()) === "Hello");
    // Down to the last line, which is none of its block's own, and what leads on from it goes by Delete.
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await waitFor(async () => (await active())?.includes("Otherwise") === true);
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Undo: Take a connection away" }).click();
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
    await page.locator(".act-bar-text", { hasText: "4 cards" }).waitFor();
    await page.keyboard.press("1");
    // It stays so once everything has followed.
    await page.locator(".canvas.is-far").waitFor();
    expect(await page.locator(".act-bar-text").textContent()).toBe("4 cards");
    await page.locator("#note-n, .canvas-far").first().waitFor();
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);
