import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../../src/platform/database/sql.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { serverUrl } from "../../../src/platform/embedded/server.ts";
import { greeterTalk } from "../../support/binary.ts";
import { isLong } from "../../support/campaigns.ts";
import { startS3 } from "../../support/s3.ts";
import { cleanupStack, endService, runCommand, startService } from "../../support/service.ts";
import { mountDisk, smallDiskIsMissing } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(240_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

const token = "the operator's own token";

test.skipIf(!isLong || smallDiskIsMissing() !== undefined)(
  "a bucket that refuses writes does not fill the disk, and a full disk loses no acknowledged answers",
  async () => {
    const s3 = startS3();
    cleanups.add(s3.stop);
    const disk = mountDisk({ megabytes: 320 });
    cleanups.add(disk.remove);
    const dataDir = join(disk.path, "data");
    const storage = {
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
    const place = `s3://${s3.bucket}/archive`;
    const settings = { ADMIN_TOKEN: token, ENCRYPTION_KEY: "k".repeat(32), ...storage };
    s3.fail(true);
    const service = await startService({ environment: { ...settings, DATA_DIR: dataDir, ARCHIVE_TO: place } });
    cleanups.add(() => endService(service));
    const sql = connect(serverUrl(openDataFolder(dataDir)), { connections: 1 });
    cleanups.add(() => sql.end({ timeout: 1 }));
    const talk = greeterTalk(() => service, token);
    const publicId = await talk.publish();
    const names: string[] = [];
    const say = async (name: string) => {
      await talk.answer(await talk.start(publicId), name);
      names.push(name);
    };

    // Writes more log files of 16 MB than fit on the disk. None of them is archived, and PostgreSQL calls the archive
    // for each file.
    const asked = async () =>
      (await sql<{ count: number }[]>`select failed_count::int as count from pg_stat_archiver`)[0]?.count;
    await waitFor(
      async () => {
        const before = await asked();
        await sql`select pg_logical_emit_message(true, 'test', 'something to archive'), pg_switch_wal()`;
        await say(`Visitor ${names.length}`);
        const isOver = () => service.stderr().includes("The archive has a gap");
        await waitFor(async () => isOver() || (await asked()) !== before, { withinMs: 120_000 });
        return isOver();
      },
      { withinMs: 120_000 },
    );
    expect(service.stderr()).toMatch(
      /The archive has a gap, which ends with the next base copy","since":"\S+, as \w{24} was dropped to free space for chats: The archive s3:/,
    );

    disk.fill();
    let refused = 0;
    await waitFor(
      async () => {
        await say(`Late visitor ${names.length}`).catch(() => refused++);
        return refused > 0;
      },
      { withinMs: 120_000 },
    );
    disk.makeRoom();
    await waitFor(
      () =>
        say("When there is room again").then(
          () => true,
          () => false,
        ),
      { withinMs: 120_000 },
    );
    expect(service.stderr()).toMatch(/No space left on device|could not extend|could not write/);
    expect(await kept(sql)).toEqual(expect.arrayContaining(names));

    s3.fail(false);
    // One more file wakes the archiver. Many files would fill the disk faster than PostgreSQL removes archived files.
    const archived = async () =>
      (
        await sql<{ at: Date | null }[]>`select last_archived_time as at from pg_stat_archiver`.catch(() => [])
      )[0]?.at?.getTime();
    const before = await archived();
    await waitFor(
      () =>
        sql`select pg_logical_emit_message(true, 'test', 'something'), pg_switch_wal()`.then(
          () => true,
          () => false,
        ),
      { withinMs: 120_000 },
    );
    await waitFor(async () => (await archived()) !== before, { withinMs: 120_000 });
    await waitFor(() => service.stderr().includes("A base copy was added to the archive"), { withinMs: 120_000 });
    await say("In the archive");
    await endService(service);
    const restored = join(cleanups.folder(), "restored");
    const outcome = await runCommand(["restore", place, "--to-time", "latest"], {
      environment: { ...storage, DATA_DIR: restored },
    });
    expect(outcome).toMatchObject({ exitCode: 0 });
    const again = await startService({ environment: { ...settings, DATA_DIR: restored } });
    cleanups.add(() => endService(again));
    const there = connect(serverUrl(openDataFolder(restored)), { connections: 1 });
    cleanups.add(() => there.end({ timeout: 1 }));
    expect(await kept(there)).toEqual(expect.arrayContaining(names));
  },
);

async function kept(sql: ReturnType<typeof connect>): Promise<string[]> {
  return (await sql<{ content: string }[]>`select content from answers`).map(({ content }) => content);
}
