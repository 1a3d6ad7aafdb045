import { afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { type RestoreOptions, restoreBackup } from "../../../src/platform/backup/restore.ts";
import { writeBackup } from "../../../src/platform/backup/write.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { withoutPassword } from "../../../src/platform/database/primary/address.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import type { Storage } from "../../../src/platform/storage/storage.ts";
import { createFolderStorage } from "../../../src/platform/storage/storage-folder.ts";
import { isLong } from "../../support/campaigns.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { longTest } from "../../support/long-test.ts";
import { cleanupStack, runCommand, startCommand } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

/** A backup with a waiting mail and files. */
let backup: Uint8Array<ArrayBuffer>;
const [mailId, ...fileIds] = [newId(), newId(), newId(), newId()];

beforeAll(async () => {
  const source = await createTestDatabase();
  const folder = temporaryFolder();
  await putMail(source.sql);
  for (const id of fileIds) {
    await putFile(source.sql, folder.path, { id, content: "Hello" });
  }
  backup = await backupOf(source.sql, folder.path);
  await source.close();
  folder.remove();
});

async function putFile(sql: Sql, folder: string, { id, content }: { id: string; content: string }): Promise<void> {
  await sql`
    insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, stored_at)
    values (${id}, ${newId()}, 'a.png', 'png', 'image/png', ${content.length}, ''::bytea, now())`;
  await Bun.write(join(folder, "uploads", id.slice(-2), id), content);
}

async function putMail(sql: Sql): Promise<void> {
  await sql`
    insert into mails (id, shard, result_id, bot_id, content)
    values (${mailId}, 1, ${newId()}, ${newId()}, '{"to": ["ada@example.com"]}')`;
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  cleanups.add(database.close);
  return database;
}

async function databaseAt(number: string): Promise<TestDatabase> {
  const database = await emptyDatabase();
  const last = migrations.findIndex(({ name }) => name.startsWith(number));
  await migrate(database.sql, migrations.slice(0, last + 1));
  return database;
}

async function backupOf(sql: Sql, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const storage = createFolderStorage(folder);
  const { stream } = writeBackup({ release: "0.1.0", sql, storage, onProgress: () => {} });
  return await new Response(stream).bytes();
}

function fileOf(content: Uint8Array): string {
  const path = join(cleanups.folder(), "backup.tar");
  writeFileSync(path, content);
  return path;
}

function restoreTo(sql: Sql, options: Partial<RestoreOptions> = {}): Promise<unknown> {
  const archive = new Blob([backup]).stream();
  return restoreBackup(archive, { sql, name: "it", storage: undefined, onProgress: () => {}, ...options });
}

async function contentOf({ sql }: TestDatabase): Promise<unknown[]> {
  return [
    ...(await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`),
    ...(await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace`),
  ];
}

async function scratchDatabases({ sql }: TestDatabase): Promise<unknown[]> {
  return [...(await sql`select datname from pg_database where datname like 'parley_check%'`)];
}

longTest("a backup from an early release can be restored and upgraded", async () => {
  const older = await databaseAt("0032");
  await putMail(older.sql);
  const place = fileOf(await backupOf(older.sql, cleanups.folder()));
  const target = await emptyDatabase();
  const environment = { DATABASE_URL: target.url, DATA_DIR: cleanups.folder() };

  const checked = await runCommand(["restore", "--check", place], { environment });
  const restored = await runCommand(["restore", place], { environment });

  expect(checked).toMatchObject({ exitCode: 0, stderr: "Nothing was changed.\n" });
  expect(restored.stdout).toMatch(/^Restored \d+ rows and 0 files from /);
  expect(await target.sql`select id, queue from outbox`).toMatchObject([{ id: mailId, queue: "email" }]);
  expect(await target.sql`select count(*)::int as count from migrations`).toMatchObject([{ count: migrations.length }]);
});

test("a restore leaves no tables if a migration fails", async () => {
  const later = [...migrations, { name: "9999_later.sql", text: "alter table mails add column later text not null" }];
  const target = await emptyDatabase();
  const data = cleanups.folder();

  for (const options of [{ isCompared: true }, { storage: createFolderStorage(data) }]) {
    await expect(restoreTo(target.sql, { migrations: later, ...options })).rejects.toThrow(
      "The migration 9999_later.sql failed",
    );
    expect(await contentOf(target)).toEqual([]);
  }
  expect(filesIn(data)).toEqual([]);
});

test("a restore may exceed the database's statement timeout", async () => {
  const target = await emptyDatabase();
  const name = new URL(target.url).pathname.slice(1);
  await target.sql.unsafe(`alter database ${name} set statement_timeout = '2s'`);
  const sleeping = async () => {
    const rows = await target.sql`
      select from pg_stat_activity
      where datname = ${name} and query = 'select pg_sleep(600)' and state = 'active'`;
    return rows.length > 0;
  };
  const limited = connect(target.url, { connections: 1 });
  const later = (seconds: number) => [...migrations, { name: "9999_later.sql", text: `select pg_sleep(${seconds})` }];

  const endless = restoreTo(limited, { migrations: later(600) });
  await waitFor(sleeping);
  await limited.end({ timeout: 0 });
  await expect(endless).rejects.toThrow();
  await waitFor(async () => !(await sleeping()));

  const again = connect(target.url, { connections: 1 });
  await restoreTo(again, { migrations: later(2.5) });
  await again.end();
});

test("a backup that is truncated within a file is rejected", async () => {
  const source = await createTestDatabase();
  cleanups.add(source.close);
  const folder = cleanups.folder();
  await putFile(source.sql, folder, { id: newId(), content: "x".repeat(3_000_000) });
  const whole = await backupOf(source.sql, folder);
  const half = whole.subarray(0, whole.length - 1_500_000);
  for (const storage of [undefined, createFolderStorage(cleanups.folder())]) {
    const { sql } = await emptyDatabase();
    let at = 0;
    const archive = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= half.length) controller.close();
        else controller.enqueue(half.subarray(at, at + 65_536));
        at += 65_536;
      },
    });
    await expect(restoreBackup(archive, { sql, name: "it", storage, onProgress: () => {} })).rejects.toMatchObject({
      name: "StartError",
      message: "The backup cannot be read to its end, because it is truncated or was changed.",
    });
  }
});

