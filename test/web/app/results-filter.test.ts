import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  addressPartOf,
  type Filter,
  isNarrowed,
  noFilter,
  queryOf,
  readFilter,
} from "../../../src/web/app/screens/results/filter.ts";
import {
  moved,
  noSettings,
  ordered,
  readSettings,
  storedSettings,
} from "../../../src/web/app/screens/results/table-settings.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();
beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const full: Filter = {
  ...{ state: "open", time: "allTime", from: "2026-10-05", to: "2026-10-11", text: "a & b", order: "oldest" },
  variables: [
    { name: "E-mail = main", value: "ada@example.com", isPrefix: false },
    { name: "is.Name", value: "A", isPrefix: true },
  ],
};

test("a filter comes back from its address, whatever it contains, and there is none for all results", () => {
  for (const filter of [full, noFilter, { ...noFilter, time: "lastMonth" as const }]) {
    expect(readFilter(new URLSearchParams(addressPartOf(filter)))).toEqual(filter);
  }
  expect(addressPartOf(noFilter)).toBe("");
  expect(isNarrowed({ ...noFilter, order: "oldest" })).toBe(false);
  expect(isNarrowed({ ...noFilter, text: "x" })).toBe(true);
  expect(readFilter(new URLSearchParams("state=odd&time=never&from=2026-99-99&to=<b>&order=best"))).toEqual(noFilter);
});

test("the service is asked for whole days where the reader is, and for variables by their names", () => {
  const query = new Map(Object.entries(queryOf(full)));
  expect(query.get("from")).toBe(new Date(2026, 9, 5).toISOString());
  expect(query.get("to")).toBe(new Date(2026, 9, 12).toISOString());
  expect(query.get("variables.E-mail = main")).toBe("ada@example.com");
  expect(query.get("variablePrefixes.is.Name")).toBe("A");
});

test("days take the place of a span of time, in the address and for the service", () => {
  const both: Filter = { ...noFilter, time: "lastMonth", from: "2026-10-05" };
  expect(addressPartOf(both)).toBe("?from=2026-10-05");
  expect(queryOf(both).timeFilter).toBe("allTime");
  expect(queryOf({ ...noFilter, time: "lastMonth" }).timeFilter).toBe("lastMonth");
});

test("the stored settings of a table are read from any writer, and written as others read them", () => {
  expect(readSettings(null)).toEqual(noSettings);
  const odd = { columnsOrder: ["a", 1], columnsVisibility: { a: true, b: false }, columnsWidth: [] };
  expect(readSettings(odd)).toEqual({ order: ["a"], hidden: new Set(["b"]), widths: new Map() });
  expect(storedSettings(noSettings)).toBeNull();
  const own = { order: ["b", "a"], hidden: new Set(["c"]), widths: new Map([["a", 200]]) };
  expect(readSettings(storedSettings(own))).toEqual(own);
});

test("columns come in their order, new ones behind, and move one place at a time", () => {
  const columns = ["a", "b", "new", "c"].map((id) => ({ id }));
  expect(ordered(columns, { order: ["c", "gone", "a"] }).map(({ id }) => id)).toEqual(["c", "a", "b", "new"]);
  expect(moved(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b", "c"], "a", -1)).toEqual(["a", "b", "c"]);
  expect(moved(["a", "b", "c"], "c", 1)).toEqual(["a", "b", "c"]);
  expect(moved(["a"], "z", 1)).toEqual(["a"]);
});

inBrowser("a chip takes away what it names, and nothing else", async ({ page, context, problems }) => {
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
