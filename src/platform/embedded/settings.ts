import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { thisMachine } from "../processes/shares.ts";

const megabyte = 1024 ** 2;

/** The memory and disk space, in bytes, that determine PostgreSQL's settings. */
export type Room = { readonly memory: number; readonly disk: number };

/** Returns the memory of this machine or container, and the free space on the disk of the database's log. */
export function roomFor(dataFolder: string): Room {
  const log = join(dataFolder, "pg_wal");
  const { bavail, bsize } = statfsSync(existsSync(log) ? log : dataFolder);
  return { memory: thisMachine().memoryBytes, disk: bavail * bsize };
}

/**
 * Returns PostgreSQL's settings. Some depend on memory and disk, others suit chats on any machine. Most of the memory
 * is left to the service and the system's cache. With more than 2 GB, PostgreSQL would start more slowly and gain
 * little.
 */
export function settingsFor({ memory, disk }: Room): Record<string, string> {
  return {
    shared_buffers: within(memory / 4, { least: 32, most: 2_048 }),
    effective_cache_size: within(memory / 2, { least: 64, most: 65_536 }),
    maintenance_work_mem: within(memory / 32, { least: 16, most: 256 }),
    // The first change to a page after a checkpoint logs the whole page. With few visitors, these pages are most of the
    // log. Checkpoints are therefore rare, and the pages are compressed with pglz, the only method that all bundled
    // binaries support.
    wal_compression: "pglz",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    // A checkpoint starts earlier once this much was written. The limit is lower on a small disk.
    max_wal_size: within(disk / 10, { least: 64, most: 4_096 }),
    min_wal_size: "32MB",
    random_page_cost: "1.1",
    // Statements are short, so compiling a statement costs more than running it.
    jit: "off",
  };
}

function within(bytes: number, { least, most }: { least: number; most: number }): string {
  return `${Math.round(Math.min(Math.max(bytes / megabyte, least), most))}MB`;
}
