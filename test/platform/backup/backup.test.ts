import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutPassword } from "../../../src/platform/database/primary/address.ts";
import { newId } from "../../../src/platform/ids.ts";
import { greeterTalk } from "../../support/binary.ts";
import { createEmptyDatabase, createTestDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long-test.ts";
import { startS3 } from "../../support/s3.ts";
import { cleanupStack, endService, runCommand, type Service, startService } from "../../support/service.ts";
import { mountDisk, smallDiskIsMissing } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const token = "the operator's own token";
const key = "k".repeat(32);
const database = await createTestDatabase();
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(async () => {
  await shared.run();
  await database.close();
});

/** One service for all tests, on the database that the commands read. */
let service: Service;
const shared = cleanupStack();
const here = { DATABASE_URL: database.url, DATA_DIR: shared.folder(), ADMIN_TOKEN: token, ENCRYPTION_KEY: key };
const talk = greeterTalk(() => service, token);
let open: string;
/** A backup of a database with an ended and an open chat. */
const anyBackup = join(shared.folder(), "backup.tar");
beforeAll(async () => {
  service = await startService({ environment: here });
  shared.add(() => endService(service));
  const publicId = await talk.publish();
  await talk.answer(await talk.start(publicId), "Ada");
  open = await talk.start(publicId);
  expect(await runCommand(["backup", anyBackup], { environment: here })).toMatchObject({ exitCode: 0 });
});

function withFolder() {
  return { ...here, DATA_DIR: cleanups.folder() };
}

async function restoredFrom(place: string) {
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const environment = { DATABASE_URL: empty.url, DATA_DIR: cleanups.folder(), ADMIN_TOKEN: token, ENCRYPTION_KEY: key };
  return { sql: empty.sql, environment, outcome: await runCommand(["restore", place], { environment }) };
}

test("a backup made during chats restores every earlier answer", async () => {
  const publicId = await talk.publish();
  const place = join(cleanups.folder(), "backup.tar");
  const said: string[] = [];
  const acknowledged: string[] = [];
  let isTalking = true;
  const attempt = crypto.randomUUID().slice(0, 8);
  const talking = [1, 2, 3, 4].map(async (visitor) => {
    for (let number = 0; isTalking; number++) {
      const name = `${attempt} ${visitor} ${number}`;
      const sessionId = await talk.start(publicId);
      said.push(name);
      await talk.answer(sessionId, name);
      acknowledged.push(name);
    }
  });
  await waitFor(() => acknowledged.length > 100);

  const before = [...acknowledged];
  const backup = await runCommand(["backup", place], { environment: here });
  const during = acknowledged.length - before.length;
  isTalking = false;
  await Promise.all(talking);
  expect(during).toBeGreaterThan(0);
  expect(backup.exitCode).toBe(0);
  expect(backup.stdout).toMatch(/^Backed up to \S+: \d+ rows and 0 files in \d+\.\d MB\.\n$/);
  expect(backup.stderr).toContain("The backup does not contain the encryption key");
  expect(statSync(place).mode & 0o777).toBe(0o600);

  const check = await runCommand(["restore", place, "--check"], { environment: here });
  expect(check.stderr).toBe("Nothing was changed.\n");
  expect(check.stdout).toMatch(/can be restored: \d+ rows and 0 files, all intact\.\n$/);
  expect(await databasesLike("parley_check%")).toEqual([]);

  const { sql, environment: elsewhere, outcome } = await restoredFrom(place);
  expect(outcome.exitCode).toBe(0);
  const answers = async () =>
    (await sql<{ content: string }[]>`select content from answers`).map(({ content }) => content);
  const kept = await answers();
  expect(kept).toContain("Ada");
  expect(before.filter((name) => !kept.includes(name))).toEqual([]);
  // The backup may contain any of the messages that were sent in the meantime, but no message twice, and no message
  // that was not sent.
  const ofThese = kept.filter((name) => name.startsWith(attempt));
  expect(new Set(ofThese).size).toBe(ofThese.length);
  expect(ofThese.filter((name) => !said.includes(name))).toEqual([]);
  const again = await startService({ environment: elsewhere });
  cleanups.add(() => endService(again));
  const there = greeterTalk(() => again, token);
  expect(await there.answer(open, "Bea")).toEqual(["Hello B-E-A"]);
  expect(await there.answer(await there.start(publicId), "Cy")).toEqual(["Hello C-Y"]);
  expect(await answers()).toContain("Bea");
});

async function databasesLike(pattern: string): Promise<unknown[]> {
  return [...(await database.sql`select datname from pg_database where datname like ${pattern}`)];
}

test("a restore stores files and queues waiting mails", async () => {
  const environment = withFolder();
  const [file, mail, call, bot] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await database.sql`
    insert into files (shard, id, session_id, number, bot_id, block_id, name, extension, type, is_public, max_bytes, url_expires_at, bytes, hash, stored_at)
    values (1, ${file}, ${bot}, 1, ${bot}, 'b', 'a.txt', 'txt', 'text/plain', true, 100, now(), 5, ''::bytea, now())`;
  await database.sql`
    insert into mails (id, shard, result_id, bot_id, content)
    values (${mail}, 1, ${bot}, ${bot}, '{"to": ["ada@example.com"]}')`;
  await database.sql`
    insert into deferred_calls (id, shard, result_id, bot_id, content)
    values (${call}, 1, ${bot}, ${bot}, '{"type": "segment"}')`;
  await database.sql`
    insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, stored_at)
    values (${Bun.randomUUIDv7()}, ${bot}, 'a.png', 'png', 'image/png', 5, ''::bytea, now())`;
  await database.sql`
    insert into answer_ratings (shard, session_id, revision, block_id, result_id, bot_id, is_good, words)
    values (1, ${bot}, 2, 'answer', ${bot}, ${bot}, false, 'Too short')`;
  const [waiting, ready, failed, owner] = [newId(), newId(), newId(), newId()];
  await database.sql`
    insert into result_exports (id, bot_id, user_id, format, file_name, list, status, written_results, parts, ready_at)
    values
      (${waiting}, ${owner}, ${owner}, 'csv', 'a.csv', '{}', 'running', 7, '{"results": 7}', null),
      (${ready}, ${owner}, ${owner}, 'csv', 'a.csv', '{}', 'ready', 9, null, now()),
      (${failed}, ${owner}, ${owner}, 'csv', 'a.csv', '{}', 'failed', 0, null, null)`;
  const stored = await database.sql<{ id: string }[]>`
    select id from files where bot_id = ${bot}
    union all
    select id from workspace_files where workspace_id = ${bot}`;
  const pathOf = (data: string | undefined, id: string) => join(data ?? "", "uploads", id.slice(-2), id);
  for (const { id } of stored) await Bun.write(pathOf(environment["DATA_DIR"], id), "Hello");
  const place = join(cleanups.folder(), "backup.tar");
  expect((await runCommand(["backup", place], { environment })).stdout).toContain(" and 2 files in ");

  const { sql, environment: elsewhere, outcome } = await restoredFrom(place);

  expect(outcome.stdout).toContain(" and 2 files from ");
  for (const { id } of stored) expect(readFileSync(pathOf(elsewhere["DATA_DIR"], id), "utf8")).toBe("Hello");
  expect(await sql`select queue from outbox where id = ${mail}`).toMatchObject([{ queue: "email" }]);
  expect(await sql`select words from answer_ratings where bot_id = ${bot}`).toMatchObject([{ words: "Too short" }]);
  expect(await sql`select queue from outbox where id = ${call}`).toMatchObject([{ queue: "calls" }]);
  // A backup does not contain files and parts of exports, because exports are created again.
  const anew = { data: { botId: owner }, status: "waiting", writtenResults: 0, parts: null, readyAt: null };
  const exported = await sql`
    select e.id, status, written_results, parts, ready_at, data
    from result_exports e
    left join outbox on outbox.id = e.id and queue = 'exports'
    where e.bot_id = ${owner}`;
  expect(new Map(exported.map(({ id, ...row }) => [id, row]))).toEqual(
    new Map<string, object>([
      [waiting, anew],
      [ready, anew],
      [failed, { ...anew, status: "failed", data: null }],
    ]),
  );
});

test("a truncated, changed, newer or invalid backup file restores nothing", async () => {
  const folder = cleanups.folder();
  const whole = readFileSync(anyBackup);
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const inSchema = async () => [
    ...(await empty.sql`
      select relname from pg_class where relnamespace = 'public'::regnamespace
      union all
      select proname from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select extname from pg_extension where extname <> 'plpgsql'`),
  ];
  const refusal = async (name: string, bytes: Buffer) => {
    writeFileSync(join(folder, name), bytes);
    const target = { DATABASE_URL: empty.url, DATA_DIR: join(cleanups.folder(), "data") };
    const { exitCode, stdout, stderr } = await runCommand(["restore", join(folder, name)], { environment: target });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.split("\n")).toHaveLength(2);
    // The next attempt requires an empty database, so this attempt must leave the database empty.
    expect(await inSchema()).toEqual([]);
    expect(existsSync(target.DATA_DIR)).toBe(false);
    return stderr;
  };
  const changed = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };
  const content = (name: string) => whole.indexOf(`tables/${name}/00001.zst`) + 512;

  expect(await refusal("half.tar", whole.subarray(0, whole.length / 2))).toMatch(/cut off|changed/);
  expect(await refusal("no-end.tar", whole.subarray(0, whole.indexOf("end.json")))).toMatch(/cut off|changed/);
  for (const table of ["bots", "answers", "steps"]) {
    expect(await refusal(`changed-${table}.tar`, changed(content(table) + 40))).toMatch(
      /changed|differs from the original|cut off/,
    );
  }
  expect(await refusal("other-rows.tar", withRows(whole, content("answers"), "one\ttoo few\n"))).toContain(
    "the backup was changed or damaged",
  );
  expect(await refusal("none.tar", Buffer.from("PK nothing of ours"))).toMatch(/backup/);
  const newer = Buffer.from(whole.toString("latin1").replace('"format":1', '"format":9'), "latin1");
  expect(await refusal("newer.tar", newer)).toContain("by a newer Parley than this one (0.1.0; format 9)");
});

