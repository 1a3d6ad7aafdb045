import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "../../platform/database/sql.ts";
import { type DataFolders, lockDataFolder, openDataFolder } from "../../platform/embedded/folders.ts";
import { stopLeftover } from "../../platform/embedded/leftover.ts";
import { dropUnusedDatabase, listDatabases } from "./leftovers.sql.ts";

// The next run recognizes the folders and databases of a killed run by their names. A killed run removes nothing, but
// its service ends by itself.

export const folderPrefix = "parley-bench-";
const folderName = new RegExp(`^${folderPrefix}\\w{6}$`);
const databasePrefix = "parley_bench_";
const databaseName = new RegExp(`^${databasePrefix}\\d{13}$`);
/**
 * Options for removing a folder. The removal is retried, because the service of a killed run may still be writing its
 * last lines.
 */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

export function newDatabaseName(): string {
  return `${databasePrefix}${Date.now()}`;
}

/**
 * Removes the folders of killed runs, which are recognized by their free locks. Stops databases that still run in these
 * folders.
 */
export async function removeLeftFolders(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (!folderName.test(name)) continue;
    const folders = openDataFolder(join(dataDir, name));
    const lock = lockDataFolder(folders);
    if (!lock) continue;
    await stopLeftover(folders.data);
    lock.release();
    removeFolder(folders);
  }
}

export function removeFolder({ root, socket }: DataFolders): void {
  rmSync(root, removal);
  // The socket is outside the folder if the folder's path is too long for a socket.
  rmSync(socket, removal);
}

/** Drops the databases of killed runs, which are recognized by having no connections. */
export async function dropLeftDatabases(sql: Sql): Promise<void> {
  for (const name of await listDatabases(sql, databasePrefix)) {
    if (databaseName.test(name)) await dropUnusedDatabase(sql, name);
  }
}