test("a backup with unknown or different migrations is rejected", async () => {
  const target = await emptyDatabase();
  const [{ name: last } = { name: "" }] = migrations.slice(-1);
  const others = migrations.slice(0, -1);
  const restoreBy = (known: typeof migrations) => restoreTo(target.sql, { migrations: known });

  await expect(restoreBy(others)).rejects.toThrow(`by a newer Parley than this one (0.1.0; ${last})`);
  await expect(restoreBy([...others, { name: "0072_other.sql", text: "" }])).rejects.toThrow(
    `its migration ${last} differs from 0072_other.sql`,
  );
  await expect(restoreBy([...others, { name: last, text: "select 1" }])).rejects.toThrow("by a different Parley");
  expect(await contentOf(target)).toEqual([]);
});

test("a rejected restore changes no tables of a non-empty database", async () => {
  const target = await emptyDatabase();
  const guests = [
    ["table guests", "(id int)"],
    ["view guests", "as select 1 as id"],
    ["sequence guests", ""],
    ["function guests", "() returns int language sql return 1"],
    ["type guests", "as enum ('a')"],
    // The jobs of an earlier service.
    ["schema pgboss", ""],
  ];
  for (const [guest = "", rest] of guests) {
    await target.sql.unsafe(`create ${guest} ${rest}`);
    const before = await contentOf(target);

    await expect(restoreTo(target.sql)).rejects.toThrow(
      `The database is not empty, because it has the ${guest}: restore into an empty database, or with another DATA_DIR. It is it.`,
    );
    expect(await contentOf(target)).toEqual(before);
    await target.sql.unsafe(`drop ${guest}`);
  }
  // Providers install extensions in every database.
  await target.sql`create function mark() returns int language sql return 1`;
  await target.sql`alter extension plpgsql add function mark()`;
  await restoreTo(target.sql);
});

longTest("a restore that loses its connection removes its stored files", async () => {
  const target = await emptyDatabase();
  const data = cleanups.folder();
  const storage = createFolderStorage(data);
  const other = connect(target.url, { connections: 1 });
  cleanups.add(() => other.end());
  const cut: Storage = {
    ...storage,
    async keep(id, arrived) {
      await other`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`;
      await storage.keep(id, arrived);
    },
  };

  await expect(restoreTo(target.sql, { storage: cut })).rejects.toThrow();
  expect(await contentOf(target)).toEqual([]);
  expect(filesIn(data)).toEqual([]);

  await restoreTo(target.sql, { storage });
  expect(filesIn(data)).toEqual(fileIds.toSorted());
});

function filesIn(data: string): string[] {
  const paths = readdirSync(data, { recursive: true }).map((path) => basename(String(path)));
  return paths.filter((name) => fileIds.includes(name)).toSorted();
}

longTest("a restore whose connection is lost after the commit reports success", async () => {
  const place = fileOf(backup);
  const target = await emptyDatabase();
  const proxy = await openDatabaseProxy(target.url);
  cleanups.add(proxy.close);
  const fault = proxy.inject({ kind: "cut", when: "after", statement: /^commit/i, times: 1 });

  const environment = { DATABASE_URL: proxy.url, DATA_DIR: cleanups.folder() };
  const restored = await runCommand(["restore", place], { environment });

  expect([fault.met(), restored.exitCode]).toEqual([1, 0]);
  expect(restored.stdout).toStartWith("Restored ");
});

