import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findWindow, type TimeFilter } from "../../../src/management/results/results.sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe("a time filter", () => {
  const cases: [TimeFilter, string, string, string | null, string | null][] = [
    ["today", "UTC", "2026-11-20T12:00:00Z", "2026-11-20T00:00:00.000Z", null],
    ["today", "Pacific/Auckland", "2026-11-20T12:00:00Z", "2026-11-20T11:00:00.000Z", null],
    ["today", "America/Los_Angeles", "2026-11-20T05:00:00Z", "2026-11-19T08:00:00.000Z", null],
    ["last7Days", "UTC", "2026-11-20T12:00:00Z", "2026-11-14T00:00:00.000Z", null],
    ["last30Days", "UTC", "2026-11-20T12:00:00Z", "2026-10-22T00:00:00.000Z", null],
    ["monthToDate", "UTC", "2026-11-20T12:00:00Z", "2026-11-01T00:00:00.000Z", null],
    ["lastMonth", "UTC", "2026-03-31T12:00:00Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
    ["lastMonth", "UTC", "2026-02-10T12:00:00Z", "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
    ["lastMonth", "Asia/Kolkata", "2026-01-31T20:00:00Z", "2025-12-31T18:30:00.000Z", "2026-01-31T18:30:00.000Z"],
    ["yearToDate", "UTC", "2026-11-20T12:00:00Z", "2026-01-01T00:00:00.000Z", null],
    ["yearToDate", "Asia/Tokyo", "2026-12-31T15:00:00Z", "2026-12-31T15:00:00.000Z", null],
    ["allTime", "UTC", "2026-11-20T12:00:00Z", null, null],
    // In Paris, the clocks go forward on 29 March 2026 and back on 25 October 2026.
    ["today", "Europe/Paris", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00.000Z", null],
    ["last7Days", "Europe/Paris", "2026-03-30T12:00:00Z", "2026-03-23T23:00:00.000Z", null],
    ["last7Days", "Europe/Paris", "2026-10-26T12:00:00Z", "2026-10-19T22:00:00.000Z", null],
    ["lastMonth", "Europe/Paris", "2026-04-15T12:00:00Z", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
  ];

  test.each(cases)(
    "the time filter %s has the expected beginning and end in the time zone %s at %s",
    async (timeFilter, timeZone, now, from, to) => {
      const window = await findWindow(database.sql, { timeFilter, timeZone, now: new Date(now) });
      expect([window.from?.toISOString() ?? null, window.to?.toISOString() ?? null]).toEqual([from, to]);
    },
  );

  test("a time filter uses the database's clock by default", async () => {
    const [clock] = await database.sql<{ today: Date }[]>`select date_trunc('day', clock()) as today`;
    const window = await findWindow(database.sql, { timeFilter: "today", timeZone: "UTC" });
    expect(window.from).toEqual(clock?.today ?? null);
  });
});

test("the database supports every time zone that the service accepts", async () => {
  const known = new Set(
    (await database.sql<{ name: string }[]>`select lower(name) as name from pg_timezone_names`).map(({ name }) => name),
  );
  expect(Intl.supportedValuesOf("timeZone").filter((name) => !known.has(name.toLowerCase()))).toEqual([]);
});
