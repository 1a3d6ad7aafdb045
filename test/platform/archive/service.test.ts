import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { openObjects } from "../../../src/platform/archive/objects.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { serverUrl } from "../../../src/platform/embedded/server.ts";
import { greeterTalk } from "../../support/binary.ts";
import { longTest } from "../../support/long-test.ts";
import { startS3 } from "../../support/s3.ts";
import {
  cleanupStack,
  endService,
  lastMessage,
  runCommand,
  type Service,
  startService,
} from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

/** The timeout is long, because the tests create, copy and recover databases. */
setDefaultTimeout(240_000);

const token = "the operator's own token";
const key = "k".repeat(32);
const cleanups = cleanupStack();
const archive = join(cleanups.folder(), "archive");
const environment = {
  DATA_DIR: cleanups.folder(),
  ARCHIVE_TO: archive,
  ADMIN_TOKEN: token,
  ENCRYPTION_KEY: key,
  METRICS_PUBLIC: "on",
};
let service: Service;
let sql: Sql;
let talk: ReturnType<typeof greeterTalk>;
let publicId: string;

beforeAll(async () => {
  service = await startService({ environment });
  cleanups.add(() => endService(service));
  sql = connect(serverUrl(openDataFolder(environment.DATA_DIR)), { connections: 2 });
  cleanups.add(() => sql.end({ timeout: 1 }));
  talk = greeterTalk(() => service, token);
  publicId = await talk.publish();
  await waitFor(() => service.stderr().includes("A base copy was added to the archive"), {
    withinMs: 120_000,
    what: service.stderr,
  });
}, 240_000);
afterAll(cleanups.run);

/** Returns the folder of this database in the archive. */
function tree(place = archive): string {
  return join(place, readdirSync(place).toSorted()[0] ?? "");
}

type Listed = { databases: { id: string; bases: { from: string; until: string | null; missing: string | null }[] }[] };

async function list(place = archive): Promise<Listed> {
  return JSON.parse((await runCommand(["archive", "list", place, "--json"])).stdout);
}

