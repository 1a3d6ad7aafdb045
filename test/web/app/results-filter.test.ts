import { afterAll, beforeAll, expect, test } from "bun:test";
import { saveRating } from "../../../src/management/ratings/ratings.sql.ts";
import {
  addressPartOf,
  type Filter,
  isNarrowed,
  noFilter,
  queryOf,
  readFilter,
} from "../../../src/web/app/screens/results/filter.ts";
import { type ShownField, shownFields } from "../../../src/web/app/screens/results/shown-fields.ts";
import {
  moved,
  noSettings,
  ordered,
  readSettings,
  storedSettings,
} from "../../../src/web/app/screens/results/table-settings.ts";
import resultWords from "../../../src/web/app/words/en/result.json";
import { currentWords } from "../../../src/web/app/words/language.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let host: AppHost;
const inBrowser = browserTests();
beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const full: Filter = {
  ...noFilter,
  ...{
    state: "open",
    time: "allTime",
    from: "2026-10-05",
    to: "2026-10-11",
    zone: "Asia/Kathmandu",
    version: "3",
    text: "a & b",
    order: "oldest",
  },
  variables: [
    { name: "E-mail = main", value: "ada@example.com", isPrefix: false },
    { name: "is.Name", value: "A", isPrefix: true },
  ],
};

test("a filter is parsed unchanged from its own address", () => {
  for (const filter of [full, noFilter, { ...noFilter, time: "lastMonth" as const }]) {
    expect(readFilter(new URLSearchParams(addressPartOf(filter)))).toEqual(filter);
  }
  expect(addressPartOf(noFilter)).toBe("");
  expect(isNarrowed({ ...noFilter, order: "oldest" })).toBe(false);
  expect(isNarrowed({ ...noFilter, text: "x" })).toBe(true);
  expect(
    readFilter(
      new URLSearchParams("state=odd&time=never&zone=Mars/Olympus&from=2026-99-99&to=<b>&version=0&order=best"),
    ),
  ).toEqual(noFilter);
});

test("the service is queried for whole days in the reader's time zone", () => {
  const query = new Map(Object.entries(queryOf({ ...full, zone: "" })));
  expect(query.get("from")).toBe(new Date(2026, 9, 5).toISOString());
  expect(query.get("to")).toBe(new Date(2026, 9, 12).toISOString());
  expect(query.get("publicationNumber")).toBe(3);
  expect(query.get("variables.E-mail = main")).toBe("ada@example.com");
  expect(query.get("variablePrefixes.is.Name")).toBe("A");
  // A link of the insight screen contains the time zone of its figures.
  expect(queryOf(full)).toMatchObject({
    timeZone: "Asia/Kathmandu",
    from: "2026-10-04T18:15:00.000Z",
    to: "2026-10-11T18:15:00.000Z",
  });
  expect(addressPartOf({ ...noFilter, zone: "Asia/Tokyo" })).toBe("");
});

test("fixed days replace a relative period, in the address and in the query", () => {
  const both: Filter = { ...noFilter, time: "lastMonth", from: "2026-10-05" };
  expect(addressPartOf(both)).toBe("?from=2026-10-05");
  expect(queryOf(both).timeFilter).toBe("allTime");
  expect(queryOf({ ...noFilter, time: "lastMonth" }).timeFilter).toBe("lastMonth");
});

test("the settings of a table are restored as stored", () => {
  expect(readSettings(null)).toEqual(noSettings);
  const odd = { columnsOrder: ["a", 1], columnsVisibility: { a: true, b: false }, columnsWidth: [] };
  expect(readSettings(odd)).toEqual({ order: ["a"], hidden: new Set(["b"]), widths: new Map() });
  expect(storedSettings(noSettings)).toBeNull();
  const own = { order: ["b", "a"], hidden: new Set(["c"]), widths: new Map([["a", 200]]) };
  expect(readSettings(storedSettings(own))).toEqual(own);
});

