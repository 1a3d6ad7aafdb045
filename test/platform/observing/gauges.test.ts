import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDueGauges } from "../../../src/chat/due/due-metrics.ts";
import { createUploadGauges } from "../../../src/management/files/days/upload-days.job.ts";
import { createDatabaseMetrics } from "../../../src/platform/database/database-metrics.ts";
import { createGauges } from "../../../src/platform/observing/gauges.ts";
import type { Registry } from "../../../src/platform/observing/prometheus.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function shown(registry: Registry) {
  const text = await registry.metrics();
  return {
    declared: [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name),
    values: text.split("\n").filter((line) => line !== "" && !line.startsWith("#")),
  };
}

test("a gauge is left out while its value is unknown", async () => {
  const { registry, add } = createGauges();
  let value: number | undefined;
  add("parley_depth", "Depth.", () => value);
  const values = async () => (await shown(registry)).values;

  expect(await values()).toEqual([]);
  value = 0;
  expect(await values()).toEqual(["parley_depth 0"]);
  value = 7;
  expect(await values()).toEqual(["parley_depth 7"]);
  value = undefined;
  expect(await values()).toEqual([]);
});

test("gauges of stored rows are left out during a database outage", async () => {
  const closed = await createTestDatabase();
  await closed.close();
  const registries = ({ sql }: TestDatabase) => [createDueGauges(sql), createUploadGauges(sql)];
  for (const registry of registries(closed)) {
    const { declared, values } = await shown(registry);
    expect(declared.length).toBeGreaterThan(0);
    expect(values).toEqual([]);
  }
  for (const registry of registries(database)) {
    const { declared, values } = await shown(registry);
    expect(new Set(values.map((line) => /^\w+/.exec(line)?.[0]))).toEqual(new Set(declared));
  }

  const away = await shown(createDatabaseMetrics({ sql: closed.sql }));
  expect(away.declared).toContain("parley_database_round_trip_seconds");
  expect(away.values).toEqual(['parley_database_connections{pool="general"} 8', "parley_database_up 0"]);
});
