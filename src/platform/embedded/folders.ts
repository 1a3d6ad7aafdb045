import { Database } from "bun:sqlite";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../config.ts";
import { codeOf, reasonOf } from "../thrown.ts";

/** The paths of the files and folders in DATA_DIR. */
export type DataFolders = {
  /** The absolute path of DATA_DIR, with symbolic links resolved. */
  readonly root: string;
  readonly data: string;
  /** PostgreSQL's programs, if the binary contains them. */
  readonly programs: string;
  readonly log: string;
  /** The folder of the Unix socket. The folder is outside DATA_DIR if the path of DATA_DIR is too long for a socket. */
  readonly socket: string;
};

/** A socket's address is limited to 104 bytes on macOS (108 on Linux), including the final zero byte. */
const socketPathBytes = 103;

/**
 * Creates DATA_DIR with access for its owner only, unless it exists, and returns the paths in it. Throws a StartError
 * if the folder cannot be used.
 */
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
    remedies.find(({ codes }) => codes.test(String(codeOf(error))))?.advice ?? "Choose another folder in DATA_DIR";
  return new StartError(`DATA_DIR cannot be used: ${reason}. ${advice}.`, { cause: error });
}

/** Advice for error codes of the system, and of the SQLite file that locks the folder. */
const remedies: readonly { readonly codes: RegExp; readonly advice: string }[] = [
  {
    codes: /^(EROFS|SQLITE_READONLY\w*)$/,
    advice: "Mount its disk for writing, or choose another folder in DATA_DIR; nothing in it was changed",
  },
  { codes: /^(ENOSPC|EDQUOT|SQLITE_FULL)$/, advice: "Free space on its disk; no stored data is lost" },
  {
    codes: /^(EACCES|EPERM|SQLITE_CANTOPEN\w*)$/,
    advice: "Give the folder to the user that Parley runs as, or choose another folder in DATA_DIR",
  },
  { codes: /^(EIO|SQLITE_IOERR\w*)$/, advice: "Its disk has errors: check the system's log" },
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

/** Whether only this service uses DATA_DIR. A folder with other files keeps its mode. */
function isOurs(root: string): boolean {
  if (lstatSync(root).uid !== process.getuid?.()) return false;
  return existsSync(join(root, "postgres")) || readdirSync(root).length === 0;
}

/**
 * Returns the folder of the socket. Every process derives the same path from the data folder, so that commands find the
 * database of a running service.
 */
function socketFolder(root: string): string {
  const inside = join(root, "socket");
  if (Buffer.byteLength(join(inside, ".s.PGSQL.5432")) <= socketPathBytes) return inside;
  const name = new Bun.CryptoHasher("sha256").update(root).digest("hex").slice(0, 16);
  return `/tmp/parley-${name}`;
}

/**
 * Creates a folder that only this user may enter. Other users can create folders below /tmp first, so the folder is
 * checked after the creation. Throws a StartError if the check fails.
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

/** A lock that the system releases when its process ends, even when the process is killed. */
export type FolderLock = { release(): void };

/**
 * Locks the folder for this process. Returns undefined if another process holds the lock. The lock is held on a
 * database file, because Bun has no other lock that the system itself releases, even after kill -9 and between
 * containers.
 */
export function lockDataFolder(folders: DataFolders): FolderLock | undefined {
  let file: Database | undefined;
  try {
    const held = new Database(join(folders.root, "service.lock"), { create: true });
    file = held;
    held.run("pragma busy_timeout = 0");
    // A full disk has no space for a journal. No data is ever written, so the journal can stay in memory.
    held.run("pragma journal_mode = memory");
    held.run("begin exclusive");
    return { release: () => held.close() };
  } catch (error) {
    file?.close();
    if (codeOf(error) === "SQLITE_BUSY") return undefined;
    throw unusable(error);
  }
}
