import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { dropsOf, questionsOf, shareOf, silentOf } from "../../../../src/web/app/insight/rates.ts";
import { changeText, shortLengthText } from "../../../../src/web/app/insight/texts.ts";
import { momentOf, readWindow, resultsAddress, writeWindow } from "../../../../src/web/app/insight/window.ts";
import { namesOf } from "../../../../src/web/app/screens/insight/names.ts";
import insightWords from "../../../../src/web/app/words/en/insight.json";
import { useWords } from "../../../../src/web/app/words/index.ts";
import { bundleApp } from "../../../../src/web/server/bundle-app.ts";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { axeProblems } from "../../../support/axe.ts";
import { browserTests } from "../../../support/browser.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { sizeOf } from "../../../support/campaigns.ts";
import { asks, flowOf, says } from "../../../support/chat.ts";
import { layoutProblems } from "../../../support/layout-problems.ts";
import { putResult } from "../../../support/results.ts";
import { readText } from "../../../support/tidy/project.ts";
import { countAll, openSurvey, shoot, surveyFlow } from "./insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;

inBrowser(
  "the Insight screen compares figures with the previous period",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const days = [30, 60, 80, 100].map(hours);
    const { botId } = await openSurvey(host, days);
    await putResult(host.api.deps.sql, botId, { createdAt: hours(24 * 35), hasStarted: true });
    await countAll(host);
    await page.goto(`${host.builder}/bots/${botId}/insight?zone=UTC`);
    await page.getByRole("heading", { name: "Insight" }).waitFor();

    const figure = (name: string) => page.locator(".insight-figure", { hasText: name }).first().locator("dd");
    expect(await figure("Opened").textContent()).toBe("28previously: 1");
    expect(await figure("Completion").textContent()).toStartWith("35%previously: 0%");
    const row = async (name: string) =>
      await page.getByRole("table", { name: "Questions" }).getByRole("row", { name }).locator("td").allTextContents();
    expect(await row("Opened")).toEqual(["28", "23", "5 (18%)"]);
    expect(await row("Group 1")).toEqual(["5", "2", "3 (60%)"]);
    expect(await row("Group 2 · Email")).toEqual(["20", "8", "12 (60%)"]);
    const worst = page.getByRole("listitem").filter({ hasText: "See the chats" }).first();
    expect(await worst.textContent()).toContain("12 of 20 left here (60%)");
    expect(await page.getByText("Average 7.8").count()).toBe(1);
    expect(await page.getByText(/^Counted up to /).count()).toBe(1);

    // Each value can be reached by keys.
    const chart = page.getByRole("slider", { name: "Chats per day" });
    await chart.focus();
    await page.keyboard.press("Home");
    expect(await chart.getAttribute("aria-valuetext")).toEndWith("0 opened, 0 answered, 0 completed");
    await page.keyboard.press("End");
    for (let step = 0; step < 5; step++) {
      if ((await chart.getAttribute("aria-valuetext"))?.includes(" 0 opened") !== true) break;
      await page.keyboard.press("ArrowLeft");
    }
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 7 opened, 5 answered, 2 completed$/);
    await page.getByText("As a table").click();
    expect(await page.getByRole("table", { name: "Chats per day" }).getByRole("row").count()).toBe(31);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "insight-wide");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
    await shoot(page, "insight-narrow-dark");
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);

    // The number of chats behind a figure equals the figure.
    await worst.getByRole("link", { name: "See the chats" }).click();
    await page.getByText("12 results").waitFor();
    await page.goBack();
    await page.getByLabel("Time", { exact: true }).selectOption("today");
    await page.getByText("No chats in this period").waitFor();
    expect(new URL(page.url()).searchParams.get("time")).toBe("today");
    await page.getByRole("button", { name: "Show all time" }).click();
    await figure("Opened").waitFor();
    expect(await figure("Opened").textContent()).toBe("29");
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "the Insight screen is shown for a bot without chats",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { sql } = host.api.deps;
    const quiet = await host.publish(flowOf([says("Hello"), asks("text input")]));
    await page.goto(`${host.builder}/bots/${quiet.botId}/insight?time=allTime`);
    await page.getByText("No chats yet").waitFor();
    await putResult(sql, quiet.botId, {});
    await countAll(host);
    await page.reload();
    await page.getByText("1 of 1 never answered (100%)").waitFor();
    expect(await layoutProblems(page)).toEqual([]);

    const removed = await openSurvey(host, [hours(1)], surveyFlow(2_000));
    const { token } = host.owner;
    const stored = surveyFlow();
    const later = { groups: [...stored.groups.slice(0, 1), ...stored.groups.slice(2)], overwrite: true };
    const edges = stored.edges.filter(({ id }) => ![idOf("e1"), idOf("again")].includes(id));
    const patched = await host.api.client.patch(`/api/v1/bots/${removed.botId}`, {
      token,
      body: { bot: { groups: later.groups, edges }, overwrite: true },
    });
    expect(patched.status).toBe(200);
    await host.api.client.post(`/api/v1/bots/${removed.botId}/publish`, { token, body: { force: true } });
    await page.goto(`${host.builder}/bots/${removed.botId}/insight`);
    await page.getByText("No longer in this flow").waitFor();
    expect(await page.getByText("A deleted question · why").count()).toBeGreaterThan(0);
    await page.getByLabel("Version", { exact: true }).selectOption("1");
    await page.getByRole("table", { name: "Questions" }).getByRole("row", { name: "Group 1" }).waitFor();

    // Imports results in which each of very many choices was chosen once.
    await importChoices(removed.botId, chosenOptions);
    await countAll(host);
    await page.reload();
    const plan = page.getByRole("table", { name: "Answers to Group 0" });
    await plan.waitFor();
    expect(await plan.locator("tbody tr").count()).toBe(8);
    await page.locator(".insight-choices").getByRole("button", { name: "Show more" }).click();
    await plan.locator("tbody tr").nth(8).waitFor();
    expect(await plan.locator("tbody tr").count()).toBe(208);
    expect(await layoutProblems(page)).toEqual([]);

    const many = Array.from({ length: 2_000 }, (_, group) =>
      Array.from({ length: 5 }, (_, at) => asks("text input", {}, { id: `q${group}-${at}` })),
    );
    const large = await host.publish(flowOf(...many));
    await putResult(sql, large.botId, { hasStarted: true });
    await countAll(host);
    await page.goto(`${host.builder}/bots/${large.botId}/insight`);
    await page.getByRole("table", { name: "Questions" }).waitFor();
    expect(await page.locator("*").count()).toBeLessThan(2_500);
    await page.goto(`${host.builder}/bots/${large.botId}?insight=on`);
    // In a distant view, ten thousand blocks are painted, and their cards have no elements.
    await page
      .getByRole("region", { name: "Flow insight" })
      .getByText(/^Counted up to /)
      .waitFor();
    expect(problems).toEqual([]);
  },
  calm,
);

