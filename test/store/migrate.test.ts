import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../src/config.ts";
import { migrate } from "../../src/store/database/migrate.ts";
import type { Migration } from "../../src/store/database/migrations.ts";
import { migrations } from "../../src/store/database/migrations.ts";
import { connect } from "../../src/store/database/sql.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

async function emptyDatabase(options: { encoding?: string } = {}): Promise<TestDatabase> {
  const database = await createEmptyDatabase(options);
  opened.push(database);
  return database;
}

const first: Migration = { name: "0001_first", text: "create table first (id int);\ncreate table also (id int);" };
const second: Migration = { name: "0002_second", text: "create table second (id int)" };

async function tables({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select tablename as name
    from pg_tables
    where schemaname = 'public' and tablename <> 'migrations'
    order by tablename`;
  return rows.map(({ name }) => name);
}

test("the list of migrations is the folder of migrations", () => {
  const folder = join(import.meta.dir, "../../sql/migrations");

  expect(migrations.map(({ name, text }) => ({ name: `${name}.sql`, text }))).toEqual(
    readdirSync(folder)
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") })),
  );
});

test("the migrations are numbered without a gap", () => {
  expect(migrations.map(({ name }) => name.replace(/_[a-z_]+$/, ""))).toEqual(
    migrations.map((_, index) => String(index + 1).padStart(4, "0")),
  );
});

test("an empty database gets every migration, in order and once", async () => {
  const database = await emptyDatabase();

  expect(await migrate(database.sql, [first, second])).toEqual(["0001_first", "0002_second"]);
  expect(await migrate(database.sql, [first, second])).toEqual([]);

  expect(await tables(database)).toEqual(["also", "first", "second"]);
});

test("a later release adds only what is new", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  expect(await migrate(database.sql, [first, second])).toEqual(["0002_second"]);
});

test("an earlier release starts on the database of a later one", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first, second]);

  expect(await migrate(database.sql, [first])).toEqual([]);
});

test("several pools that start at once run each migration once", async () => {
  const { url } = await emptyDatabase();
  const pools = Array.from({ length: 6 }, () => connect(url, { connections: 2 }));

  const ran = await Promise.all(pools.map((pool) => migrate(pool)));

  expect(ran.flat().toSorted()).toEqual(migrations.map(({ name }) => name));
  await Promise.all(pools.map((pool) => pool.end()));
});

test("several processes that start at once run each migration once", async () => {
  const { url } = await emptyDatabase();
  const cli = join(import.meta.dir, "../../src/cli.ts");
  const start = () =>
    Bun.spawn([process.execPath, cli, "migrate"], { env: { ...process.env, DATABASE_URL: url }, stderr: "inherit" });

  const processes = Array.from({ length: 4 }, start);
  const outputs = await Promise.all(processes.map((started) => started.stdout.text()));

  expect(await Promise.all(processes.map((started) => started.exited))).toEqual([0, 0, 0, 0]);
  // Each takes the lock anew for every migration, so they may share the work.
  const lines = outputs
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("Ran "));
  expect(lines.toSorted()).toEqual(migrations.map(({ name }) => `Ran ${name}`));
}, 30_000);

test("a migration that fails leaves nothing of itself and names itself", async () => {
  const database = await emptyDatabase();
  const broken = { name: "0002_broken", text: "create table half (id int); create table half (id int)" };

  const error = await migrate(database.sql, [first, broken]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain('The migration 0002_broken failed: relation "half" already exists.');
  expect(await tables(database)).toEqual(["also", "first"]);
});

test("a released migration that was changed is refused", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  const changed = { ...first, text: `${first.text} -- changed` };

  expect(migrate(database.sql, [changed, second])).rejects.toThrow(
    "The migration 0001_first is not the one that the database has run",
  );
  await migrate(database.sql, [changed]).catch(() => {});
  expect(await tables(database)).toEqual(["also", "first"]);
});

test("other line endings are no change", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  expect(await migrate(database.sql, [{ ...first, text: first.text.replaceAll("\n", "\r\n") }])).toEqual([]);
});

test("a released migration that is missing is refused", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  const error = await migrate(database.sql, [second]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain("The database has the migration 0001_first where this release has 0002_second");
});

test("a database that is not UTF-8 is refused", async () => {
  const database = await emptyDatabase({ encoding: "LATIN1" });

  const error = await migrate(database.sql, [first]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain("encoding LATIN1, but UTF8 is needed");
  expect(await tables(database)).toEqual([]);
});
