import { existsSync, mkdirSync } from "node:fs";
import { chown, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTarDecoder } from "modern-tar";
import { type Config, StartError } from "../../config.ts";
import { findRestoredEnd } from "../database/archive.sql.ts";
import { connect } from "../database/sql.ts";
import { dataOwner } from "../embedded/account.ts";
import { archiveEnvironment, archiveVoice, forgetArchive, ownCommand } from "../embedded/archiving.ts";
import { type DataFolders, lockDataFolder, openDataFolder } from "../embedded/folders.ts";
import { type EmbeddedServer, startServer } from "../embedded/server.ts";
import type { Log } from "../observing/log.ts";
import { type Base, readParts, thisPlatform } from "./base.ts";
import { type Range, readCatalog, type Tree } from "./catalog.ts";

export type RestoreOptions = {
  readonly config: Config;
  readonly place: string;
  /** If undefined, the whole archive is restored. */
  readonly time: Date | undefined;
  readonly log: Log;
  readonly onProgress: (what: string, bytes: number) => void;
  /** Aborts the restore and removes the incomplete database. */
  readonly signal?: AbortSignal;
};

/** PostgreSQL's message if the log contains no write after the requested time. */
const nothingAfter = /recovery ended before configured recovery target was reached/;
const connections = 20;
/** Number of digits of the timeline in the name of a segment. */
const timelineDigits = 8;

/**
 * Restores an archived database into a DATA_DIR without a database. The database is built in a temporary folder, which
 * is renamed once the database is complete. Throws a StartError that names the remedy.
 */
export async function restoreArchive(options: RestoreOptions): Promise<{ base: Base; lastAt: Date | null }> {
  const { config, place, time } = options;
  if (config.DATABASE_URL !== undefined)
    throw new StartError(
      "An archive belongs to an embedded PostgreSQL: restore it without DATABASE_URL, into a DATA_DIR.",
    );
  const folders = openDataFolder(config.DATA_DIR);
  const lock = lockDataFolder(folders);
  if (!lock || existsSync(folders.data)) {
    lock?.release();
    throw new StartError(`DATA_DIR ${folders.root} already contains a database: choose a folder without a database.`);
  }
  const unfinished: DataFolders = { ...folders, data: `${folders.data}.new` };
  try {
    const { tree, range } = chooseRange(await readCatalog(place, config), { place, time });
    requireSame(range.base);
    await rm(unfinished.data, { recursive: true, force: true });
    await unpackBase(tree, range.base, unfinished.data, options);
    const lastAt = await recover({ tree, range }, unfinished, options);
    forgetArchive(folders.root);
    await rename(unfinished.data, folders.data);
    return { base: range.base, lastAt };
  } finally {
    await rm(unfinished.data, { recursive: true, force: true });
    lock.release();
  }
}

/**
 * Returns the newest copy that was made before `time` and has a complete log up to `time`. Without `time`, returns the
 * newest usable copy. Throws a StartError if no copy qualifies, or if copies of several databases qualify.
 */
export function chooseRange(
  trees: readonly Tree[],
  { place, time }: { place: string; time: Date | undefined },
): { tree: Tree; range: Range } {
  const all = trees.flatMap((tree) => tree.ranges.map((range) => ({ tree, range })));
  const usable = all.filter(({ range }) => range.until !== undefined);
  if (usable.length === 0)
    throw new StartError(`There is no base copy in ${place} that can be restored: see "parley archive list".`);
  const fitting = usable.filter(({ range: { base, until } }) => {
    if (time === undefined) return true;
    return Date.parse(base.endedAt) <= time.getTime() && time <= (until ?? time);
  });
  const found = fitting.at(-1);
  if (!found)
    throw new StartError(
      `The archive ${place} does not reach to ${time?.toISOString()}: ${spans(usable.map(({ range }) => range))}.`,
    );
  const others = new Set(fitting.map(({ tree }) => tree.id));
  if (others.size > 1) {
    throw new StartError(
      `Several databases were archived to ${place}: choose one of ${[...others].map((id) => `${place.replace(/\/$/, "")}/${id}`).join(", ")}.`,
    );
  }
  return found;
}

function spans(ranges: readonly Range[]): string {
  const texts = ranges.map(({ base, until, hasGap, lastWal }) => {
    const end = hasGap ? ` (the file after wal/${lastWal} is missing)` : "";
    return `${base.endedAt} to ${until?.toISOString()}${end}`;
  });
  return `choose a time from ${texts.join(", or from ")}`;
}

/**
 * Throws a StartError unless the copy was made by this PostgreSQL version on this platform, because no other PostgreSQL
 * can use its files.
 */
