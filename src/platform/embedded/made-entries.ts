import { existsSync, readdirSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { lockDataFolder, openDataFolder } from "./folders.ts";

/**
 * The stored files are excluded, because another service may store files in the same folder. The restore removes its
 * own files separately.
 */
const filesFolder = "uploads";
const lockName = "service.lock";

/**
 * Runs work that fills a DATA_DIR. If the work fails, removes the new entries, and DATA_DIR itself if it did not exist
 * before.
 */
export async function withoutTraces<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const isThere = existsSync(dataDir);
  const before = new Set(isThere ? readdirSync(dataDir) : []);
  try {
    return await work();
  } catch (error) {
    await removeMade(dataDir, { before, isThere });
    throw error;
  }
}

async function removeMade(
  dataDir: string,
  { before, isThere }: { before: ReadonlySet<string>; isThere: boolean },
): Promise<void> {
  if (!existsSync(dataDir)) return;
  const folders = openDataFolder(dataDir);
  const lock = lockDataFolder(folders);
  // A service uses this folder.
  if (!lock) return;
  try {
    for (const name of await readdir(folders.root)) {
      if (before.has(name) || name === lockName) continue;
      const path = join(folders.root, name);
      await (name === filesFolder ? removeEmpty(path) : rm(path, { recursive: true, force: true }));
    }
  } finally {
    lock.release();
  }
  if (!before.has(lockName)) await rm(join(folders.root, lockName), { force: true });
  if (!isThere) await removeEmpty(folders.root);
}

/** Removes the empty folders below a folder, and the folder itself if it is empty then. */
async function removeEmpty(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(join(path, entry.name));
  }
  if ((await readdir(path)).length === 0) await rmdir(path);
}
