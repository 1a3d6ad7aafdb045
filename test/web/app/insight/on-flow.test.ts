import { afterAll, beforeAll, expect, test } from "bun:test";
import { flowRatesOf, thicknessOf } from "../../../../src/web/app/insight/flow-rates.ts";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { axeProblems } from "../../../support/axe.ts";
import { browserTests } from "../../../support/browser.ts";
import { layoutProblems } from "../../../support/layout-problems.ts";
import { countAll, openSurvey, shoot, surveyFlow } from "./insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;
const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();

/** Places the cards of the flow at their usual distance. */
function placedFlow() {
  const flow = surveyFlow();
  const groups = flow.groups.map((group, index) => ({
    ...group,
    graphCoordinates: { x: 320 + index * 420, y: index === 1 ? 360 : 0 },
  }));
  return { ...flow, groups };
}

inBrowser(
  "the flow shows the API's figures until the author hides them",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await openSurvey(host, [hours(2), hours(30)], placedFlow());
    const { token } = host.owner;
    const { client } = host.api;
    const answer = await client.get(`/api/v1/bots/${botId}/insight`, { token, query: { timeFilter: "last30Days" } });
    const mail = Object(answer.at("insight")).blocks.find(({ blockId }: { blockId: string }) => blockId === "mail");
    expect(mail).toMatchObject({ reached: 20, left: 12, silent: 0 });
    await page.goto(`${host.builder}/bots/${botId}`);
    const group = (name: string) => page.getByRole("group", { name: new RegExp(`^${name}`) });
    await group("Group Group 2").waitFor();
    expect(await page.locator(".canvas-rate").count()).toBe(0);

    await page.getByRole("button", { name: "Flow insight" }).click();
    const row = page.locator(".canvas-row", { hasText: "Email" }).first();
    await row.locator(".canvas-rate").waitFor();
    expect(await row.locator(".canvas-rate").textContent()).toBe("20 · −12");
    expect(await group("Group Group 2").first().getAttribute("aria-label")).toContain("20 reached, 12 left (60%)");
    expect(await page.getByRole("group", { name: /28 opened, 5 never answered/ }).count()).toBe(1);
    // 28 chats started, 20 visitors chose Pro, 5 chose Free, and 2 passed a second time.
    expect((await page.locator(".insight-edge").allTextContents()).toSorted()).toEqual(["2", "20", "28", "5"]);
    expect(await page.locator(".canvas-edge.is-wide-10").count()).toBe(1);
    expect(await page.locator(".canvas-edge.is-wide-7").count()).toBe(1);
    expect(await page.locator(".is-hatched").count()).toBe(0);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "flow-wide", { isWhole: false });

    // A block that has changed since the version of the figures is hatched.
    const title = { op: "set", of: "block", id: "mail", path: ["options", "labels"], value: { button: "Go" } };
    const changeSets = [
      { id: crypto.randomUUID().replaceAll("-", "").slice(0, 26), title: "Rename", changes: [title] },
    ];
    const bot = await client.get(`/api/v1/bots/${botId}`, { token });
    const sent = await client.post(`/api/v1/bots/${botId}/changes`, {
      token,
      body: { base: Number(bot.at("bot.revision")), changeSets },
    });
    expect(sent.status).toBe(200);
    await page.locator(".canvas-row.is-hatched").waitFor();
    expect(await row.locator(".canvas-rate").getAttribute("title")).toEndWith("changed since version 1");

    await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
    await page.getByRole("button", { name: "Show as outline" }).click();
    const line = page.getByRole("row", { name: /Email.*20 reached, 12 left \(60%\)/ });
    await line.first().waitFor();
    expect(await page.getByRole("columnheader", { name: "Reached and left" }).count()).toBe(1);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "outline-wide-dark", { isWhole: false });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await line.first().locator(".outline-rate").isVisible()).toBe(true);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "outline-narrow-dark", { isWhole: false });

    await page.getByRole("button", { name: "Hide flow insight" }).click();
    await page.getByRole("region", { name: "Flow insight" }).waitFor({ state: "detached" });
    expect(await page.locator(".outline-rate").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("");
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "the link of a drop-off opens the flow at its block",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await openSurvey(host, [hours(1)], placedFlow());
    await countAll(host);
    await page.goto(`${host.builder}/bots/${botId}/insight?time=last7Days&version=1`);
    await page.getByRole("link", { name: "See on the flow: Group 2 · Email" }).click();
    await page.locator(".canvas-rate").first().waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ time: "last7Days", version: "1", insight: "on", at: "mail" });
    expect(await page.getByLabel("Version", { exact: true }).inputValue()).toBe("1");
    await page.locator(".canvas-row.is-active", { hasText: "Email" }).waitFor();
    await page.getByRole("link", { name: "All statistics" }).click();
    await page.getByRole("heading", { name: "Where most chats end" }).waitFor();
    expect(problems).toEqual([]);
  },
  calm,
);

const block = { groupId: "g", groupTitle: "G", type: "text input", answers: 0, good: 0, bad: 0, values: [] };
const edge = { from: null, to: null, times: 0 };

test("an edge after a question shows the chats that continued", () => {
  const asked = (id: string, more: object = {}) => ({ id, type: "text input", ...more });
  const set = (id: string, outgoingEdgeId: string) => ({ id, type: "Set variable", outgoingEdgeId });
  const choice = {
    id: "c",
    type: "choice input",
    items: [{ id: "i", outgoingEdgeId: "chosen" }],
    outgoingEdgeId: "else",
  };
  const rates = flowRatesOf(
    {
      ...{ views: 200, starts: 150, completions: 110 },
      blocks: [
        { ...block, blockId: "a", reached: 200, answered: 120, left: 70, silent: 50 },
        { ...block, blockId: "c", reached: 120, answered: 110, left: 19, silent: 0 },
      ],
      edges: [{ ...edge, edgeId: "chosen", chats: 30 }],
    },
    {
      events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
      groups: [
        { id: "g1", blocks: [asked("a"), set("s", "on")] },
        { id: "g2", blocks: [choice, set("t", "after")] },
        { id: "g3", blocks: [set("u", "unknown")] },
      ],
    },
  );
  // 150 visitors answered, and 20 of them left at the first question.
  expect(Object.fromEntries(rates.things)).toEqual({
    start: { reached: 200, left: 50, isLeaving: true },
    a: { reached: 150, left: 20, isLeaving: false },
    g1: { reached: 150, left: 20, isLeaving: false },
    c: { reached: 120, left: 19, isLeaving: false },
    g2: { reached: 120, left: 19, isLeaving: false },
  });
  expect(Object.fromEntries(rates.edges)).toEqual({ chosen: 30, first: 200, on: 130 });
  expect([thicknessOf(0, 0), thicknessOf(1, 200), thicknessOf(130, 200), thicknessOf(500, 200)]).toEqual([1, 1, 7, 10]);
});

test("a drop-off of at least 20 chats and at least 15 % is marked as high", () => {
  const leaves = (reached: number, left: number) => {
    const blocks = [{ ...block, blockId: "a", reached, answered: 0, left, silent: 0 }];
    const groups = [{ id: "g", blocks: [{ id: "a", type: "text input" }] }];
    const all = { views: reached, starts: reached, completions: 0 };
    return flowRatesOf({ ...all, blocks, edges: [] }, { events: [], groups }).things.get("g")?.isLeaving;
  };
  expect([leaves(20, 20), leaves(19, 19), leaves(140, 20), leaves(130, 20)]).toEqual([true, false, false, true]);
});
