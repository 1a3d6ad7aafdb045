import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { thisMachine } from "../processes/shares.ts";

const megabyte = 1024 ** 2;

/** The sizes that determine PostgreSQL's settings, in bytes. */
export type Room = { readonly memory: number; readonly disk: number };

/** Memory of this machine or container, and free space on the disk of the database's log. */
export function roomFor(dataFolder: string): Room {
  const log = join(dataFolder, "pg_wal");
  const { bavail, bsize } = statfsSync(existsSync(log) ? log : dataFolder);
  return { memory: thisMachine().memoryBytes, disk: bavail * bsize };
}

/**
 * The settings of PostgreSQL that depend on memory and disk, and those that suit chats on any machine. The service and
 * the system's cache need most of the memory; with more than 2 GB of its own, PostgreSQL starts more slowly and gains
 * little here.
 */
export function settingsFor({ memory, disk }: Room): Record<string, string> {
  return {
    shared_buffers: within(memory / 4, { least: 32, most: 2_048 }),
    effective_cache_size: within(memory / 2, { least: 64, most: 65_536 }),
    maintenance_work_mem: within(memory / 32, { least: 16, most: 256 }),
    // The first change of a page after a checkpoint writes the whole page, which is most of the log if there are few
    // visitors. So checkpoints are rare, and these pages are compressed (pglz, the only method that all our binaries
    // have).
    wal_compression: "pglz",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    // A checkpoint starts earlier once this much was written; on a small disk, early enough.
    max_wal_size: within(disk / 10, { least: 64, most: 4_096 }),
    min_wal_size: "32MB",
    random_page_cost: "1.1",
    // Statements are short: compiling one costs more than running it.
    jit: "off",
  };
}

function within(bytes: number, { least, most }: { least: number; most: number }): string {
  return `${Math.round(Math.min(Math.max(bytes / megabyte, least), most))}MB`;
}
