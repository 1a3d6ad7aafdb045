import { afterAll, expect, test } from "bun:test";
import { createTestDatabase } from "../../support/database.ts";

// An update that changes no column of an index or of its condition can be HOT: it changes no index. This matters
// because steps update sessions and results all the time.

const database = await createTestDatabase();
afterAll(() => database.close());

test("only the listed columns of sessions are indexed", async () => {
  const columns = await indexedColumns("sessions");

  expect(columns).toEqual(["bot_id", "expires_hour", "flow_hash", "id", "publication_number", "result_id", "shard"]);
});

test("only the listed columns of results are indexed", async () => {
  const columns = await indexedColumns("results");

  expect(columns).toEqual([
    "bot_id",
    "contact_id",
    "created_at",
    "erase_after",
    "has_started",
    "id",
    "is_archived",
    "shard",
    "tags",
  ]);
});

async function indexedColumns(table: string): Promise<string[]> {
  const rows = await database.sql<{ name: string }[]>`
    select distinct attname as name
    from pg_index
    join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid > 0
    join pg_attribute on attrelid = indrelid and attnum = refobjsubid
    where indrelid = ${table}::regclass
    union
    -- A primary key depends on its constraint, which holds the columns.
    select attname
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where conrelid = ${table}::regclass and contype in ('p', 'u')
    order by name`;
  return rows.map(({ name }) => name);
}
