import { dirname } from "node:path";
import { version } from "../../../package.json";
import { readConfig } from "../../config.ts";
import { folderOf, placeOf } from "../../platform/backup/place.ts";
import { writeBackup } from "../../platform/backup/write.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { printJson, type Tools, UsageError } from "../command.ts";
import { type Opened, withDatabase } from "../database.ts";
import { createProgress, megabytes } from "../output/progress.ts";

export type BackupOptions = { readonly keep?: number; readonly keepDays?: number; readonly json?: true };

export async function backUp(tools: Tools, given: string, { keep, keepDays, json }: BackupOptions): Promise<void> {
  const { environment, print, tell } = tools;
  const settings = readConfig(environment);
  const now = new Date();
  const folder = folderOf(given, settings);
  if (!folder && (keep !== undefined || keepDays !== undefined))
    throw new UsageError(
      `--keep and --keep-days require a folder, such as ${dirname(given)}/, but ${given} is not a folder.`,
    );
  const place = folder?.next(now) ?? given;
  const progress = createProgress(tools, "Backing up");
  const work = async (sql: Sql, { config }: Opened) => {
    const target = placeOf(place, config);
    const { stream, done } = writeBackup({
      release: version,
      sql,
      storage: openStorage(config),
      onProgress: progress.add,
    });
    // `Promise.all` rejects with the first of the two failures, which is usually the cause.
    const writing = target.write(stream);
    const [written, content] = await Promise.all([writing, done]).catch(async (error: unknown) => {
      // A failing target aborts the stream, so `done` may fail before `writing`. The error of `writing` describes the
      // cause.
      if (error instanceof DOMException && error.name === "AbortError") await writing;
      throw error;
    });
    return { end: content, bytes: written.bytes };
  };
  const { end, bytes } = await withDatabase(environment, work, { tell });
  // Removes old backups last: if the new backup fails, no old backup is removed.
  const removed =
    (await folder?.removeOutdated({ ...(keep && { count: keep }), ...(keepDays && { days: keepDays }) }, now)) ?? [];
  const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
  const { count, missing } = end.files;
  if (json)
    return printJson(tools, { place, bytes, rows, files: count, missingFiles: missing, removed, tables: end.tables });
  progress.end(
    "The backup does not contain the encryption key: store a copy of ENCRYPTION_KEY, or of DATA_DIR/encryption-key, in another place.",
  );
  if (missing.length > 0)
    tell(`The storage does not have ${missing.length} files that the database refers to: ${missing.join(", ")}`);
  print(`Backed up to ${place}: ${rows} rows and ${count} files in ${megabytes(bytes)}.\n`);
  if (removed.length > 0) print(`Removed older backups: ${removed.join(", ")}\n`);
}