test("a failed restore removes only the files that it stored", async () => {
  const environment = withFolder();
  const folder = cleanups.folder();
  const place = join(folder, "backup.tar");
  const bot = Bun.randomUUIDv7();
  const [mine, theirs] = [newId(), newId()];
  const pathOf = (data: string, id: string) => join(data, "uploads", id.slice(-2), id);
  for (const id of [mine, theirs]) {
    await database.sql`
      insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, stored_at)
      values (${id}, ${bot}, 'a.png', 'png', 'image/png', 5, ''::bytea, now())`;
    await Bun.write(pathOf(environment["DATA_DIR"] ?? "", id), "Hello");
  }
  await runCommand(["backup", place], { environment });
  await database.sql`delete from workspace_files where workspace_id = ${bot}`;
  const whole = readFileSync(place);
  writeFileSync(join(folder, "no-end.tar"), whole.subarray(0, whole.indexOf("end.json")));
  const data = cleanups.folder();
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const restoring = (name: string) =>
    runCommand(["restore", join(folder, name)], { environment: { DATABASE_URL: empty.url, DATA_DIR: data } });

  await Bun.write(pathOf(data, theirs), "Hello");
  expect((await restoring("no-end.tar")).stderr).toMatch(/cut off|changed/);
  expect(readdirSync(join(data, "uploads"), { recursive: true }).filter((path) => existsFile(data, path))).toEqual([
    pathOf("", theirs).replace(/^uploads./, ""),
  ]);
  await Bun.write(pathOf(data, theirs), "Other");
  expect((await restoring("backup.tar")).stderr).toContain(`The storage has another file ${theirs}: remove it`);
  expect(await Bun.file(pathOf(data, theirs)).text()).toBe("Other");
  await Bun.write(pathOf(data, theirs), "Hello");
  expect((await restoring("backup.tar")).exitCode).toBe(0);
  expect(await Bun.file(pathOf(data, mine)).text()).toBe("Hello");
});

