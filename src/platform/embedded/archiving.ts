import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Config, StartError } from "../../config.ts";
import { ownProgram } from "../processes/own-program.ts";
import type { DataFolders } from "./folders.ts";
import type { EmbeddedOptions } from "./server.ts";

/**
 * A file of the log is archived at the latest after this number of seconds, even if it is not full. Writes that are not
 * archived are lost if the disk fails.
 */
const longestSeconds = 60;
/** The prefix of the archive commands' messages in PostgreSQL's log. */
export const archiveVoice = "parley archive: ";

/** The archive of one database. No other database writes below the archive's location. */
export type Archiving = {
  /** The location of this database's part of the archive. */
  readonly place: string;
  /** The database's folder. */
  readonly data: string;
  readonly serverOptions: Pick<EmbeddedOptions, "settings" | "environment" | "onLine">;
  /** Returns the last error message of the archive command, if any. */
  problem(): string | undefined;
  /**
   * Returns the time and the reason of a gap in the archived log, or undefined without a gap. After a gap, a new base
   * copy is required.
   */
  gap(): string | undefined;
  /** Records that a base copy was made after the gap. */
  closeGap(): void;
};

const Identity = Type.Object({ id: Type.String({ pattern: "^[\\w-]+$" }), to: Type.String() });

/**
 * Returns the settings with which the embedded PostgreSQL archives its log through this program. Returns undefined if
 * archiving is disabled. DATA_DIR records which part of the archive belongs to this database. A restored or new
 * database gets its own part.
 */
export function prepareArchiving(config: Config, folders: DataFolders): Archiving | undefined {
  const { ARCHIVE_TO } = config;
  const gaps = gapFile(folders.root);
  // A new database will be created in this folder.
  if (!existsSync(join(folders.data, "PG_VERSION"))) forgetArchive(folders.root);
  if (ARCHIVE_TO === undefined) {
    if (existsSync(identityFile(folders.root))) noteGap(folders.root, "the database ran without ARCHIVE_TO");
    return undefined;
  }
  const to = ARCHIVE_TO.startsWith("s3://") ? ARCHIVE_TO.replace(/\/$/, "") : resolve(ARCHIVE_TO);
  const place = `${to}/${identityIn(folders.root, to)}`;
  if (!existsSync(gaps)) writeFileSync(wholeFile(folders.root), "", { mode: 0o600 });
  let problem: string | undefined;
  return {
    place,
    data: folders.data,
    serverOptions: {
      settings: {
        archive_mode: "on",
        archive_timeout: `${longestSeconds}s`,
        archive_command: ownCommand(["archive", "keep", "%p", "%f"]),
      },
      environment: archiveEnvironment(config, { place, dataDir: folders.root }),
      onLine(line) {
        if (line.startsWith(archiveVoice)) problem = line.slice(archiveVoice.length);
      },
    },
    problem: () => problem,
    gap: () =>
      existsSync(gaps) ? readFileSync(gaps, "utf8").trim() || "an unknown time, since the disk was full" : undefined,
    closeGap: () => renameSync(gaps, wholeFile(folders.root)),
  };
}

/**
 * Returns the environment for the archive commands that PostgreSQL runs. The commands have no other access to the
 * settings of the service.
 */
export function archiveEnvironment(
  config: Config,
  { place, dataDir }: { place: string; dataDir: string },
): Record<string, string> {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const settings = { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  return {
    ARCHIVE_TO: place,
    DATA_DIR: dataDir,
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}

/** Returns a shell command that runs this program. PostgreSQL replaces `%p` by a file's path and `%f` by its name. */
export function ownCommand(words: readonly string[]): string {
  const program = ownProgram().map((word) => `'${word.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`);
  return [...program, ...words.map((word) => (word.startsWith("%") ? `"${word}"` : word))].join(" ");
}

/**
 * Records that the archived log has a gap, so that the service makes a new base copy. The record is made by a rename,
 * which needs no space on a full disk.
 */
export function noteGap(dataDir: string, reason: string): void {
  const file = gapFile(dataDir);
  if (existsSync(file)) return;
  renameSync(wholeFile(dataDir), file);
  try {
    writeFileSync(file, `${new Date().toISOString()}, as ${reason}\n`, { mode: 0o600 });
  } catch {
    // Only the existence of the file matters, so errors are ignored.
  }
}

/** Removes the assignment to a part of the archive. The next database in this folder gets a new part. */
export function forgetArchive(dataDir: string): void {
  for (const file of [identityFile, gapFile, wholeFile]) rmSync(file(dataDir), { force: true });
}

/**
 * Whether the files that wait to be archived use more space than is free. Chats are more important than the archive.
 * PostgreSQL runs this check in the database's folder.
 */
export function isRoomScarce(dataFolder: string, segmentBytes: number): boolean {
  const log = join(dataFolder, "pg_wal");
  const waiting = readdirSync(join(log, "archive_status")).filter((name) => name.endsWith(".ready")).length;
  const { bavail, bsize } = statfsSync(log);
  return waiting * segmentBytes > bavail * bsize;
}

function identityFile(root: string): string {
  return join(root, "archive.json");
}

function gapFile(root: string): string {
  return join(root, "archive-gap");
}

/** Returns the path of a file that exists while the archive has no gap. */
function wholeFile(root: string): string {
  return join(root, "archive-whole");
}

function identityIn(root: string, to: string): string {
  const file = identityFile(root);
  try {
    if (existsSync(file)) {
      const kept = Value.Decode(Identity, JSON.parse(readFileSync(file, "utf8")));
      if (kept.to === to) return kept.id;
    }
  } catch (error) {
    throw new StartError(`${file} cannot be read: remove it, and Parley starts a new part of the archive.`, {
      cause: error,
    });
  }
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const id = `${time}-${crypto.randomUUID().slice(0, 8)}`;
  writeFileSync(`${file}.new`, `${JSON.stringify({ id, to })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return id;
}
