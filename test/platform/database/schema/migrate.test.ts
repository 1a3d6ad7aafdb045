import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../../package.json";
import { StartError } from "../../../../src/config.ts";
import { systemClock } from "../../../../src/platform/concurrency/clock.ts";
import { nameConnections } from "../../../../src/platform/database/connections.sql.ts";
import type { Migration } from "../../../../src/platform/database/migrations.ts";
import { migrations } from "../../../../src/platform/database/migrations.ts";
import { migrate } from "../../../../src/platform/database/schema/migrate.sql.ts";
import { connect } from "../../../../src/platform/database/sql.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../support/database.ts";
import { runCommand } from "../../../support/service.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { waitFor } from "../../../support/wait.ts";

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

test("the migrations are the files in sql/migrations, in order", () => {
  const folder = join(import.meta.dir, "../../../../sql/migrations");

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

test("an empty database gets every migration, once and in order", async () => {
  const database = await emptyDatabase();

  expect(await migrate(database.sql, [first, second])).toEqual(["0001_first", "0002_second"]);
  expect(await migrate(database.sql, [first, second])).toEqual([]);

  expect(await tables(database)).toEqual(["also", "first", "second"]);
});

test("a later release runs only the new migrations", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  expect(await migrate(database.sql, [first, second])).toEqual(["0002_second"]);
});

test("an earlier release does not start on a later release's database", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first, second]);

  await expect(migrate(database.sql, [first])).rejects.toThrow(
    "The database belongs to a newer release, which has run the migration 0002_second: start that release.",
  );
  expect(await tables(database)).toEqual(["also", "first", "second"]);
});

describe("indexes of a large table", () => {
  const indexes: Migration = {
    name: "0002_indexes",
    text: "-- Two; both at once.\ncreate index concurrently first_id on first (id);\ncreate index concurrently also_id on also (id);",
  };
  const built = ({ sql }: TestDatabase) =>
    sql<{ name: string; isValid: boolean }[]>`
      select indexrelid::regclass::text as name, indisvalid as is_valid
      from pg_index
      where indexrelid::regclass::text in ('first_id', 'also_id')
      order by name`;
  const both = [
    { name: "also_id", isValid: true },
    { name: "first_id", isValid: true },
  ];

  test("indexes of a large table are built during writes to the table", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, [first]);
    const writer = connect(database.url, { connections: 1 });
    const isWriting = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const writing = writer.begin(async (sql) => {
      await sql`insert into first values (1)`;
      isWriting.resolve();
      await mayEnd.promise;
      await sql`insert into first values (2)`;
    });
    await isWriting.promise;

    const migrating = migrate(database.sql, [first, indexes]);
    await waitFor(async () => (await built(database)).some(({ isValid }) => !isValid));
    await database.sql`insert into first values (3)`;
    mayEnd.resolve();

    expect(await migrating).toEqual(["0002_indexes"]);
    await writing;
    await writer.end();
    expect([...(await built(database))]).toEqual(both);
  });

  test("indexes of a large table are built again after an interruption", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, [first]);
    await database.sql.unsafe("create index first_id on first (id)");
    await database.sql.unsafe("update pg_index set indisvalid = false where indexrelid = 'first_id'::regclass");

    expect(await migrate(database.sql, [first, indexes])).toEqual(["0002_indexes"]);
    expect([...(await built(database))]).toEqual(both);
  });

  test("an index that cannot be built is reported with the name of the migration", async () => {
    const database = await emptyDatabase();
    await database.sql.unsafe("create table first (id int); insert into first values (1), (1)");
    const text = "create unique index concurrently first_id on first (id)";

    await expect(migrate(database.sql, [{ name: "0001_unique", text }])).rejects.toThrow(/0001_unique failed/);
  });
});

describe("a migration that older nodes do not support", () => {
  const mark = "-- Older nodes: stop before 0.3.0, since they save rows without a shard.";
  const marked: Migration = { name: "0054_marked", text: `${mark}\ncreate table second (id int);` };
  const released = [
    first,
    { name: "0053_released", text: "-- Older nodes: run beside it.\ncreate table before (id int)" },
  ];

  /** Connects a node with the migrations up to `newest`. Returns a function that disconnects the node. */
  async function startNode(url: string, newest: number): Promise<() => Promise<void>> {
    const node = connect(nameConnections(url, 4, newest).url, { connections: 1 });
    await node`select 1`;
    return () => node.end();
  }

  test("a migration is refused while a node that does not support it is connected", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, released);
    const end = await startNode(database.url, 53);

    await expect(migrate(database.sql, [...released, marked])).rejects.toThrow(
      /^The migration 0054_marked cannot run while nodes of releases before 0\.3\.0 are connected: they save rows without a shard\. Stop these nodes, then start again: "parley 9 \w{8}m0053" from .+, last active \d s ago\.$/,
    );
    expect(await tables(database)).toEqual(["also", "before", "first"]);
    await end();

    expect(await migrate(database.sql, [...released, marked])).toEqual(["0054_marked"]);
  });

  test("a migration is refused if a node does not report what it supports", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, released);
    const url = `${database.url}${database.url.includes("?") ? "&" : "?"}application_name=parley 21 k3m01234`;
    const node = connect(url, { connections: 1 });
    await node`select 1`;

    await expect(migrate(database.sql, [...released, marked])).rejects.toThrow('"parley 21 k3m01234"');
    await node.end();
  });

  test("a migration runs while nodes that support it are connected", async () => {
    const [database, other] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(database.sql, released);
    const ends = [await startNode(database.url, 54), await startNode(other.url, 53)];

    expect(await migrate(database.sql, [...released, marked])).toEqual(["0054_marked"]);
    for (const end of ends) await end();
  });

  test("a migration that older nodes support runs while an older node is connected", async () => {
    const database = await emptyDatabase();
    const end = await startNode(database.url, 40);

    expect(await migrate(database.sql, released)).toEqual(["0001_first", "0053_released"]);
    await end();
  });
});

