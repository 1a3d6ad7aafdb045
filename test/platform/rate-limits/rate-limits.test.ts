import { afterAll, beforeAll, expect, test } from "bun:test";
import { addDebts, deletePaidDebts } from "../../../src/platform/rate-limits/rate-limits.sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { moveClock } from "../../support/moved-clock.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const add = (...added: readonly (readonly [string, number])[]) =>
  addDebts(
    database.sql,
    added.map(([key, addedMs]) => ({ key, addedMs, agoMs: 0 })),
  );

/** Returns the keys in the database, written by any process. */
async function keysHeld(): Promise<string[]> {
  const rows = await database.sql<{ key: string }[]>`select key from rate_limit_debts order by key`;
  return rows.map(({ key }) => key);
}

test("debts of rate limits are added separately per key, in the requested order", async () => {
  expect(await add(["b", 100_000], ["a", 5_000.25])).toEqual([100_000, 5_000.25]);
  const [a, c, b] = await add(["a", 1_000], ["c", 7], ["b", 50_000]);
  expect(a).toBeLessThanOrEqual(6_000.25);
  expect(a).toBeGreaterThan(1_000);
  expect(c).toBe(7);
  expect(b).toBeGreaterThan(60_000);
});

test("40 concurrent statements with 50 keys lose no debt and cause no deadlock", async () => {
  const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
  const turns = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? keys : keys.toReversed()));
  await Promise.all(turns.map((order) => add(...order.map((key): [string, number] => [key, 1_000_000]))));
  for (const sum of await add(...keys.map((key): [string, number] => [key, 0]))) {
    expect(sum).toBeGreaterThan(39_000_000);
    expect(sum).toBeLessThanOrEqual(40_000_000);
  }
});

test("debts of rate limits shrink over time", async () => {
  await add(["clock", 100_000]);
  await moveClock(database.sql, 60);
  const [later = 0] = await add(["clock", 0]);
  expect(later).toBeLessThanOrEqual(40_000);
  expect(later).toBeGreaterThan(0);
  await moveClock(database.sql, -600);
  expect(await add(["clock", 0])).toEqual([later]);
  await moveClock(database.sql, -590);
  const [again = 0] = await add(["clock", 0]);
  expect(again).toBeLessThanOrEqual(later - 10_000);
  await moveClock(database.sql, 0);
});

test("a debt that is reported late is reduced by the elapsed time", async () => {
  expect(await addDebts(database.sql, [{ key: "ago", addedMs: 900, agoMs: 1_000 }])).toEqual([0]);
  await add(["between", 50_000]);
  const [sum = 0] = await addDebts(database.sql, [{ key: "between", addedMs: 50_000, agoMs: 1_000 }]);
  expect(sum).toBeLessThanOrEqual(100_000);
  expect(sum).toBeGreaterThan(90_000);
});

test("paid debts of rate limits are removed in batches, and unpaid debts stay", async () => {
  await database.sql`delete from rate_limit_debts`;
  await add(["owed", 3_600_000], ["paid", 0], ["paid too", 0]);
  await moveClock(database.sql, 5);
  expect(await deletePaidDebts(database.sql, 1)).toBe(1);
  expect(await deletePaidDebts(database.sql, 10)).toBe(1);
  expect(await deletePaidDebts(database.sql, 10)).toBe(0);
  expect(await keysHeld()).toEqual(["owed"]);
  await moveClock(database.sql, 0);
});
