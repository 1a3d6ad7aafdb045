import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const drinks = ["Tea", "Coffee", "Water"].map((content, index) => ({ id: `drink-${index}`, content }));
const survey = {
  ...flowOf([
    asks("choice input", {}, { id: "drink", items: drinks }),
    asks("number input", { variableId: idOf("Age") }, { id: "age" }),
    asks("rating input", {}, { id: "score" }),
    asks("date input", {}, { id: "day" }),
    asks("text input", { variableId: idOf("Name") }, { id: "name" }),
  ]),
  variables: ["Name", "Age", "Source"].map((name) => ({ id: idOf(name), name })),
};

const chats: readonly (readonly string[])[] = [
  ["Tea", "20", "10", "01/05/2026", "Ada", "ad"],
  ["Tea", "31", "9", "03/05/2026", "Bob", "ad"],
  ["Coffee", "40", "3", "03/05/2026", "Cyd", "mail"],
  ["Milk", "7", "8", "09/05/2026", "Dan", ""],
];

const figure = (page: Page, name: string) =>
  page.locator(".results-figures > div", { has: page.getByText(name, { exact: true }) }).locator("dd");

inBrowser("a summary shows choices, numbers, ratings and dates", async ({ page, context, problems }) => {
  const { botId } = await host.publish(survey);
  const { sql } = host.api.deps;
  for (const [drink = "", age = "", score = "", day = "", name = "", source = ""] of chats) {
    await putResult(sql, botId, {
      hasStarted: true,
      answers: Object.entries({ drink, age, score, day, name }).map(([blockId, content]) => ({ blockId, content })),
      variables: [{ id: idOf("Source"), name: "Source", value: source }],
    });
  }
  await putResult(sql, botId);
  await host.signIn(context);
  const address = `${host.builder}/bots/${botId}/results`;

  // After a broken stream, the author requests another stream.
  await page.route("**/results/summary?*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: 'event: progress\ndata: {"read":2,"of":4}\n\n' }),
  );
  await page.goto(address);
  await page.locator(".app-segment", { hasText: "Summary" }).click();
  await page.waitForURL("**/results?view=summary");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute("**/results/summary?*");
  await page.getByRole("button", { name: "Try again" }).click();

  await page.getByText("Summary of 4 results. 1 result without an answer is left out.").waitFor();
  const cards = page.locator(".results-summary-columns > *");
  expect(await cards.locator("h2").allTextContents()).toEqual([
    "Group 0",
    "Age",
    "Group 0",
    "Group 0",
    "Name",
    "Source",
  ]);
  const rows = (index: number) => cards.nth(index).locator("tbody tr");
  expect(await rows(0).allTextContents()).toEqual(["Tea250%", "Coffee125%", "Milk125%"]);
  expect(await figure(page, "Median").first().textContent()).toBe("25.5");
  expect(await figure(page, "Net promoter score").textContent()).toBe("+25");
  await page.getByText("50% promoters, 25% passives, 25% detractors").waitFor();
  const chart = page.getByRole("slider", { name: "Group 0" });
  await chart.press("ArrowLeft");
  expect(await chart.getAttribute("aria-valuetext")).toBe("May 8, 2026: 0");
  await chart.press("ArrowRight");
  expect(await chart.getAttribute("aria-valuetext")).toBe("May 9, 2026: 1");
  expect(await rows(5).allTextContents()).toEqual(["ad267%", "mail133%"]);
  await page.getByText("See the texts in the table").waitFor();

  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(wide).toBe(false);
      if (process.env["SHOTS"])
        await page.screenshot({ path: `/tmp/shot-summary-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });

  // The filter applies to both views, and stays when the view changes.
  await page.goto(`${address}?view=summary&q=coffee`);
  await page.getByText("Summary of 1 result.").waitFor();
  await page.locator(".app-segment", { hasText: "Table" }).click();
  await page.waitForURL("**/results?q=coffee");
  expect(await page.locator(".results-table tbody tr").count()).toBe(1);
  expect(problems).toEqual([]);
});

inBrowser("a preview of the draft replays a result's answers", async ({ page, context, problems }) => {
  const items = [
    { id: "yes", content: "Yes, please", value: "y" },
    { id: "no", content: "No" },
  ];
  const flow = flowOf([
    says("Welcome"),
    asks("email input", { variableId: idOf("Email") }, { id: "mail" }),
    asks("choice input", {}, { id: "choice", items }),
    asks("number input", {}, { id: "age" }),
    says("Goodbye"),
  ]);
  const bot = await host.publish(flow);
  const { client } = host.api;
  const started = await start(client, bot.publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  const button = { type: "text", text: "y", metadata: { replyId: "yes" } };
  for (const reply of ["no address", "ada@example.com", button, "7"]) await say(client, sessionId, reply);

  await host.signIn(context);
  await page.goto(`${host.builder}/bots/${bot.botId}/results/${resultId}`);
  await page.getByRole("link", { name: "Replay in the preview" }).click();
  await page.waitForURL(`**/preview?again=${resultId}`);
  const frame = page.frameLocator("iframe");
  await frame.getByText("Goodbye").waitFor();
  expect(await frame.locator(".guest-container").allTextContents()).toEqual(["ada@example.com", "Yes, please", "7"]);
  // A preview adds no result.
  const results = await client.get(`/api/v1/bots/${bot.botId}/results`, { token: host.owner.token });
  expect(results.list("results").length).toBe(1);

  // The draft now asks a different question, and the chat is over, so the preview uses the chat's answers instead of
  // its replies.
  const [group] = flow.groups;
  const groups = [{ ...group, blocks: [...(group?.blocks.slice(0, 3) ?? []), asks("text input", {}, { id: "why" })] }];
  await client.patch(`/api/v1/bots/${bot.botId}`, { token: host.owner.token, body: { bot: { groups } } });
  await host.api.deps.sql`delete from steps where session_id = ${sessionId}`;
  await page.goto(`${host.builder}/bots/${bot.botId}/preview?again=${resultId}`);
  await page.getByText("Not all answers could be repeated. Continue from here.").first().waitFor();
  // A stored answer has the value of its button.
  await frame.locator(".guest-container", { hasText: /^y$/ }).waitFor();
  expect(await frame.locator(".guest-container").allTextContents()).toEqual(["ada@example.com", "y"]);
  expect(problems).toEqual([]);
});