const chosenOptions = sizeOf({ short: 300, long: 1_998 });

/** Imports results of another service, each with a different choice. */
async function importChoices(botId: string, count: number): Promise<void> {
  const options = Array.from({ length: count }, (_, index) => `Option ${index}`);
  for (let at = 0; at < count; at += 100) {
    const results = options.slice(at, at + 100).map((content) => ({
      ...{ id: content, createdAt: hours(1), publicationNumber: 1, variables: [] },
      answers: [{ blockId: "plan", content }],
    }));
    const body = { source: "https://elsewhere.example", results };
    const sent = await host.api.client.post(`/api/v1/bots/${botId}/results/import`, { token: host.owner.token, body });
    expect(sent.at("added")).toBe(results.length);
  }
}

test("a chat without any answer counts as a drop-off only once", () => {
  const block = { groupId: "g", groupTitle: "G", type: "text input", answers: 0, good: 0, bad: 0, values: [] };
  const blocks = [
    { ...block, blockId: "a", reached: 100, answered: 70, left: 30, silent: 20 },
    { ...block, blockId: "b", reached: 70, answered: 70, left: 0, silent: 0 },
  ];
  const totals = { views: 100, starts: 80, completions: 70 };
  expect(dropsOf({ ...totals, blocks }).map(({ block: at, left, reached }) => [at?.blockId, left, reached])).toEqual([
    [undefined, 20, 100],
    ["a", 10, 80],
  ]);
  // A question that the flow lacks also lost chats.
  const gone = { ...block, blockId: "gone", groupId: null, groupTitle: null, type: null, reached: 90, answered: 5 };
  expect(dropsOf({ ...totals, blocks: [...blocks, { ...gone, left: 85, silent: 0 }] })[0]).toMatchObject({
    block: { blockId: "gone" },
    left: 85,
  });
  // An older release counted silent chats only at their question.
  const older = blocks.map((one) => ({ ...one, silent: 0 }));
  expect(dropsOf({ ...totals, blocks: older }).map(({ block: at, left }) => [at?.blockId, left])).toEqual([["a", 30]]);
  const mixed = blocks.map((one) => ({ ...one, silent: one.silent / 4 }));
  expect(silentOf({ ...totals, blocks: mixed })).toBe(5);
  expect([shareOf(1, 0), shareOf(-1, 4), shareOf(9, 4)]).toEqual([0, 0, 1]);
});

