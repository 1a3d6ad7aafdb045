import type { Browser, Locator, Page } from "playwright-core";
import { benchToken } from "../service.ts";
import { type Cost, costOf } from "./cost.ts";
import { flowOf, groupWithCode } from "./flows.ts";
import { type Opened, openPage } from "./stage.ts";

/** The measurements of every round, and the bytes that one edit sends and receives. */
export type OutlineCosts = {
  readonly costs: ReadonlyMap<string, readonly Cost[]>;
  readonly editBytes: number;
};

/** The number of keys per measurement. A single key costs too little to be measured. */
const keys = 25;
/** The time in ms until the findings of an opened flow are computed and rendering has settled. */
const settleMs = 2_500;
/** The pause in ms after which further typing is a separate undo step. */
const actMs = 1_100;

/** Measures the cost of opening a flow as an outline, and of editing it. */
export async function measureOutline(browser: Browser, address: string, rounds: number): Promise<OutlineCosts> {
  const costs = new Map<string, Cost[]>();
  const measure = async (name: string, act: () => Promise<Cost>, times = rounds): Promise<void> => {
    const list: Cost[] = [];
    for (let round = 0; round < times; round++) list.push(await act());
    costs.set(name, list);
  };
  const typing = async (name: string, page: Page, field: Locator): Promise<void> => {
    await field.waitFor();
    await field.press("End");
    await page.waitForTimeout(settleMs);
    await measure(name, () => costOf(page, () => page.keyboard.press("x")), keys);
  };
  await measure("open", async () => {
    const { page, cost } = await open(browser, address);
    await page.context().close();
    return cost;
  });
  const { page } = await open(browser, `${address}?at=g7`);
  await typing("a keystroke in a form until painted", page, page.getByLabel("Title of the group"));
  const redone: Cost[] = [];
  await measure("undo", async () => {
    await page.keyboard.press("y");
    await page.waitForTimeout(actMs);
    const undone = await costOf(page, () => page.keyboard.press("Control+z"));
    redone.push(await costOf(page, () => page.keyboard.press("Control+Shift+z")));
    return undone;
  });
  costs.set("redo", redone);
  const editBytes = await bytesOf(page, () => page.keyboard.press("z"));
  await measure("findings after an edit, in a worker", async () => {
    await page.locator('[data-key="group:g7"]').focus();
    const cost = await findingsAfter(page, () => page.keyboard.press("Delete"));
    await findingsAfter(page, () => page.keyboard.press("Control+z"));
    return cost;
  });
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.type("what is sai");
  await measure("find as one types", async () => {
    await page.keyboard.press("Backspace");
    return costOf(page, () => page.keyboard.press("i"));
  });
  await page.keyboard.press("Escape");
  await page.locator('[data-key="group:g7"]').focus();
  await measure("paste 100 blocks", () => costOf(page, () => paste(page)));
  await page.context().close();
  const atText = await open(browser, `${address}?at=b8-0`);
  const text = atText.page.getByRole("textbox", { name: "Text", exact: true });
  await typing("a keystroke in a text until painted", atText.page, text);
  await atText.page.context().close();
  const atCode = await open(browser, `${address}?at=b${groupWithCode}-0`);
  await typing("a keystroke in code until painted", atCode.page, atCode.page.locator(".cm-content"));
  await atCode.page.context().close();
  return { costs, editBytes };
}

function open(browser: Browser, address: string): Promise<Opened> {
  return openPage(browser, address, { shown: ".outline-row", headers: { Authorization: `Bearer ${benchToken}` } });
}

/**
 * Measures an action until the page shows the findings of its worker. `cpu` is the duration that the worker reports.
 */
async function findingsAfter(page: Page, act: () => Promise<void>): Promise<Cost> {
  const known = () => page.evaluate(() => performance.getEntriesByName("findings").map(({ duration }) => duration));
  const before = (await known()).length;
  const begunAt = performance.now();
  await act();
  await page.waitForFunction((count) => performance.getEntriesByName("findings").length > count, before);
  const wall = performance.now() - begunAt;
  return { cpu: (await known()).at(-1) ?? 0, wall };
}

/** Returns the sizes of the request and the response bodies that an edit causes. */
async function bytesOf(page: Page, edit: () => Promise<void>): Promise<number> {
  await page.waitForTimeout(settleMs);
  const answering = page.waitForResponse((response) => response.url().endsWith("/changes"));
  await edit();
  const answer = await answering;
  return (answer.request().postData() ?? "").length + (await answer.body()).length;
}

const parts = JSON.stringify({
  kind: "parley.flow-parts",
  groups: flowOf({ groups: 20, blocks: 5 }).groups,
  ...{ blocks: [], items: [], edges: [], variables: [] },
});

function paste(page: Page): Promise<void> {
  return page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, parts);
}
