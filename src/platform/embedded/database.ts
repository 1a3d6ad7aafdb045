import { type Config, StartError } from "../../config.ts";
import { withoutPassword } from "../database/primary/address.ts";
import type { NamedDatabase } from "../database/primary/start-error.ts";
import type { Log } from "../observing/log.ts";
import { type Archiving, prepareArchiving } from "./archiving.ts";
import { type DataFolders, lockDataFolder, openDataFolder } from "./folders.ts";
import { serverUrl, startServer } from "./server.ts";

/**
 * Connections in addition to those of the service: for commands that run concurrently, and for PostgreSQL's own
 * reserve.
 */
const spareConnections = 20;
/** The number of connections of a command that starts the database itself. */
const commandConnections = 2;

/** The configured database, ready for connections. */
export type OpenDatabase = {
  readonly url: string;
  /** The folders of an embedded database. */
  readonly folders?: Pick<DataFolders, "root" | "log">;
  /** Whether an embedded database was just created. */
  readonly isNew: boolean;
  /** The archive of an embedded database, if it is configured. */
  readonly archiving?: Archiving;
  /** Stops an embedded database that this process has started. No connection may be in use. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** The minimum number of connections that an embedded database accepts. */
  readonly connections?: number;
  readonly log: Log;
  /** Cancels a start, which can take long after a crash. */
  readonly signal?: AbortSignal;
  /** Called when an embedded database has stopped and cannot be restarted. */
  readonly onLost: (error: StartError) => void;
};

/**
 * Opens the database for the service: DATABASE_URL, or the embedded database in DATA_DIR. Throws a StartError, for
 * example if another service uses the same DATA_DIR.
 */
export async function openDatabase(config: Config, options: DatabaseOptions): Promise<OpenDatabase> {
  if (config.DATABASE_URL !== undefined && config.ARCHIVE_TO !== undefined)
    throw new StartError("ARCHIVE_TO requires the embedded PostgreSQL: remove ARCHIVE_TO or DATABASE_URL.");
  return await open(config, options, () => {
    throw new StartError(`Another Parley is running on DATA_DIR ${config.DATA_DIR}: stop it or choose another folder.`);
  });
}

/**
 * Opens the database for a command. The database of a running service is shared; otherwise, the database is started for
 * the command.
 */
export async function shareDatabase(config: Config, options: DatabaseOptions): Promise<OpenDatabase> {
  return await open(config, options, (folders) => ({
    url: serverUrl(folders),
    folders,
    isNew: false,
    close: async () => {},
  }));
}

/** Returns the database's name as shown to the operator. */
export function nameOf({ url, folders }: OpenDatabase): NamedDatabase {
  if (!folders) return { name: withoutPassword(url) };
  return { name: `the embedded database in DATA_DIR ${folders.root}`, log: folders.log };
}

async function open(
  config: Config,
  options: DatabaseOptions,
  whenTaken: (folders: DataFolders) => OpenDatabase,
): Promise<OpenDatabase> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, isNew: false, close: async () => {} };
  const folders = openDataFolder(config.DATA_DIR);
  const lock = lockDataFolder(folders);
  if (!lock) return whenTaken(folders);
  try {
    const connections = (options.connections ?? commandConnections) + spareConnections;
    const archiving = prepareArchiving(config, folders);
    const server = await startServer({ ...options, folders, connections, ...archiving?.serverOptions });
    return {
      url: server.url,
      folders,
      isNew: server.isNew,
      ...(archiving && { archiving }),
      async close() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
