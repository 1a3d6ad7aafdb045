import { expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isOutage } from "../../src/platform/database/primary/outage.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { openDataFolder } from "../../src/platform/embedded/folders.ts";
import { type EmbeddedServer, startServer } from "../../src/platform/embedded/server.ts";
import { createLog, type Log } from "../../src/platform/observing/log.ts";
import { isLong } from "../support/campaigns.ts";
import { mountDisk, type SmallDisk, smallDiskIsMissing } from "../support/small-disk.ts";
import { waitFor } from "../support/wait.ts";
import { runChaos } from "./chaos.ts";
import type { ChaosDatabase } from "./database.ts";

const missing = smallDiskIsMissing();
if (missing !== undefined) process.stdout.write(`The tests of full disks are skipped: ${missing}\n`);

/** The number of rejected requests that visitors receive before the disk has space again. */
const refusalsEach = 30;

/**
 * An embedded database with its tables and its log on separate disks. Instead of dying, the database gets a full disk:
 * first the tables' disk, then the log's, in turn.
 */
async function openOnDisks({
  log,
  refusals,
  onFull,
}: {
  log: Log;
  refusals(): number;
  onFull(disk: "tables" | "log"): void;
}): Promise<ChaosDatabase> {
  let deaths = 0;
  await using started = new AsyncDisposableStack();
  const mount = (megabytes: number): SmallDisk => {
    const disk = mountDisk({ megabytes });
    started.defer(disk.remove);
    return disk;
  };
  const disks = { tables: mount(150), log: mount(200) };
  const folders = openDataFolder(join(disks.tables.path, "data"));
  const start = (): Promise<EmbeddedServer> =>
    startServer({
      folders,
      connections: 100,
      log,
      onLost: (error) => {
        throw error;
      },
    });
  await (await start()).stop();
  moveLog(join(folders.data, "pg_wal"), join(disks.log.path, "pg_wal"));
  const server = await start();
  started.defer(server.stop);
  const sql = connect(server.url, { connections: 1 });
  started.defer(() => sql.end({ timeout: 0 }));
  await sql`create table ballast (content text)`;
  /** Writes a megabyte that cannot be compressed to the tables and the log. */
  const write = () =>
    sql`insert into ballast select string_agg(md5(random()::text), '') from generate_series(1, 32768)`.then(
      () => undefined,
      (error: unknown) => error,
    );
  const ends = started.move();
  return {
    url: server.url,
    async die() {
      const whichFills = deaths++ % 2 === 0 ? "tables" : "log";
      onFull(whichFills);
      const disk = disks[whichFills];
      disk.fill();
      const refused = await waitFor(write, { what: "the disk to be full" });
      expect(isOutage(refused)).toBe(true);
      const before = refusals();
      const areRefused = () => {
        disk.fill();
        return refusals() - before >= refusalsEach;
      };
      await waitFor(areRefused, { withinMs: 120_000, what: "visitors to be refused" });
      disk.makeRoom();
    },
    stop: () => ends.disposeAsync(),
  };
}

function moveLog(from: string, to: string): void {
  // The copy keeps the owner, because PostgreSQL writes the files as another user.
  Bun.spawnSync(["cp", "-a", from, to]);
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
}

test.skipIf(!isLong || missing !== undefined)(
  "while a disk is full, requests of chats are refused with 503, and no acknowledged data is lost",
  async () => {
    let refusals = 0;
    const told: string[] = [];
    const toldBefore = { tables: 0, log: 0 };
    const log = { ...createLog("silent"), error: (message: string) => void told.push(message) };
    const report = await runChaos({
      conversations: 30,
      kills: 0,
      databaseDeaths: 2,
      seed: 11,
      openDatabase: () =>
        openOnDisks({
          log,
          refusals: () => refusals,
          onFull(disk) {
            toldBefore[disk] = told.length;
          },
        }),
      onFailed(what) {
        if (what.includes(": 503 ")) refusals++;
      },
    });

    process.stdout.write(
      `full until visitors were refused ${refusalsEach} times, and answered again: ${report.recoveriesMs.join(", ")} ms\n`,
    );
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(report.recoveriesMs).toHaveLength(2);
    expect(report.deaths).toEqual([]);
    // PostgreSQL needs space for its log immediately, and crashes without it. If a table lacks space, PostgreSQL
    // rejects the statement and continues.
    expect(toldBefore).toEqual({ tables: 0, log: 0 });
    expect(told).not.toEqual([]);
  },
  300_000,
);
