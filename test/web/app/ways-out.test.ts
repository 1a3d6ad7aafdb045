import { expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { flowTests, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

const flow = () => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      ...{ id: "till", title: "Till", graphCoordinates: { x: 200, y: 0 } },
      blocks: [{ id: "pay", type: "payment input", options: { amount: "5" } }],
    },
    {
      ...{ id: "bill", title: "Bill", graphCoordinates: { x: 640, y: 0 } },
      blocks: [{ id: "sorry", type: "text", content: { richText: [{ type: "p", children: [{ text: "Sorry" }] }] } }],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "till" } }],
  variables: [],
});
const leadsTo = async (botId: string) => {
  const { groups, edges } = await tests.draft(botId);
  const options = groups[0]?.blocks[0]?.["options"];
  return { options, to: edges.filter(({ id }) => id !== "e1").map(({ to }) => to) };
};

inBrowser(
  "a block's failure edge is added and removed in the block's form",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow(), { shown: "canvas" });
    await page.locator("#card-till .canvas-row.is-block").click();
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("switch", { name: "If payment is not possible" }).click();
    const line = page.locator("#card-till .canvas-row.is-way");
    await line.waitFor();
    expect(await line.getAttribute("aria-label")).toBe("On failure, leads nowhere");

    const [from, to] = [await line.boundingBox(), await page.locator("#card-bill .canvas-title").boundingBox()];
    if (!from || !to) throw new Error("The cards are nowhere");
    await page.mouse.move(from.x + from.width, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.locator(".canvas-edge.is-way").waitFor({ state: "attached" });
    await saved(page);
    const { options, to: led } = await leadsTo(botId);
    expect(options).toEqual({ amount: "5", failure: { outgoingEdgeId: expect.any(String) } });
    expect(led).toEqual([{ groupId: "bill" }]);
    expect(await line.getAttribute("aria-label")).toBe("On failure, leads to Bill");
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("switch", { name: "If payment is not possible" }).click();
    await line.waitFor({ state: "detached" });
    await saved(page);
    expect(await leadsTo(botId)).toEqual({ options: { amount: "5" }, to: [] });
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inBrowser(
  "a block's failure edge is a row of the outline",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow());
    await page.locator('[data-key="block:pay"]').click();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Add “On failure”" }).click();
    const row = page.locator('[data-key="way:pay:failure"]');
    await row.waitFor();
    expect(await row.getAttribute("aria-label")).toBe("On failure, nowhere");
    await row.focus();
    await page.keyboard.press("c");
    await page.getByRole("dialog").getByRole("combobox").fill("Bill");
    await page.keyboard.press("Enter");
    await saved(page);
    expect((await leadsTo(botId)).to).toEqual([{ groupId: "bill" }]);
    expect(await row.getAttribute("aria-label")).toBe("On failure, leads to Bill");

    await row.focus();
    await page.keyboard.press("Delete");
    await saved(page);
    expect(await leadsTo(botId)).toEqual({ options: { amount: "5", failure: {} }, to: [] });
    await row.focus();
    await page.keyboard.press("Delete");
    await row.waitFor({ state: "detached" });
    await saved(page);
    expect(await leadsTo(botId)).toEqual({ options: { amount: "5" }, to: [] });
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "for a block with several edges, the canvas asks first for the edge and then for its target",
  async ({ context, problems }) => {
    const choice = {
      id: "size",
      type: "choice input",
      items: ["Small", "Large"].map((content) => ({ id: content, content })),
    };
    const { groups, ...rest } = flow();
    const [first, ...others] = groups;
    const { page } = await tests.open(context, { ...rest, groups: [{ ...first, blocks: [choice] }, ...others] });
    await page.keyboard.press("Control+.");
    await page.locator(".canvas-row", { hasText: "Buttons" }).click();
    await page.locator(".canvas").focus();
    await page.keyboard.press("c");
    const line = page.getByRole("dialog", { name: "Which line do you want to connect?" });
    await line.getByRole("option", { name: "Large" }).waitFor();
    await page.keyboard.type("Lar");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Connect to which group?" }).getByRole("option", { name: "Bill" }).waitFor();
    await page.keyboard.type("Bill");
    await page.keyboard.press("Enter");
    await page
      .getByRole("group", { name: /^Large\b.*leads to Bill/ })
      .or(page.getByText("leads to Bill"))
      .first()
      .waitFor({ state: "attached" });
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "on a phone, the target of a failure edge is selected in the form of its block",
  async ({ context, problems }) => {
    const { botId, page } = await tests.open(context, flow());
    await page.locator('[data-key="block:pay"]').click();
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("switch", { name: "If payment is not possible" }).click();
    await page.getByRole("combobox", { name: "Leads to" }).click();
    await page.getByRole("option", { name: "Bill" }).click();
    await saved(page);
    expect((await leadsTo(botId)).to).toEqual([{ groupId: "bill" }]);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
);
