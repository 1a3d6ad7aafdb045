import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StartError } from "../../../src/config.ts";
import { isOutage } from "../../../src/platform/database/primary/outage.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { readyPid } from "../../../src/platform/embedded/leftover.ts";
import { type EmbeddedServer, startServer } from "../../../src/platform/embedded/server.ts";
import { createLog, type Log } from "../../../src/platform/observing/log.ts";
import { isLong } from "../../support/campaigns.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { longTest } from "../../support/long-test.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(30_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function makeFolder(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return folder.path;
}

async function start(
  dataDir: string,
  { onLost = () => {}, log = createLog("silent") }: { onLost?: (error: StartError) => void; log?: Log } = {},
): Promise<EmbeddedServer> {
  const folders = openDataFolder(dataDir);
  const server = await startServer({ folders, connections: 20, log, onLost });
  cleanups.push(server.stop);
  return server;
}

function open(server: EmbeddedServer): Sql {
  const sql = connect(server.url, { connections: 2 });
  cleanups.push(() => sql.end());
  return sql;
}

test("the embedded database uses UTF-8, UTC and a private local socket", async () => {
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

longTest("an interrupted start of the server leaves no process", async () => {
  const dataDir = join(makeFolder(), "data");
  const folders = openDataFolder(dataDir);
  const first = await start(dataDir);
  await first.stop();
  // Simulates a restore from an archive whose files never arrive.
  writeFileSync(join(folders.data, "recovery.signal"), "");
  const interruption = new AbortController();
  const settings = { restore_command: "sleep 600" };
  const { signal } = interruption;
  const options = { folders, connections: 20, log: createLog("silent"), onLost: () => {}, settings, signal };
  const starting = startServer(options);
  const lines = () => readFileSync(join(folders.data, "postmaster.pid"), "utf8").split("\n");
  await waitFor(() => existsSync(join(folders.data, "postmaster.pid")) && Number(lines()[0]) > 0);
  const pid = Number(lines()[0]);

  interruption.abort();

  await expect(starting).rejects.toThrow("aborted");
  expect(() => process.kill(pid, 0)).toThrow();
});

longTest("the embedded server compresses its write-ahead log and turns off JIT", async () => {
  const sql = open(await start(makeFolder()));

  expect(
    await sql`
      select
        current_setting('wal_compression') as compression,
        current_setting('checkpoint_timeout') as pause,
        current_setting('jit') as jit,
        current_setting('autovacuum') as vacuum,
        current_setting('full_page_writes') as pages`,
  ).toMatchObject([{ compression: "pglz", pause: "15min", jit: "off", vacuum: "on", pages: "on" }]);
});

longTest("stored data is available after the server has stopped and started again", async () => {
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

test("a killed embedded server is restarted with its acknowledged data", async () => {
  const dataDir = makeFolder();
  const sql = open(await start(dataDir));
  await sql`create table notes as select 'kept' as note`;

  const killed = await waitFor(() => otherPid(dataDir, { not: 0 }));
  process.kill(killed, "SIGKILL");

  await waitFor(() => otherPid(dataDir, { not: killed }));
  const rows = await waitFor(() => sql`select note from notes`.catch(() => undefined));
  expect(rows).toMatchObject([{ note: "kept" }]);
});

test("a server that ends repeatedly is reported as lost, with the path of the log", async () => {
  const dataDir = makeFolder();
  let lost: StartError | undefined;
  await start(dataDir, {
    onLost(error) {
      lost = error;
    },
  });

  let killed = 0;
  while (lost === undefined) {
    const pid = await waitFor(() => lost !== undefined || otherPid(dataDir, { not: killed }));
    if (pid === true) break;
    process.kill(pid, "SIGKILL");
    killed = pid;
  }

  expect(lost?.message).toBe(`The embedded PostgreSQL keeps ending: see ${dataDir}/postgres.log.`);
});

test("the embedded server recovers after one of its processes is killed", async () => {
  const { log, told } = recordLog();
  const sql = open(await start(makeFolder(), { log }));
  await sql`create table notes as select 'kept' as note`;

  for (let count = 0; count < 2; count++) {
    const [row] = await waitFor(() => sql<[{ pid: number }]>`select pg_backend_pid() as pid`.catch(() => undefined));
    process.kill(row.pid, "SIGKILL");
    await waitFor(() => sql`select 1`.then(() => false, isOutage));
  }

  expect(await waitFor(() => sql`select note from notes`.catch(() => undefined))).toMatchObject([{ note: "kept" }]);
  expect(told).toEqual([
    expect.stringMatching(/^The embedded PostgreSQL recovers: .* was terminated by signal 9: Killed$/),
  ]);
});

test.skipIf(!isLong || process.platform !== "linux")(
  "a server that was killed on a full disk is restarted when space is available, and the log explains the wait",
  async () => {
    const dataDir = makeFolder();
    const { log, told } = recordLog();
    const sql = open(await start(dataDir, { log }));
    await sql`create table notes as select 'kept' as note`;
    // Links a file that each start writes to a device that is always full.
    const options = join(dataDir, "postgres/postmaster.opts");
    rmSync(options);
    symlinkSync("/dev/full", options);

    process.kill(await waitFor(() => otherPid(dataDir, { not: 0 })), "SIGKILL");
    await waitFor(() => told.length === 2);
    expect(await sql`select 1`.catch(isOutage)).toBe(true);
    rmSync(options);

    expect(await waitFor(() => sql`select note from notes`.catch(() => undefined))).toMatchObject([{ note: "kept" }]);
    expect(told).toEqual([
      "The embedded PostgreSQL ended and is being restarted: undefined",
      'The embedded PostgreSQL waits for space on its disk: could not write file "postmaster.opts": No space left on device',
    ]);
  },
);

test("a pid file with another program's id does not prevent the start", async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  const other = Bun.spawn(["sleep", "60"]);
  cleanups.push(() => other.kill());
  writeFileSync(join(dataDir, "postgres/postmaster.pid"), `${other.pid}\n${dataDir}/postgres\n`);

  const sql = open(await start(dataDir));

  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect(other.exitCode).toBeNull();
});

longTest("a database that was created only partly is created again", async () => {
  const dataDir = makeFolder();
  mkdirSync(join(dataDir, "postgres.new/base"), { recursive: true });
  writeFileSync(join(dataDir, "postgres.new/PG_VERSION"), "18\n");

  const sql = open(await start(dataDir));

  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect(existsSync(join(dataDir, "postgres.new"))).toBe(false);
});

longTest("a data folder with a long path gets its socket in another folder", async () => {
  const dataDir = join(makeFolder(), "long-".repeat(20), "data");
  const { socket } = openDataFolder(dataDir);
  cleanups.push(() => rmSync(socket, { recursive: true, force: true }));

  const sql = open(await start(dataDir));

  expect(socket.startsWith("/tmp/parley-")).toBe(true);
  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
});

test("a socket folder that other users may enter is rejected", async () => {
  const dataDir = join(makeFolder(), "long-".repeat(20), "data");
  const { socket } = openDataFolder(dataDir);
  mkdirSync(socket);
  cleanups.push(() => rmSync(socket, { recursive: true, force: true }));

  const starting = start(dataDir);

  await expect(starting).rejects.toThrow(`The folder ${socket} must belong only to this user`);
});

test("a DATA_DIR that is a file is rejected", () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");

  expect(() => openDataFolder(file)).toThrow("DATA_DIR cannot be used");
});

test("a data folder that already contains a file keeps its mode", () => {
  const dataDir = makeFolder();
  writeFileSync(join(dataDir, "mine.txt"), "");
  Bun.spawnSync(["chmod", "755", dataDir]);

  openDataFolder(dataDir);

  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
});

function recordLog(): { log: Log; told: string[] } {
  const told: string[] = [];
  const error: Log["error"] = (message, facts) => void told.push(`${message}: ${facts?.["reason"]}`);
  return { log: { ...createLog("silent"), error }, told };
}

/** Returns the id of the main process once it accepts connections, unless it equals `not`. */
function otherPid(dataDir: string, { not }: { not: number }): number | undefined {
  const pid = readyPid(join(dataDir, "postgres"));
  return pid === not ? undefined : pid;
}