function existsFile(data: string, path: string | Buffer): boolean {
  return statSync(join(data, "uploads", String(path))).isFile();
}

longTest("a refused restore into a DATA_DIR creates no database", async () => {
  const folder = cleanups.folder();
  const whole = readFileSync(anyBackup);
  writeFileSync(join(folder, "half.tar"), whole.subarray(0, whole.length / 2));
  const DATA_DIR = join(cleanups.folder(), "data");

  const refused = await runCommand(["restore", join(folder, "half.tar")], { environment: { DATA_DIR } });
  expect(refused.stderr).toMatch(/cut off|changed/);
  expect(existsSync(DATA_DIR)).toBe(false);
  const archived = await runCommand(["restore", folder, "--to-time", "latest"], { environment: { DATA_DIR } });
  expect(archived.stderr).toContain("There is no base copy");
  expect(existsSync(DATA_DIR)).toBe(false);
  expect((await runCommand(["restore", anyBackup], { environment: { DATA_DIR } })).exitCode).toBe(0);
});

/**
 * Returns the backup with the rows of one piece replaced. A skippable frame after the new rows preserves the size of
 * the piece.
 */
function withRows(whole: Buffer, at: number, rows: string): Buffer {
  const size = Number.parseInt(whole.toString("latin1", at - 512 + 124, at - 512 + 135), 8);
  const packed = Bun.zstdCompressSync(rows);
  const bytes = Buffer.from(whole);
  bytes.fill(0, at, at + size);
  bytes.set(packed, at);
  bytes.writeUInt32LE(0x184d2a50, at + packed.length);
  bytes.writeUInt32LE(size - packed.length - 8, at + packed.length + 4);
  return bytes;
}