longTest("restores and backups wait for a database that stops responding", async () => {
  const place = fileOf(backup);
  const target = await emptyDatabase();
  const frozen = async (url: string, words: readonly string[]) => {
    const proxy = await openDatabaseProxy(url);
    cleanups.add(proxy.close);
    const environment = { DATABASE_URL: proxy.url.replace("@", ":secret@"), DATA_DIR: cleanups.folder() };
    const held = proxy.inject({ kind: "delay", statement: /pg_advisory_xact_lock|select name, hash/, ms: 0, times: 1 });
    const command = startCommand(words, { environment });
    await waitFor(() => held.met() > 0 || command.exitCode() !== undefined);
    proxy.freeze();
    await waitFor(() => command.stderr().includes("has not responded for 10 s") || command.exitCode() !== undefined, {
      withinMs: 60_000,
    });
    proxy.thaw();
    expect(await command.exited, command.stderr()).toBe(0);
    expect(command.stderr()).toContain(
      `The database has not responded for 10 s: waiting at most 5 minutes. It is ${withoutPassword(proxy.url)}.\n`,
    );
    expect(command.stderr() + command.stdout()).not.toContain("secret");
    return command.stdout();
  };

  const restoring = frozen(target.url, ["restore", place]);
  if (isLong) {
    const source = await databaseAt("0072");
    const [checked, backedUp] = await Promise.all([
      frozen(source.url, ["restore", "--check", place]),
      frozen(source.url, ["backup", join(cleanups.folder(), "backup.tar")]),
    ]);
    expect(checked).toContain("can be restored");
    expect(backedUp).toStartWith("Backed up ");
  }

  expect(await restoring).toMatch(/^Restored .* to postgres:\/\/\w+@127\.0\.0\.1:\d+\/test_\w+\.\n$/);
});

test("a restore prints the database's address without the password", async () => {
  const place = fileOf(backup);
  const DATA_DIR = join(cleanups.folder(), "data");
  const away = await runCommand(["restore", place], {
    environment: { DATABASE_URL: "postgres://ada:secret@127.0.0.1:1/parley?password=secret", DATA_DIR },
  });
  const restored = await runCommand(["restore", place], { environment: { DATA_DIR } });
  const again = await runCommand(["restore", place], { environment: { DATA_DIR } });

  expect(away.stderr).toEndWith(" It is postgres://ada@127.0.0.1:1/parley.\n");
  expect(away.stderr).not.toContain("secret");
  expect(restored.stdout).toEndWith(` to the embedded database in DATA_DIR ${DATA_DIR}.\n`);
  expect(again.stderr).toEndWith(` It is the embedded database in DATA_DIR ${DATA_DIR}.\n`);
});

/** Creates a backup in a pipe. Its reader receives the first tables, and waits for the rest. */
async function heldBackup(): Promise<{ place: string; data: string; target: TestDatabase }> {
  const whole = Buffer.from(backup);
  const place = join(cleanups.folder(), "held.tar");
  expect(Bun.spawnSync(["mkfifo", place]).success).toBe(true);
  // A pipe that is opened for reading and writing does not wait for a reader.
  const pipe = await open(place, "r+");
  cleanups.add(() => pipe.close());
  await pipe.write(whole.subarray(0, whole.indexOf("tables/mails/")));
  return { place, data: join(cleanups.folder(), "data"), target: await emptyDatabase() };
}

longTest("an interrupted restore into a DATA_DIR leaves no process", async () => {
  const { place, data } = await heldBackup();
  const command = startCommand(["restore", place], { environment: { DATA_DIR: data } });
  await waitFor(() => existsSync(join(data, "postgres", "postmaster.pid")));
  const pid = Number(readFileSync(join(data, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  // Under npm, a Ctrl-C arrives twice.
  command.signal("SIGINT");
  command.signal("SIGINT");

  expect(await command.exited).toBe(1);
  expect(command.stderr()).toBe("Interrupted by SIGINT.\n");
  expect(existsSync(data)).toBe(false);
  // The process has ended, but the system removes it a moment later, because its parent has ended.
  await waitFor(() => !isThere(pid), { what: "the process of the database to be gone" });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

longTest("an interrupted restore leaves no tables", async () => {
  for (const more of [["--check"], []]) {
    const { place, data, target } = await heldBackup();
    const environment = { DATABASE_URL: target.url, DATA_DIR: data };
    const command = startCommand(["restore", place, ...more], { environment });
    await waitFor(async () => {
      const rows = await target.sql`
        select from pg_stat_activity
        where datname <> 'postgres' and state = 'active' and wait_event = 'ClientRead' and query like 'copy %'`;
      return rows.length > 0;
    });
    command.signal("SIGTERM");

    expect(await command.exited).toBe(1);
    expect(command.stderr()).toBe("Interrupted by SIGTERM.\n");
    expect(await scratchDatabases(target)).toEqual([]);
    await waitFor(async () => (await contentOf(target)).length === 0);
  }
});
