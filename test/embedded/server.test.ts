import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../src/config.ts";
import { openDataFolder } from "../../src/embedded/folders.ts";
import { type EmbeddedServer, startServer } from "../../src/embedded/server.ts";
import { createLog } from "../../src/log.ts";
import { connect, type Sql } from "../../src/store/sql.ts";
import { temporaryFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function makeFolder(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return folder.path;
}

async function start(dataDir: string, onLost: (error: StartError) => void = () => {}): Promise<EmbeddedServer> {
  const folders = openDataFolder(dataDir);
  const server = await startServer({ folders, connections: 20, log: createLog("silent"), onLost });
  cleanups.push(server.stop);
  return server;
}

function open(server: EmbeddedServer): Sql {
  const sql = connect(server.url, { connections: 2 });
  cleanups.push(() => sql.end());
  return sql;
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}

test("it is an UTF-8 database in UTC, in a folder of its owner alone", async () => {
  const dataDir = join(makeFolder(), "data");

  const sql = open(await start(dataDir));

  expect(
    await sql`
      select
        current_setting('server_encoding') as encoding,
        current_setting('TimeZone') as zone,
        current_setting('listen_addresses') as addresses,
        current_setting('fsync') as fsync`,
  ).toMatchObject([{ encoding: "UTF8", zone: "UTC", addresses: "", fsync: "on" }]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "socket")).mode & 0o777).toBe(0o700);
});

test("what was stored is there after a stop and a start", async () => {
  const dataDir = makeFolder();
  const first = await start(dataDir);
  const sql = open(first);
  await sql`create table notes as select 'kept' as note`;
  await sql.end();
  await first.stop();
  expect(existsSync(join(dataDir, "postgres/postmaster.pid"))).toBe(false);

  const again = open(await start(dataDir));

  expect(await again`select note from notes`).toMatchObject([{ note: "kept" }]);
});

test("it is started again when it was killed, with all that was acknowledged", async () => {
  const dataDir = makeFolder();
  const sql = open(await start(dataDir));
  await sql`create table notes as select 'kept' as note`;

  await killWhenReady(dataDir, sql);

  expect(await whenReady(sql, () => sql`select note from notes`)).toMatchObject([{ note: "kept" }]);
});

test("a database that ends again and again is given up with a sentence", async () => {
  const dataDir = makeFolder();
  const lost = Promise.withResolvers<StartError>();
  const sql = open(await start(dataDir, lost.resolve));

  for (let kills = 0; kills < 5; kills++) await killWhenReady(dataDir, sql);

  expect((await lost.promise).message).toBe(`The embedded PostgreSQL keeps ending: see ${dataDir}/postgres.log.`);
});

test("a pid file that names another program's process does not keep it from starting", async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  const other = Bun.spawn(["sleep", "60"]);
  cleanups.push(() => other.kill());
  writeFileSync(join(dataDir, "postgres/postmaster.pid"), `${other.pid}\n${dataDir}/postgres\n`);

  const sql = open(await start(dataDir));

  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect(other.exitCode).toBeNull();
});

test("data that was half made when the machine stopped is made anew", async () => {
  const dataDir = makeFolder();
  mkdirSync(join(dataDir, "postgres.new/base"), { recursive: true });
  writeFileSync(join(dataDir, "postgres.new/PG_VERSION"), "18\n");

  const sql = open(await start(dataDir));

  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect(existsSync(join(dataDir, "postgres.new"))).toBe(false);
});

test("a folder whose path is too long for a socket gets its socket elsewhere", async () => {
  const dataDir = join(makeFolder(), "long-".repeat(20), "data");
  const { socket } = openDataFolder(dataDir);
  cleanups.push(() => rmSync(socket, { recursive: true, force: true }));

  const sql = open(await start(dataDir));

  expect(socket.startsWith("/tmp/parley-")).toBe(true);
  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
});

test("a socket's folder that others may enter is refused", async () => {
  const dataDir = join(makeFolder(), "long-".repeat(20), "data");
  const { socket } = openDataFolder(dataDir);
  mkdirSync(socket);
  cleanups.push(() => rmSync(socket, { recursive: true, force: true }));

  const starting = start(dataDir);

  expect(starting).rejects.toThrow(`The folder ${socket} must belong to this user alone`);
  await starting.catch(() => {});
});

test("data of another PostgreSQL version is refused with its reason", async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, "postgres/PG_VERSION"), "12\n");

  const error = await start(dataDir).catch((problem: unknown) => problem);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain("database files are incompatible with server");
});

test("a DATA_DIR that is a file is refused", () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");

  expect(() => openDataFolder(file)).toThrow("DATA_DIR cannot be used");
});

test("a folder with other things in it keeps its mode", () => {
  const dataDir = makeFolder();
  writeFileSync(join(dataDir, "mine.txt"), "");
  Bun.spawnSync(["chmod", "755", dataDir]);

  openDataFolder(dataDir);

  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
});

/** Kills the main process and waits until its last child, which may still answer for a moment, is gone too. */
async function killWhenReady(dataDir: string, sql: Sql): Promise<void> {
  const [own] = await whenReady(sql, () => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
  process.kill(postmasterPid(dataDir), "SIGKILL");
  await waitFor(() => !existsSync(`/proc/${own?.pid}`));
}

async function whenReady<Rows>(sql: Sql, query: () => PromiseLike<Rows>): Promise<Rows> {
  await waitFor(() => sql`select 1`.catch(() => undefined));
  return await query();
}
