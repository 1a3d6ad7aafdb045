import { afterAll, beforeAll, expect } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { browserTests } from "../../support/browser.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(() => host.close());

inBrowser(
  "a key that is typed renders its form and its row, whatever the flow's size, and nothing else",
  async ({ context, problems }) => {
    const counts: Renders[] = [];
    // What is found in the flow, and that it is saved, comes when it comes: not while keys are counted.
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
      const botId = await host.makeBot(ada, workspaceId, flowOf(groups));
      const page = await openFlow(context, host, { user: ada, botId, at: "b7-0" });
      await page.locator(".outline-row").nth(10).waitFor();
      const field = page.getByLabel("Placeholder", { exact: true });
      await field.press("End");
      await countRenders(page);
      // The first one also tells that something can be undone, and is not saved yet.
      await field.press("a");
      await rendersSince(page);
      await field.press("b");
      counts.push(await rendersSince(page));
      expect(await field.inputValue()).toBe("Who in 7ab");
      isCounting = false;
      await Promise.all(held.splice(0).map((route) => route.continue()));
      await saved(page);
      await page.close();
      isCounting = true;
    }
    const [small, large] = counts;
    expect(small?.elsewhere).toEqual([]);
    expect(small?.inRow).toBeGreaterThan(0);
    expect(small?.inForm).toBeGreaterThan(0);
    expect(large).toEqual(small);
    expect(problems).toEqual([]);
  },
);

/** Renders of components: how many were in the form and in the row of what is edited, and what was drawn elsewhere. */
type Renders = { readonly inForm: number; readonly inRow: number; readonly elsewhere: readonly string[] };

/** Counts, from now on, how often components that are on the page are rendered: one that comes is drawn by one that is there. */
async function countRenders(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Preact keeps its tree at the element that it draws into: `__k` children, `__c` a component, `__v` its node, `__e` what is on the page.
    const root = [...document.querySelectorAll("*")].find((element) => Object.hasOwn(element, "__k"));
    const rendered: unknown[] = [];
    Object.assign(window, { rendered });
    const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
    let components = 0;
    const watch = (node: unknown): void => {
      if (!isObject(node)) return;
      const component: unknown = Reflect.get(node, "__c");
      const render: unknown = isObject(component) ? Reflect.get(component, "render") : undefined;
      if (isObject(component) && typeof render === "function") {
        components++;
        Reflect.set(component, "render", function (this: unknown, ...given: unknown[]) {
          rendered.push(component);
          return render.apply(this, given);
        });
      }
      const children: unknown = Reflect.get(node, "__k");
      if (Array.isArray(children)) children.forEach(watch);
    };
    if (root) watch(Reflect.get(root, "__k"));
    if (components < 50) throw new Error(`Only ${components} components were found on the page.`);
  });
}

/** What was rendered since the last time, once everything is painted. */
async function rendersSince(page: Page): Promise<Renders> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const rendered: unknown = Reflect.get(window, "rendered");
    const elements = (Array.isArray(rendered) ? rendered.splice(0) : []).flatMap((component): Element[] => {
      const element: unknown = component.__v?.__e;
      return element instanceof Element ? [element] : [];
    });
    const lieIn = (selector: string) => elements.filter((element) => element.closest(selector));
    const [form, row] = [lieIn("[data-panel-body]"), lieIn('[data-key="block:b7-0"]')];
    const known = new Set([...form, ...row]);
    return {
      inForm: form.length,
      inRow: row.length,
      elsewhere: elements.flatMap((element) => (known.has(element) ? [] : [element.outerHTML.slice(0, 120)])),
    };
  });
}

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
