import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, StartError } from "../../config.ts";
import { readCatalog } from "../../platform/archive/catalog.ts";
import { below, openObjects } from "../../platform/archive/objects.ts";
import { about, type Finding } from "./finding.ts";

const hourMs = 3_600_000;
const { fine, doubtful, wrong } = about("Archive");

/**
 * Examines the archive of an embedded database: writes and removes a small file, and reports the period that the
 * archive covers.
 */
export async function examineArchive(config: Config): Promise<Finding> {
  const { ARCHIVE_TO, DATA_DIR, DATABASE_URL } = config;
  if (DATABASE_URL !== undefined) return fine("none: your own PostgreSQL has its own archive");
  if (ARCHIVE_TO === undefined) return fine("none: with ARCHIVE_TO, you can restore the state at any second");
  try {
    const id = identityOf(DATA_DIR);
    if (id === undefined) return doubtful("nothing is archived yet", "Start the service with ARCHIVE_TO.");
    const place = below(ARCHIVE_TO, id);
    const objects = openObjects(place, config);
    const probe = "wal/doctor";
    await objects.put(probe, new TextEncoder().encode("a line"));
    await objects.remove(probe);
    return await reachOf(place, config);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(error.message, "Until then, WAL files are kept on the database's disk; chats continue.");
  }
}

async function reachOf(place: string, config: Config): Promise<Finding> {
  const [tree] = await readCatalog(place, config);
  const range = tree?.ranges.findLast(({ until }) => until !== undefined);
  if (!tree || !range?.until)
    return doubtful(`${place} has no base copy yet`, "The running service creates one; see its log.");
  const says = `${place} covers ${tree.ranges[0]?.base.endedAt} to ${range.until.toISOString()}`;
  if (existsSync(join(config.DATA_DIR, "archive-gap")) || tree.ranges.at(-1)?.hasGap)
    return doubtful(
      `${says}, and a gap follows`,
      "The running service creates a base copy, which ends the gap; see its log.",
    );
  if (Date.now() - Date.parse(range.base.endedAt) > 2 * config.ARCHIVE_BASE_HOURS * hourMs)
    return doubtful(
      `${says}, and its base copy is old`,
      "The service's log contains the reason why there is no newer base copy.",
    );
  if (isOnSameDisk(config))
    return doubtful(
      `${says}, on the disk of DATA_DIR`,
      "Choose a place on another disk: if this one fails, both are lost.",
    );
  return fine(says);
}

function identityOf(dataDir: string): string | undefined {
  const file = join(dataDir, "archive.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).id : undefined;
}

function isOnSameDisk({ ARCHIVE_TO = "", DATA_DIR }: Config): boolean {
  if (ARCHIVE_TO.startsWith("s3://")) return false;
  return statSync(resolve(ARCHIVE_TO)).dev === statSync(DATA_DIR).dev;
}