test("columns are in their stored order, and new columns come last", () => {
  const columns = ["a", "b", "new", "c"].map((id) => ({ id }));
  expect(ordered(columns, { order: ["c", "gone", "a"] }).map(({ id }) => id)).toEqual(["c", "a", "b", "new"]);
  expect(moved(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b", "c"], "a", -1)).toEqual(["a", "b", "c"]);
  expect(moved(["a", "b", "c"], "c", 1)).toEqual(["a", "b", "c"]);
  expect(moved(["a"], "z", 1)).toEqual(["a"]);
});

inBrowser("the button of a filter removes only its own filter", async ({ page, context, problems }) => {
  const name = { id: idOf("Name"), name: "Name" };
  const { botId } = await host.publish({
    ...flowOf([asks("text input", { variableId: idOf("Name") })]),
    variables: [name],
  });
  await host.signIn(context);
  const results = `${host.builder}/bots/${botId}/results`;
  const chips = ["Name is “Ada”", "Name is “Ada Lovelace”", "Name begins with “Ada”", "City is “Ada”"];
  await page.goto(`${results}?is.Name=Ada&is.Name=Ada+Lovelace&begins.Name=Ada&is.City=Ada`);
  for (const taken of [1, 1, 0, 0]) {
    const [label = ""] = chips.splice(taken, 1);
    await page.getByRole("button", { name: `Remove filter: ${label}`, exact: true }).click();
    await page.getByRole("button", { name: `Remove filter: ${label}`, exact: true }).waitFor({ state: "detached" });

    const left = page.getByRole("button", { name: /^Remove filter: / });
    expect(await left.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual(
      chips.map((chip) => `Remove filter: ${chip}`),
    );
  }
  expect(new URL(page.url()).search).toBe("");
  expect(problems).toEqual([]);
});

inBrowser("the sheet of a result contains a visitor's rating with its comment", async ({ page, context, problems }) => {
  const { botId } = await host.publish(flowOf([asks("text input")]));
  const { sql } = host.api.deps;
  const { resultId, sessionId } = await putResult(sql, botId, { hasStarted: true });
  const bubble = { sessionId, revision: 2, blockId: "answer" };
  await saveRating(sql, bubble, { resultId, botId, rating: { isGood: false, words: "Out of date" } });
  await host.signIn(context);

  await page.goto(`${host.builder}/bots/${botId}/results`);
  await page.getByRole("row").nth(1).getByRole("link").click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("tab", { name: "Data" }).click();

  await sheet.getByRole("heading", { name: "Rated answers" }).waitFor();
  expect(await sheet.getByText("Bad: Out of date").count()).toBe(1);
  expect(problems).toEqual([]);
});

inBrowser("results show their version and can be filtered by version", async ({ page, context, problems }) => {
  const flow = flowOf(
    [asks("text input", { variableId: idOf("Name") }, { outgoingEdgeId: idOf("e2") })],
    [asks("text input", {}, { id: "last" })],
    [asks("text input", { variableId: idOf("Email") }, { id: "next", outgoingEdgeId: idOf("e1") })],
  );
  const { botId } = await host.publish(flow);
  const { token } = host.owner;
  await host.api.client.post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true } });
  const { resultId } = await putResult(host.api.deps.sql, botId, { version: 1, hasStarted: true });
  await putResult(host.api.deps.sql, botId, { version: 2, hasStarted: true });
  await putResult(host.api.deps.sql, botId, { hasStarted: true });
  await host.signIn(context);

  await page.goto(`${host.builder}/bots/${botId}/results`);
  const rows = page.getByRole("row");
  await rows.nth(3).waitFor();
  const headings = await page.getByRole("columnheader").allInnerTexts();
  const words = headings.map((text) => text.trim()).filter((text) => text !== "");
  const fields = Object.values<ShownField>(shownFields).filter(({ isOf }) => !isOf);
  const titles = fields.map(({ title }) => title(currentWords(resultWords)));
  expect(titles).toContain("Version");
  expect(words.slice(1)).toEqual(["Started", "State", "Name", "Email", "Group 1", ...titles]);
  await page.getByRole("button", { name: "Columns" }).click();
  const emailColumn = page.getByRole("checkbox", { name: "Email", exact: true });
  expect(await emailColumn.evaluate((box) => box.closest("li")?.querySelector("p")?.textContent)).toBe("Group 2");
  await page.getByRole("button", { name: "Done" }).click();
  const at = headings.findIndex((text) => text.trim() === "Version");
  const versions = await rows.evaluateAll(
    (all, cell) => all.slice(1).map((row) => row.children[cell]?.textContent),
    at,
  );
  expect(versions.toSorted()).toEqual(["1", "2", "–"]);

  await page.getByRole("combobox", { name: "Version" }).selectOption({ label: "Version 1" });
  await page.getByRole("button", { name: "Remove filter: Version 1" }).waitFor();
  await rows.nth(2).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?version=1");
  await rows.nth(1).getByRole("link").click();
  const link = page.getByRole("dialog").getByRole("link", { name: "Version 1" });
  expect(await link.getAttribute("href")).toEndWith(`/bots/${botId}/versions/1`);
  expect(page.url()).toContain(resultId);
  expect(problems).toEqual([]);
});
