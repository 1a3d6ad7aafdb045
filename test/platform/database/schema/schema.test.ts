import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { printSchema } from "../../../../src/platform/database/schema/schema.sql.ts";
import { createEmptyDatabase, createTestDatabase } from "../../../support/database.ts";

const database = await createTestDatabase();
const empty = await createEmptyDatabase();
afterAll(async () => {
  await database.close();
  await empty.close();
});

test("sql/schema.sql equals the result of the migrations", async () => {
  const written = readFileSync(join(import.meta.dir, "../../../../sql/schema.sql"), "utf8");

  expect(written).toBe(await printSchema(database.sql));
});

test("the statements of sql/schema.sql create the same schema", async () => {
  const schema = await printSchema(database.sql);

  await empty.sql.unsafe(schema);

  expect(await printSchema(empty.sql)).toBe(schema);
});