test('the command "migrate" prints the earliest release that can start', async () => {
  const database = await emptyDatabase();
  const environment = { DATABASE_URL: database.url };
  await migrate(database.sql, migrations.slice(0, -1));

  const { stdout, stderr } = await runCommand(["migrate"], { environment });

  expect(stdout).toBe(`Ran ${migrations.at(-1)?.name}\n`);
  expect(stderr).toBe(`From now on, nodes of releases before ${version} do not start on this database.\n`);
});

test("six pools that start simultaneously run each migration once", async () => {
  const { url } = await emptyDatabase();
  const pools = Array.from({ length: 6 }, () => connect(url, { connections: 2 }));

  const ran = await Promise.all(pools.map((pool) => migrate(pool)));

  expect(ran.flat().toSorted()).toEqual(migrations.map(({ name }) => name));
  await Promise.all(pools.map((pool) => pool.end()));
});

test("four processes that start simultaneously run each migration once", async () => {
  const { url } = await emptyDatabase();
  const cli = join(import.meta.dir, "../../../../src/cli.ts");
  const start = () =>
    Bun.spawn([process.execPath, cli, "migrate"], { env: { ...process.env, DATABASE_URL: url }, stderr: "inherit" });

  const processes = Array.from({ length: 4 }, start);
  const outputs = await Promise.all(processes.map((started) => started.stdout.text()));

  expect(await Promise.all(processes.map((started) => started.exited))).toEqual([0, 0, 0, 0]);
  const lines = outputs
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("Ran "));
  expect(lines.toSorted()).toEqual(migrations.map(({ name }) => `Ran ${name}`));
}, 30_000);

test("a failed migration is rolled back completely and reports its name", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);
  const broken = { name: "0003_broken", text: "create table half (id int); create table half (id int)" };

  const error = await migrate(database.sql, [first, second, broken]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain('The migration 0003_broken failed: relation "half" already exists.');
  expect(await tables(database)).toEqual(["also", "first", "second"]);
});

test("a failed first start leaves an empty database", async () => {
  const database = await emptyDatabase();
  const broken = { name: "0002_broken", text: "create table half (id int); create table half (id int)" };

  await expect(migrate(database.sql, [first, broken])).rejects.toThrow("The migration 0002_broken failed");

  expect(await tables(database)).toEqual([]);
  expect(await migrate(database.sql, [first, second])).toEqual(["0001_first", "0002_second"]);
});

describe("a table that another transaction has locked", () => {
  const changing: Migration = { name: "0002_changing", text: "alter table first add column more int" };
  const lockWaitMs = 20;

  /** Opens a transaction that has read the table, and that stays open until the test ends it. */
  async function reader({ url }: TestDatabase) {
    const sql = connect(url, { connections: 1 });
    const over = Promise.withResolvers<void>();
    const hasRead = Promise.withResolvers<void>();
    const ended = sql.begin(async (transaction) => {
      await transaction`select from first`;
      hasRead.resolve();
      await over.promise;
    });
    await hasRead.promise;
    return {
      async end() {
        over.resolve();
        await ended;
        await sql.end();
      },
    };
  }

  test("a migration that waits for a lock lets other statements proceed", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, [first]);
    const held = await reader(database);
    const clock = createVirtualClock();

    const migrating = migrate(database.sql, [first, changing], { clock, lockWaitMs });
    await waitFor(() => clock.timers() > 0);
    await database.sql`insert into first (id) values (1)`;
    await held.end();
    await clock.advance(10_000);

    expect(await migrating).toEqual(["0002_changing"]);
  });

  test("a migration that never acquires the lock fails with an error message", async () => {
    const database = await emptyDatabase();
    await migrate(database.sql, [first]);
    const held = await reader(database);
    const clock = {
      ...systemClock,
      startTimer: (_: number, callback: () => void) => systemClock.startTimer(0, callback),
    };

    const error = await migrate(database.sql, [first, changing], { clock, lockWaitMs }).catch(
      (problem: unknown) => problem,
    );
    await held.end();

    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toContain(
      "The migration 0002_changing did not get the lock of a table in 12 attempts: end long transactions",
    );
    expect(await migrate(database.sql, [first, changing])).toEqual(["0002_changing"]);
  });
});

test("a released migration that was changed is rejected", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  const changed = { ...first, text: `${first.text} -- changed` };

  await expect(migrate(database.sql, [changed, second])).rejects.toThrow(
    "The migration 0001_first differs from the migration that the database has run",
  );
  expect(await tables(database)).toEqual(["also", "first"]);
});

test("a migration with different line endings counts as unchanged", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  expect(await migrate(database.sql, [{ ...first, text: first.text.replaceAll("\n", "\r\n") }])).toEqual([]);
});

test("a released migration that is missing is rejected", async () => {
  const database = await emptyDatabase();
  await migrate(database.sql, [first]);

  const error = await migrate(database.sql, [second]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain("The database has the migration 0001_first, but this release has 0002_second");
});

test("a database that is not UTF-8 is rejected", async () => {
  const database = await emptyDatabase({ encoding: "LATIN1" });

  const error = await migrate(database.sql, [first]).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain("encoding LATIN1, but UTF8 is required");
  expect(await tables(database)).toEqual([]);
});
