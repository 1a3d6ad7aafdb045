import { expect } from "bun:test";
import type { Route } from "playwright-core";
import { flowTests, saved } from "../../support/flow-page.ts";
import { countRenders, type Renders, rendersSince } from "../../support/renders.ts";

const tests = flowTests();
const { inBrowser } = tests;

inBrowser("a keystroke in a form renders only the form and the row", async ({ context, problems }) => {
  const counts: Renders<"form" | "row">[] = [];
  // Findings and saves of the flow can arrive at any time, so they are delayed while keys are counted.
  let isCounting = true;
  const held: Route[] = [];
  await context.addInitScript(() => {
    Worker.prototype.postMessage = () => {};
  });
  await context.route(
    (url) => /\/(lint|changes)$/.test(url.pathname),
    (route) => (isCounting ? void held.push(route) : route.continue()),
  );
  for (const groups of [20, 400]) {
    const { page } = await tests.open(context, flowOf(groups), { at: "b7-0" });
    await page.locator(".outline-row").nth(10).waitFor();
    const field = page.getByLabel("Placeholder", { exact: true });
    await field.press("End");
    await countRenders(page);
    // The first letter also enables undo, and changes the saving state.
    await field.press("a");
    await rendersSince(page, {});
    await field.press("b");
    counts.push(await rendersSince(page, { form: "[data-panel-body]", row: '[data-key="block:b7-0"]' }));
    expect(await field.inputValue()).toBe("Who in 7ab");
    isCounting = false;
    await Promise.all(held.splice(0).map((route) => route.continue()));
    await saved(page);
    await page.close();
    isCounting = true;
  }
  const [small, large] = counts;
  expect(small?.elsewhere).toEqual([]);
  expect(small?.in.row).toBeGreaterThan(0);
  expect(small?.in.form).toBeGreaterThan(0);
  expect(large).toEqual(small);
  expect(problems).toEqual([]);
});

function flowOf(groups: number) {
  const list = Array.from({ length: groups }, (_, group) => ({
    id: `g${group}`,
    title: `Group ${group}`,
    graphCoordinates: { x: 0, y: 300 * group },
    blocks: Array.from({ length: 5 }, (__, block) => ({
      id: `b${group}-${block}`,
      type: "text input",
      options: { labels: { placeholder: `Who in ${group}` } },
      ...(block === 4 && group < groups - 1 && { outgoingEdgeId: `e${group + 1}` }),
    })),
  }));
  const edges = list.map(({ id }, group) => ({
    id: `e${group}`,
    from: group === 0 ? { eventId: "start" } : { blockId: `b${group - 1}-4` },
    to: { groupId: id },
  }));
  const events = [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: { x: 0, y: 0 } }];
  return { version: "6.1", groups: list, edges, events, variables: [] };
}
