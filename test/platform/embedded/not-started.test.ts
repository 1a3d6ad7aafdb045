import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../../src/config.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { type DataFolders, lockDataFolder, openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { startServer } from "../../../src/platform/embedded/server.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { longTest } from "../../support/long-test.ts";
import { cleanupStack, lastMessage, runCommand } from "../../support/service.ts";
import { mountDisk, smallDiskIsMissing } from "../../support/small-disk.ts";

setDefaultTimeout(30_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const missing = smallDiskIsMissing();
if (missing !== undefined) process.stdout.write(`Tests of full disks are skipped: ${missing}\n`);

/** The database is created only once, because creating a database takes longer than copying it. */
const template = temporaryFolder();
const made = makeDatabase(openDataFolder(template.path));
afterAll(template.remove);

async function makeDatabase(folders: DataFolders): Promise<DataFolders> {
  const server = await startServer({ folders, connections: 5, log: createLog("silent"), onLost: () => {} });
  await server.stop();
  return folders;
}

async function madeFolders(): Promise<DataFolders> {
  const { data } = await made;
  const folders = openDataFolder(cleanups.folder());
  // The copy also keeps the owner.
  Bun.spawnSync(["cp", "-a", data, folders.data]);
  return folders;
}

/** Returns the message that the operator gets about a database that does not start. */
async function refusal(folders: DataFolders, settings: Record<string, string> = {}): Promise<string> {
  const onLost = () => {};
  const starting = startServer({ folders, connections: 5, log: createLog("silent"), settings, onLost });
  starting.then((server) => cleanups.add(server.stop)).catch(() => {});
  const error = await starting.catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(StartError);
  return error instanceof StartError ? error.message : "";
}

test("data of another major version of PostgreSQL stops the start", async () => {
  const folders = await madeFolders();
  writeFileSync(join(folders.data, "PG_VERSION"), "16\n");

  expect(await refusal(folders)).toBe(
    "The embedded PostgreSQL did not start: database files are incompatible with server: The data directory was initialized by PostgreSQL version 16, " +
      "which is not compatible with this version 18.4. " +
      `Use the release of Parley that wrote ${folders.data}, or a server of that version with DATABASE_URL, and move the data with pg_dump. ` +
      `(See ${folders.log}.)`,
  );
});

test("a damaged control file stops the start", async () => {
  const folders = await madeFolders();
  const file = openSync(join(folders.data, "global/pg_control"), "r+");
  writeSync(file, new Uint8Array(100));
  closeSync(file);

  const message = await refusal(folders);

  expect(message).toContain("PG_CONTROL_VERSION 0");
  expect(message).toContain(`Files in ${folders.data} are damaged or missing: restore a backup of the whole folder.`);
  expect(message).not.toContain("initdb");
});

test("data of another machine architecture stops the start", async () => {
  const folders = await madeFolders();
  const path = join(folders.data, "global/pg_control");
  const control = readFileSync(path);
  const places = Array.from({ length: 100 }, (_, index) => 200 + 4 * index);
  const end = places.find((at) => crc32c(control.subarray(0, at)) === control.readUInt32LE(at)) ?? 0;
  // The number that PostgreSQL stores to detect a different floating-point format, in the bytes of this machine.
  const number = Buffer.alloc(8);
  number.writeDoubleLE(1_234_567);
  control.writeDoubleBE(1_234_567, control.indexOf(number));
  control.writeUInt32LE(crc32c(control.subarray(0, end)), end);
  writeFileSync(path, control);

  const message = await refusal(folders);

  expect(message).toContain("appears to use a different floating-point number format");
  expect(message).toContain(
    `${folders.data} was created on another kind of machine: start Parley on that machine, and move all data with parley backup`,
  );
});

/** Returns the checksum that PostgreSQL appends to its control file. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

async function queueOf(folders: DataFolders): Promise<string | null | undefined> {
  const server = await startServer({ folders, connections: 5, log: createLog("silent"), onLost: () => {} });
  const sql = connect(server.url, { connections: 1 });
  const [found] = await sql<{ name: string | null }[]>`select to_regnamespace('pgboss')::text as name`;
  await sql.end();
  await server.stop();
  return found?.name;
}

longTest("data of a newer release of Parley stops the start", async () => {
  const folders = await madeFolders();
  const server = await startServer({ folders, connections: 5, log: createLog("silent"), onLost: () => {} });
  const sql = connect(server.url, { connections: 1 });
  await migrate(sql);
  await sql`insert into migrations (name, hash) values ('9999_of_tomorrow', '')`;
  await sql.end();
  await server.stop();

  const started = await runCommand(["serve"], { environment: { DATA_DIR: folders.root } });

  expect(started).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lastMessage(started)).toBe(
    "The database belongs to a newer release, which has run the migration 9999_of_tomorrow: start that release.",
  );
  expect(await queueOf(folders)).toBeNull();
});

longTest("a missing control file stops the start", async () => {
  const folders = await madeFolders();
  rmSync(join(folders.data, "global/pg_control"));

  const message = await refusal(folders);

  expect(message).toContain(`could not open file "${folders.data}/global/pg_control": No such file or directory.`);
  expect(message).toContain("restore a backup");
});

test("a removed write-ahead log stops the start", async () => {
  const folders = await madeFolders();
  rmSync(join(folders.data, "pg_wal"), { recursive: true });

  const message = await refusal(folders);

  expect(message).toContain('required WAL directory "pg_wal" does not exist');
});

test("a data folder that other users may enter stops the start", async () => {
  const folders = await madeFolders();
  chmodSync(folders.data, 0o755);

  expect(await refusal(folders)).toBe(
    `The embedded PostgreSQL did not start: data directory "${folders.data}" has invalid permissions: ` +
      "Permissions should be u=rwx (0700) or u=rwx,g=rx (0750). " +
      `Give ${folders.data} and everything in it to one user, and deny access to others (chmod 700). (See ${folders.log}.)`,
  );
});

longTest("a socket whose path is too long stops the start", async () => {
  const folders = await madeFolders();
  const socket = join(folders.root, "long-".repeat(25));

  const message = await refusal({ ...folders, socket });

  expect(message).toContain(`Unix-domain socket path "${socket}/.s.PGSQL.5432" is too long (maximum 107 bytes)`);
  expect(message).toContain("Choose a DATA_DIR with a shorter path.");
});

test.skipIf(missing !== undefined)("a full disk stops the creation of the database", async () => {
  const disk = mountDisk({ megabytes: 10 });
  cleanups.add(disk.remove);

  const started = await runCommand(["serve"], { environment: { DATA_DIR: join(disk.path, "data") } });

  expect(started).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lastMessage(started)).toMatch(
    /^The embedded PostgreSQL could not be set up: could not write to file "[^"]*": No space left on device\. Free space on the disk of \S+; no stored data is lost\.$/,
  );
});

test.skipIf(missing !== undefined)("a full disk stops the start of the database until space is available", async () => {
  const disk = mountDisk({ megabytes: 100 });
  cleanups.add(disk.remove);
  const dataDir = join(disk.path, "data");
  const folders = openDataFolder(dataDir);
  const options = { folders, connections: 5, log: createLog("silent"), onLost: () => {} };
  await (await startServer(options)).stop();
  disk.fill();

  const started = await runCommand(["serve"], { environment: { DATA_DIR: dataDir } });

  expect(started.exitCode).toBe(1);
  expect(lastMessage(started)).toMatch(
    /^The embedded PostgreSQL did not start: [^\n]*: No space left on device\. Free space [^\n]*$/,
  );
  disk.makeRoom();
  const server = await startServer(options);
  cleanups.add(server.stop);
});

test.skipIf(missing !== undefined)("a read-only disk stops the start, with or without existing data", async () => {
  const disk = mountDisk({ megabytes: 10 });
  cleanups.add(disk.remove);
  const used = join(disk.path, "used");
  openDataFolder(used);
  lockDataFolder(openDataFolder(used))?.release();
  mkdirSync(join(used, "postgres"));
  disk.protect();

  for (const dataDir of [used, join(disk.path, "new")]) {
    const started = await runCommand(["serve"], { environment: { DATA_DIR: dataDir } });

    expect(started).toMatchObject({ exitCode: 1, stdout: "" });
    expect(lastMessage(started)).toMatch(
      /^DATA_DIR cannot be used: [^\n]*\. Mount its disk for writing, or choose another folder in DATA_DIR; nothing in it was changed\.$/,
    );
  }
});
