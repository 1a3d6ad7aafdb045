import type { Page } from "playwright-core";
import { idOf } from "../../support/builder-ids.ts";
import { flowTests } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

/** Keys that are pressed at once, before the page has drawn what the key before them has done. */

const tests = flowTests();
const { inBrowser } = tests;

const flow = () => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "g1",
      title: "Welcome",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [{ id: "ask", type: "text input", options: { variableId: idOf("v1") } }],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g1" } }],
  variables: [{ id: idOf("v1"), name: "Name" }],
});

/** As on a busy machine: what the page puts off to its next turn or frame comes only after the keys of `press`. */
async function withLateTurns(page: Page, press: () => Promise<void>): Promise<void> {
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
  await press();
  await page.evaluate(() => Reflect.get(window, "endLateness")());
}

const palette = (page: Page) => page.getByRole("dialog", { name: "Commands and places" });

/** Types in the palette, and waits for this entry to be the one that Enter takes. */
async function choose(page: Page, typed: string, wanted: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(typed);
  await palette(page).getByRole("option", { name: wanted, selected: true }).waitFor();
}

inBrowser("a key right after the choice of a command reaches what the command has opened", async ({ context }) => {
  const { page } = await tests.open(context, flow());
  await page.locator('[data-key="block:ask"]').focus();
  await choose(page, "find in", "Find in this flow");
  await withLateTurns(page, async () => {
    await page.keyboard.press("Enter");
    // On a row of the flow it is the key that asks which block to add.
    await page.keyboard.press("a");
  });
  const field = page.getByRole("searchbox", { name: "Find in this flow" });
  await waitFor(async () => (await field.inputValue()) === "a", { what: "the letter in the field" });
});
