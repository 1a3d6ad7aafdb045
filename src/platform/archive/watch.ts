import { type Config, StartError } from "../../config.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import { findArchiverState } from "../database/archive.sql.ts";
import { isOutage } from "../database/primary/outage.ts";
import type { Sql } from "../database/sql.ts";
import type { Archiving } from "../embedded/archiving.ts";
import type { Log } from "../observing/log.ts";
import { type Base, takeBase } from "./base.ts";
import type { Tree } from "./catalog.ts";
import { readTree } from "./catalog.ts";
import { openObjects } from "./objects.ts";
import { segmentBytes, walObject } from "./wal.ts";

const dayMs = 24 * 3_600_000;

/**
 * Returns the names of the objects that are not needed to restore any time within the last `keepDays` days. The newest
 * usable copy and its log always remain.
 */
export async function outdatedObjects(
  tree: Tree,
  { keepDays, now }: { keepDays: number; now: Date },
): Promise<string[]> {
  const { objects, ranges } = tree;
  const from = now.getTime() - keepDays * dayMs;
  const usable = ranges.filter(({ until }) => until !== undefined);
  const oldest = usable.findLast(({ base }) => Date.parse(base.endedAt) <= from) ?? usable[0];
  if (!oldest) return [];
  const bases = (await objects.list("bases/")).map(({ name }) => name);
  // The list includes incomplete copies. A copy without its `base.json` is ignored, so `base.json` is removed first.
  const before = bases.filter((name) => (name.split("/")[1] ?? "") < oldest.base.name);
  const [heads, parts] = [before.filter(isHead), before.filter((name) => !isHead(name))];
  const log = (await objects.list("wal/")).map(({ name }) => name);
  return [...heads, ...parts, ...log.filter((name) => isBefore(name, oldest.base.startWal))];
}

function isHead(name: string): boolean {
  return name.endsWith("/base.json");
}

/**
 * Whether an object of the log is older than the segment. The history files of timelines are small and are never
 * removed.
 */
function isBefore(object: string, startWal: string): boolean {
  return !object.endsWith(".history") && object.slice(0, walObject(startWal).length) < walObject(startWal);
}

const lookMs = 5_000;
const longestPauseMs = 15_000;
const hourMs = 3_600_000;

/** The state of the archive, as its metrics report it. */
export type ArchiveFigures = {
  readonly isTaking: boolean;
  readonly waitingBytes: number;
  readonly archivedAt: Date | undefined;
  readonly baseAt: Date | undefined;
  readonly gaps: number;
};

export type ArchiveWatch = {
  figures(): ArchiveFigures;
  stop(): Promise<void>;
};

export type ArchiveWatchOptions = {
  readonly config: Config;
  readonly archiving: Archiving;
  readonly sql: Sql;
  readonly url: string;
  readonly release: string;
  readonly log: Log;
};

/**
 * Watches how PostgreSQL archives its log, makes base copies when they are due, and removes objects that are no longer
 * needed. Chats never wait for the archive.
 *
 *     archiving ─ a file could not be archived ─────────────→ failing: an error with the reason is logged
 *     failing ─ the waiting files exceed the free space ────→ failing with a gap: the files are dropped, an error is logged
 *     failing ─ a file was archived ────────────────────────→ archiving: the recovery is logged
 *     archiving ─ the base copy is missing, old or has a gap → archiving, with a new base copy and without a gap
 */
export function watchArchive(options: ArchiveWatchOptions): ArchiveWatch {
  const { config, archiving, sql, url, release, log } = options;
  let figures: ArchiveFigures = { isTaking: true, waitingBytes: 0, archivedAt: undefined, baseAt: undefined, gaps: 0 };
  let newest: Base | undefined;
  let isListed = false;
  let loggedGap: string | undefined;
  let hasFailed = false;

  const look = async () => {
    const { archivedAt, failedAt, waiting } = await findArchiverState(sql);
    const isTaking = failedAt === null || (archivedAt !== null && archivedAt > failedAt);
    if (figures.isTaking && !isTaking)
      log.error("The archive accepts no writes: WAL files are kept on the database's disk", {
        reason: archiving.problem(),
        waiting,
      });
    if (!figures.isTaking && isTaking) log.info("The archive accepts WAL files again");
    const gap = archiving.gap();
    if (gap !== undefined && gap !== loggedGap) {
      figures = { ...figures, gaps: figures.gaps + 1 };
      log.error("The archive has a gap, which ends with the next base copy", { since: gap });
    }
    loggedGap = gap;
    figures = { ...figures, isTaking, waitingBytes: waiting * segmentBytes, archivedAt: archivedAt ?? undefined };
    return { isTaking, gap };
  };

  const keep = async (signal: AbortSignal) => {
    const { isTaking, gap } = await look();
    // A copy is useless unless the log is archived as well.
    if (!isTaking) return;
    const objects = openObjects(archiving.place, config);
    if (!isListed) {
      newest = (await readTree("", objects)).ranges.at(-1)?.base;
      isListed = true;
    }
    const isOld = newest && Date.now() - Date.parse(newest.startedAt) > config.ARCHIVE_BASE_HOURS * hourMs;
    if (!newest || isOld || gap !== undefined) {
      newest = await takeBase({ objects, folder: archiving.data, url, release, isFast: !isOld, signal });
      // The new copy does not cover a gap that began while the copy was being made.
      if (gap !== undefined && archiving.gap() === gap) archiving.closeGap();
      log.info("A base copy was added to the archive", { name: newest.name, bytes: newest.bytes });
      const outdated = await outdatedObjects(await readTree("", objects), {
        keepDays: config.ARCHIVE_KEEP_DAYS,
        now: new Date(),
      });
      for (const name of outdated) await objects.remove(name);
      if (outdated.length > 0) log.info("The archive removed outdated files", { files: outdated.length });
    }
    figures = { ...figures, baseAt: new Date(newest.endedAt) };
  };

  const loop: PollLoop = startPollLoop({
    everyMs: lookMs,
    maxPauseMs: longestPauseMs,
    async run(signal) {
      await keep(signal);
      if (hasFailed) log.info("Archiving works again");
      hasFailed = false;
    },
    onFailure(error) {
      // An outage of the database is logged elsewhere.
      if (isOutage(error)) return;
      const facts = error instanceof StartError ? { reason: error.message } : { error };
      if (!hasFailed) log.error("Archiving failed", facts);
      hasFailed = true;
    },
  });
  return { figures: () => ({ ...figures, isTaking: figures.isTaking && !hasFailed }), stop: loop.stop };
}