test("a restore or backup with an unsuitable database or file is rejected", async () => {
  const [environment, place] = [here, anyBackup];

  expect((await runCommand(["restore", place], { environment })).stderr).toBe(
    `The database is not empty, because it has the table anonymous_previews: restore into an empty database, or with another DATA_DIR. It is ${withoutPassword(database.url)}.\n`,
  );
  expect((await runCommand(["backup", place], { environment })).stderr).toBe(
    `${place} already exists: choose another file.\n`,
  );
  expect((await runCommand(["restore", `${place}.old`], { environment })).stderr).toBe(
    `There is no backup at ${place}.old.\n`,
  );
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const backUp = (words: string) =>
    runCommand(["backup", join(cleanups.folder(), words)], {
      environment: { ...environment, DATABASE_URL: empty.url },
    });
  expect((await backUp("empty.tar")).stderr).toBe(
    "The database has no tables of Parley: there is nothing to back up.\n",
  );
  await empty.sql`create table migrations (name text, hash text)`;
  await empty.sql`insert into migrations values ('9999_newer.sql', '')`;
  expect((await backUp("newer.tar")).stderr).toBe(
    "The database belongs to a newer release, which has run the migration 9999_newer.sql: back it up with that release.\n",
  );
  const nowhere = await runCommand(["backup", "/nowhere/backup.tar"], { environment });
  expect(nowhere.stderr).toMatch(/^The backup cannot be written to \/nowhere\/backup\.tar: ENOENT/);
  expect(existsSync("/nowhere")).toBe(false);
});

test("with --keep 1, older backups in a bucket are removed", async () => {
  const s3 = startS3();
  cleanups.add(s3.stop);
  const settings = {
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  const backUp = (place: string, more = {}) =>
    runCommand(["backup", place, "--keep", "1", "--json"], { environment: { ...here, ...settings, ...more } });
  const folder = `s3://${s3.bucket}/nightly/`;
  const first = JSON.parse((await backUp(folder)).stdout).place;
  const others = ["nightly/notes.txt", "nightly/parley-1999-01-01T00-00-00Z.tar"];
  const client = new Bun.S3Client({ ...s3, region: "us-east-1" });
  for (const name of others) await client.file(name).write("Not of this test's backups");

  const second = JSON.parse((await backUp(folder)).stdout);

  expect(first).toMatch(/\/nightly\/parley-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/);
  expect(second.removed).toEqual([
    ...new Set([`s3://${s3.bucket}/${others[1]}`, ...(second.place === first ? [] : [first])]),
  ]);
  expect([...s3.objects.keys()].toSorted()).toEqual(
    [others[0], second.place.replace(`s3://${s3.bucket}/`, "")].toSorted(),
  );

  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const elsewhere = { ...here, DATABASE_URL: empty.url, DATA_DIR: cleanups.folder() };
  const restored = await runCommand(["restore", second.place], { environment: { ...elsewhere, ...settings } });
  expect(restored.stdout).toStartWith("Restored ");
  expect(await empty.sql`select is_ended from sessions where id = ${open}`).toMatchObject([{ isEnded: false }]);

  const gone = await runCommand(["restore", `${folder}none.tar`], { environment: { ...elsewhere, ...settings } });
  expect(gone.stderr).toBe(`There is no backup at ${folder}none.tar.\n`);
  s3.fail(true);
  const refused = await backUp(folder);
  expect(refused.stderr).toMatch(/^The backup cannot be written to s3:\S+: [^\n]+\.\n$/);
  s3.fail(false);
  expect((await backUp(folder, { S3_SECRET_ACCESS_KEY: "wrong" })).stderr).toMatch(/cannot be written to .*signature/);
});

test.skipIf(smallDiskIsMissing() !== undefined)(
  "a backup without sufficient disk space reports the problem and removes its file",
  async () => {
    const disk = mountDisk({ megabytes: 1 });
    cleanups.add(disk.remove);
    const environment = withFolder();
    disk.fill();

    const full = await runCommand(["backup", `${disk.path}/`, "--keep", "1"], { environment });

    expect(full.exitCode).toBe(1);
    expect(full.stderr).toMatch(
      /^The backup cannot be written to \S+: ENOSPC[^\n]* Free space there, or choose another place\. The incomplete backup was removed\.\n$/,
    );
    expect(readdirSync(disk.path)).toEqual(["ballast"]);
    const one = await runCommand(["backup", "one.tar", "--keep", "3"], { environment });
    expect(one).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("require a folder") });
  },
);