test("questions of one group have different names", () => {
  const blocks = [says("Which one?"), asks("cards", {}, { id: "card" }), asks("text input", {}, { id: "why" })];
  const named = asks("email input", { variableId: idOf("Email") }, { id: "mail" });
  const flow = flowOf([...blocks, named], [asks("text input", {}, { id: "alone" })]);
  const figures = { reached: 1, answered: 1, answers: 1, left: 0, silent: 0, good: 0, bad: 0, values: [] };
  const shown = [
    ["card", "cards", 0],
    ["why", "text input", 0],
    ["mail", "email input", 0],
    ["alone", "text input", 1],
  ] as const;
  const known = shown.map(([blockId, type, group]) => ({
    ...{ ...figures, blockId, type, groupId: idOf(`g${group}`), groupTitle: `Group ${group}` },
  }));
  const names = namesOf(flow, known, useWords(insightWords));
  expect(questionsOf({ blocks: known }).standing.map(names)).toEqual([
    "Group 0 · Which one?",
    "Group 0 · Question 2",
    "Group 0 · Email",
    "Group 1",
  ]);
});

test("durations and changes are formatted briefly", () => {
  expect([0.25, 9, 74, 3_600, 212_400].map(shortLengthText)).toEqual(["0.3s", "9s", "1m 14s", "1h 0m", "2d 11h"]);
  expect([changeText(15, 10), changeText(5, 10), changeText(9, 3)]).toEqual(["+50%", "-50%", undefined]);
});

test("the period, time zone and version are read from the address, if valid", () => {
  const read = (text: string) => readWindow(new URLSearchParams(text));
  expect(read("time=nonsense&zone=Mars/Olympus&version=-1&from=2026-13-45")).toMatchObject({
    ...{ time: "last30Days", from: "", version: undefined },
  });
  const window = read("from=2026-11-05&to=2026-11-01&zone=Asia/Tokyo&version=3");
  expect(window).toMatchObject({ from: "2026-11-01", to: "2026-11-05", zone: "Asia/Tokyo", version: 3 });
  expect(read(String(writeWindow(window)))).toEqual(window);
  expect(resultsAddress("bot", read("time=today"), { state: "open" })).toBe("/bots/bot/results?state=open&time=today");
  expect(resultsAddress("bot", read("time=today&zone=Asia/Tokyo"), { state: "open" })).toBe(
    "/bots/bot/results?state=open&time=today&zone=Asia%2FTokyo",
  );
  // Days of 23 and 25 hours, and a time zone with a 45-minute offset.
  expect(momentOf("2026-03-29", 1, "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
  expect(momentOf("2026-10-25", 1, "Europe/Berlin")).toBe("2026-10-25T23:00:00.000Z");
  expect(momentOf("2026-10-25", 0, "Asia/Kathmandu")).toBe("2026-10-24T18:15:00.000Z");
});

test("the compressed Insight screen is below 25 kB", async () => {
  const files = await bundleApp({ hasGallery: false });
  const text = ({ content }: (typeof files)[number]) => new TextDecoder().decode(content);
  const size = (file: (typeof files)[number]) => brotliCompressSync(file.content).byteLength;
  const parts = files.filter((file) => file.name.endsWith(".js") && text(file).includes("insight-"));
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.filter(({ entry }) => entry === "main.js")).toEqual([]);
  expect(parts.reduce((sum, part) => sum + size(part), 0)).toBeLessThan(25_000);
  const charts = ["bars.tsx", "line-chart.tsx", "charts.css"].map((name) => readText(`src/web/app/insight/${name}`));
  expect(brotliCompressSync(charts.join("")).byteLength).toBeLessThan(7_000);
});