/** Makes PostgreSQL start the next file of its log, which archives the previous file. */
async function switchLog(): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'test', 'something to archive')`;
  await sql`select pg_switch_wal()`;
}

/** Returns a time, in whole milliseconds, that lies after all finished work and before all later work. */
async function momentBetween(): Promise<Date> {
  const pass = async () => {
    const now = Date.now();
    return await waitFor(() => Date.now() > now + 1 && Date.now());
  };
  const moment = await pass();
  await pass();
  return new Date(moment);
}

async function restore(place: string, time: Date | "latest", storage: Record<string, string> = {}) {
  const dataDir = join(cleanups.folder(), "restored");
  const words = ["restore", place, "--to-time", time === "latest" ? time : time.toISOString()];
  return { dataDir, ...(await runCommand(words, { environment: { ...storage, DATA_DIR: dataDir } })) };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

test("chats continue while the archive cannot be written", async () => {
  const log = join(tree(), "wal");
  renameSync(log, `${log}.away`);
  writeFileSync(log, "not a folder");
  await switchLog();

  await waitFor(() => service.stderr().includes("The archive accepts no writes"));
  expect(service.stderr()).toMatch(
    /"The archive accepts no writes[^\n]*"reason":"The archive \S+ cannot be (written to|read): ENOTDIR[^\n]*"/,
  );
  await waitFor(async () => (await metric("parley_archive_up")) === 0);
  expect(await metric("parley_archive_waiting_bytes")).toBeGreaterThan(0);
  expect(await talk.answer(await talk.start(publicId), "Ada")).toEqual(["Hello A-D-A"]);
  const doctor = await runCommand(["doctor"], { environment: { ...environment, PORT: new URL(service.url).port } });
  expect(doctor.stdout).toMatch(/^WRONG {3}Archive: .* cannot be (written to|read): /m);

  rmSync(log);
  renameSync(`${log}.away`, log);
  // The archiver only retries when there is more to archive.
  await switchLog();
  await waitFor(async () => (await metric("parley_archive_up")) === 1, { withinMs: 120_000 });
  await waitFor(() => service.stderr().includes("The archive accepts WAL files again"));
  expect(await metric("parley_archive_written_time_seconds")).toBeGreaterThan(1_700_000_000);
  expect(await metric("parley_archive_base_time_seconds")).toBeGreaterThan(1_700_000_000);
  expect(await metric("parley_archive_gaps")).toBe(0);
  const well = await runCommand(["doctor"], { environment: { ...environment, PORT: new URL(service.url).port } });
  expect(well.stdout).toMatch(/^(fine|look) {4}Archive: /m);
});

test("a database restored to a point in time contains no later answers", async () => {
  const open = await talk.start(publicId);
  await talk.answer(await talk.start(publicId), "Before");
  const time = await momentBetween();
  await talk.answer(await talk.start(publicId), "After");
  await talk.answer(open, "Afterwards");
  await endService(service);

  const { bases } = (await list()).databases[0] ?? { bases: [] };
  expect(bases).toHaveLength(1);
  expect(bases[0]?.missing).toBeNull();
  expect(time.getTime()).toBeGreaterThan(Date.parse(bases[0]?.from ?? ""));
  expect(time.getTime()).toBeLessThan(Date.parse(bases[0]?.until ?? ""));

  const restored = await restore(archive, time);
  expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("its last write was at ") });
  // The service archives to a new folder, and leaves the folder from which it was restored unchanged.
  const again = await startService({ environment: { ...environment, DATA_DIR: restored.dataDir } });
  cleanups.add(() => endService(again));
  expect(await greeterTalk(() => again, token).answer(open, "Bea")).toEqual(["Hello B-E-A"]);
  const there = await contentsIn(restored.dataDir);
  expect(there).toContain("Before");
  expect(there).toContain("Bea");
  expect(there).not.toContain("After");
  expect(there).not.toContain("Afterwards");
  await waitFor(() => again.stderr().includes("A base copy was added to the archive"), { withinMs: 120_000 });
  expect(readdirSync(archive)).toHaveLength(2);

  const latest = await restore(tree(), "latest");
  expect(latest.exitCode).toBe(0);
  const words = ["token", "list", "--json"];
  expect((await runCommand(words, { environment: { DATA_DIR: latest.dataDir } })).exitCode).toBe(0);
});

async function contentsIn(dataDir: string): Promise<string[]> {
  const restored = connect(serverUrl(openDataFolder(dataDir)), { connections: 1 });
  try {
    return (await restored<{ content: string }[]>`select content from answers`).map(({ content }) => content);
  } finally {
    await restored.end();
  }
}

test("a damaged or missing file of the archive stops the restore", async () => {
  const segments = readdirSync(join(tree(), "wal"))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .toSorted();
  const [before = "", middle = ""] = segments.slice(-3);
  const part = join("bases", readdirSync(join(tree(), "bases"))[0] ?? "", "000001.tar");
  const late = new Date(Date.parse((await list(tree())).databases[0]?.bases[0]?.until ?? "") - 1);
  const place = join(cleanups.folder(), "copy");
  cpSync(tree(), place, { recursive: true });
  const refusal = async () => {
    const { exitCode, stderr, dataDir } = await restore(place, "latest");
    expect(exitCode).toBe(1);
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
    return stderr;
  };
  const damage = "in the archive is truncated or was changed: ";

  const bytes = readFileSync(join(place, "wal", middle));
  const at = bytes.length - 20;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(join(place, "wal", middle), bytes);
  expect(await refusal()).toStartWith(`wal/${middle} ${damage}`);

  truncateSync(join(place, part), 10_000);
  expect(await refusal()).toBe(
    `${part} ${damage}replace it with another copy of the file, or restore from a later base copy.\n`,
  );
  const check = await runCommand(["archive", "check", place]);
  expect(check.exitCode).toBe(1);
  expect(check.stderr).toContain(`: wal/${middle} ${damage}`);
  expect(check.stderr).toContain(`: ${part} ${damage}`);

  rmSync(join(place, "wal", middle));
  const missing = await restore(place, late);
  expect(missing.stderr).toContain(`does not reach to ${late.toISOString()}: choose a time from `);
  expect(missing.stderr).toContain(`(the file after wal/${before} is missing)`);
  expect((await list(place)).databases[0]?.bases[0]?.missing).toBe(`the file after wal/${before}`);
});

longTest("a restore fails if a file that the archive lists has disappeared", async () => {
  const s3 = startS3();
  cleanups.add(s3.stop);
  const storage = {
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  const bucket = openObjects(`s3://${s3.bucket}/archive`, readConfig(storage));
  const here = openObjects(tree(), readConfig({}));
  const names = (await here.list("")).map(({ name }) => name);
  for (const name of names) await bucket.put(name, (await here.get(name)) ?? new Uint8Array());
  const [middle = "", last] = names.filter((name) => /^wal\/[0-9A-F]{24}$/.test(name)).slice(-2);
  s3.hide(`archive/${middle}`);

  const { exitCode, stderr, dataDir } = await restore(bucket.place, "latest", storage);

  expect(stderr).toMatch(/^The restore ended at wal\/\w{24}, but the archive continues to wal\/\w{24}: try again, /);
  expect(stderr).toContain(`${last}:`);
  expect(exitCode).toBe(1);
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});

test("impossible restores are rejected with the reason", async () => {
  const nothing = await restore(cleanups.folder(), "latest");
  expect(nothing.stderr).toMatch(/^There is no base copy in \S+ that can be restored: see "parley archive list"\.\n$/);
  const early = await restore(tree(), new Date("2001-02-03T04:05:06Z"));
  expect(early.stderr).toMatch(/ does not reach to 2001-02-03T04:05:06\.000Z: choose a time from 2\S+ to 2\S+\.\n$/);
  const words = ["restore", tree(), "--to-time"];
  const there = await runCommand([...words, "latest"], { environment: { DATA_DIR: environment.DATA_DIR } });
  expect(there.stderr).toMatch(/^DATA_DIR \S+ already contains a database: choose a folder without a database\.\n$/);
  expect((await runCommand([...words, "2026-11-22 14:05"])).stderr).toContain("Expected a time with its zone");
  const beside = { ARCHIVE_TO: archive, DATABASE_URL: "postgres://localhost/x" };
  expect(lastMessage(await runCommand(["serve"], { environment: beside }))).toBe(
    "ARCHIVE_TO requires the embedded PostgreSQL: remove ARCHIVE_TO or DATABASE_URL.",
  );
});