function requireSame({ platform, release, version }: Base): void {
  if (platform !== thisPlatform)
    throw new StartError(
      `The archive was created on ${platform}, but this machine is ${thisPlatform}: restore it on ${platform}, and move the data with "parley backup".`,
    );
  if (version !== "18")
    throw new StartError(
      `The archive was created by Parley ${release}, whose PostgreSQL is ${version}: restore it with that release.`,
    );
}

async function unpackBase(
  tree: Tree,
  base: Base,
  folder: string,
  { onProgress, signal }: RestoreOptions,
): Promise<void> {
  const owner = dataOwner(folder);
  const own = async (path: string) => {
    if (owner) await chown(path, owner.user, owner.group);
  };
  mkdirSync(folder, { mode: 0o700 });
  await own(folder);
  const parts = readParts(tree.objects, base);
  let problem: unknown;
  const archive = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        signal?.throwIfAborted();
        const { value, done } = await parts.next();
        if (done) return controller.close();
        onProgress("files", value.length);
        controller.enqueue(value);
      } catch (error) {
        problem = error;
        controller.error(error);
      }
    },
  });
  try {
    for await (const { header, body } of archive.pipeThrough(createTarDecoder({ strict: true }))) {
      const path = join(folder, header.name.replace(/\/$/, ""));
      if (!path.startsWith(`${folder}/`))
        throw new StartError(`${header.name} in the archive leads out of its folder.`);
      if (header.type === "directory") {
        await mkdir(path, { recursive: true, mode: 0o700 });
        await own(path);
        continue;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      {
        await using file = await open(path, "w", 0o600);
        for await (const chunk of body) await file.write(chunk);
      }
      await own(path);
    }
  } catch (error) {
    throw problem ?? error;
  }
  for (const [name, text] of [
    ["backup_label", base.label],
    ["recovery.signal", ""],
  ] as const) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    await own(join(folder, name));
  }
}

/**
 * Has PostgreSQL replay the archived log, and returns the time of the last write in it, if any. PostgreSQL treats a
 * file that cannot be fetched as the end of the log. A replay of the whole log that ended too early therefore throws a
 * StartError.
 */
async function recover(
  { tree, range: { lastWal = "" } }: { tree: Tree; range: Range },
  folders: DataFolders,
  options: RestoreOptions,
): Promise<Date | null> {
  const { server, isWhole } = await startRecovery(tree, folders, options);
  try {
    const sql = connect(server.url, { connections: 1 });
    try {
      const { at, wal } = await findRestoredEnd(sql);
      // The comparison skips the timeline at the start of the names, because a restored database begins a new timeline.
      if (isWhole && (wal ?? "").slice(timelineDigits) < lastWal.slice(timelineDigits))
        throw new StartError(
          `The restore ended at wal/${wal}, but the archive continues to wal/${lastWal}: try again, and run "parley archive check".`,
        );
      return at;
    } finally {
      await sql.end();
    }
  } finally {
    await server.stop();
  }
}

async function startRecovery(
  tree: Tree,
  folders: DataFolders,
  { config, time, log, signal }: RestoreOptions,
): Promise<{ server: EmbeddedServer /** Whether the whole archive is restored. */; isWhole: boolean }> {
  let problem: string | undefined;
  const start = async (target: Record<string, string>) =>
    await startServer({
      folders,
      connections,
      log,
      ...(signal && { signal }),
      onLost: () => {},
      settings: {
        restore_command: ownCommand(["archive", "fetch", "%f", "%p"]),
        recovery_target_action: "promote",
        hot_standby: "off",
        archive_mode: "off",
        ...target,
      },
      environment: archiveEnvironment(config, { place: tree.objects.place, dataDir: folders.root }),
      onLine(line) {
        if (line.startsWith(archiveVoice)) problem = line.slice(archiveVoice.length);
      },
    });
  const startWhole = async () => ({ server: await start({}), isWhole: true });
  try {
    if (time === undefined) return await startWhole();
    try {
      return { server: await start({ recovery_target_time: databaseTime(time) }), isWhole: false };
    } catch (error) {
      // The archive contains no write after `time`, so everything in the archive is restored.
      if (error instanceof StartError && nothingAfter.test(error.message)) return await startWhole();
      throw error;
    }
  } catch (error) {
    throw problem === undefined ? error : new StartError(problem, { cause: error });
  }
}

/**
 * Formats a time with `+00` instead of `Z`, because PostgreSQL parses it before it has loaded the names of time zones.
 */
function databaseTime(time: Date): string {
  return time.toISOString().replace("T", " ").replace("Z", "+00");
}
