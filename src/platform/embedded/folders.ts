import { Database } from "bun:sqlite";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../config.ts";
import { codeOf, reasonOf } from "../thrown.ts";

/** The files and folders in DATA_DIR. */
export type DataFolders = {
  /** The absolute path of DATA_DIR, without symbolic links. */
  readonly root: string;
  /** PostgreSQL's data. */
  readonly data: string;
  /** PostgreSQL's programs, if the service contains them. */
  readonly programs: string;
  /** PostgreSQL's own log. */
  readonly log: string;
  /** The folder of the Unix socket. It is outside DATA_DIR if the path of DATA_DIR is too long for a socket. */
  readonly socket: string;
};

/** A socket's address has room for 104 bytes (macOS; Linux 108), including its final zero. */
const socketPathBytes = 103;

/** Creates DATA_DIR (for its owner only) unless it exists, and returns the paths in it. */
export function openDataFolder(path: string): DataFolders {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const root = realpathSync(path);
    if (isOurs(root)) chmodSync(root, 0o700);
    return dataFolders(root);
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(error: unknown): StartError {
  const reason = reasonOf(error).replace(/\.$/, "");
  const advice =
    remedies.find(({ codes }) => codes.test(String(codeOf(error))))?.advice ?? "Name another folder in DATA_DIR";
  return new StartError(`DATA_DIR cannot be used: ${reason}. ${advice}.`, { cause: error });
}

/** Codes of the system, and of the file that locks the folder. */
const remedies: readonly { readonly codes: RegExp; readonly advice: string }[] = [
  {
    codes: /^(EROFS|SQLITE_READONLY\w*)$/,
    advice: "Mount its disk for writing, or name another folder in DATA_DIR; nothing in it was changed",
  },
  { codes: /^(ENOSPC|EDQUOT|SQLITE_FULL)$/, advice: "Make room on its disk; nothing that was stored is lost" },
  {
    codes: /^(EACCES|EPERM|SQLITE_CANTOPEN\w*)$/,
    advice: "Give it to the user that Parley runs as, or name another folder in DATA_DIR",
  },
  { codes: /^(EIO|SQLITE_IOERR\w*)$/, advice: "Its disk fails: look into the system's log" },
];

function dataFolders(root: string): DataFolders {
  return {
    root,
    data: join(root, "postgres"),
    programs: join(root, "postgres-programs"),
    log: join(root, "postgres.log"),
    socket: socketFolder(root),
  };
}

/** Whether DATA_DIR is used by this service alone: a folder with other files in it keeps its mode. */
function isOurs(root: string): boolean {
  if (lstatSync(root).uid !== process.getuid?.()) return false;
  return existsSync(join(root, "postgres")) || readdirSync(root).length === 0;
}

/**
 * The path is the same for every process that knows the folder, so that commands find the database of a running
 * service.
 */
function socketFolder(root: string): string {
  const inside = join(root, "socket");
  if (Buffer.byteLength(join(inside, ".s.PGSQL.5432")) <= socketPathBytes) return inside;
  const name = new Bun.CryptoHasher("sha256").update(root).digest("hex").slice(0, 16);
  return `/tmp/parley-${name}`;
}

/**
 * Creates a folder that only this user may enter. Other users can create names below /tmp first, so the folder is
 * checked afterwards.
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(error);
  }
  const folder = lstatSync(path);
  if (folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0) return;
  throw new StartError(`The folder ${path} must belong only to this user: remove it or choose a shorter DATA_DIR.`);
}

/** A lock that the system releases when its holder ends, even when the holder is killed. */
export type FolderLock = { release(): void };

/**
 * Locks the folder for this process; undefined if another process holds the lock. A database file's lock is the only
 * lock that Bun offers and that the system itself lifts, even after kill -9 and between containers.
 */
export function lockDataFolder(folders: DataFolders): FolderLock | undefined {
  let file: Database | undefined;
  try {
    const held = new Database(join(folders.root, "service.lock"), { create: true });
    file = held;
    held.run("pragma busy_timeout = 0");
    // On a full disk there is no room for a journal, and no data is ever written.
    held.run("pragma journal_mode = memory");
    held.run("begin exclusive");
    return { release: () => held.close() };
  } catch (error) {
    file?.close();
    if (codeOf(error) === "SQLITE_BUSY") return undefined;
    throw unusable(error);
  }
}
