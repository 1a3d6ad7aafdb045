import { readConfig } from "../../config.ts";
import type { End } from "../../platform/backup/format.ts";
import { placeOf } from "../../platform/backup/place.ts";
import { compareWithBackup, restoreBackup } from "../../platform/backup/restore.ts";
import { withScratchDatabase } from "../../platform/database/copy.sql.ts";
import { connect, type Sql } from "../../platform/database/sql.ts";
import { withoutTraces } from "../../platform/embedded/made-entries.ts";
import { newId } from "../../platform/ids.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { printJson, type Tools } from "../command.ts";
import { withDatabase } from "../database.ts";
import { createProgress } from "../output/progress.ts";

type Options = { readonly check?: true; readonly json?: true };

export async function restore(tools: Tools, place: string, { check, json }: Options): Promise<void> {
  const progress = createProgress(tools, check ? "Checking" : "Restoring");
  const fill = () =>
    withDatabase(tools.environment, async (sql, config, url) => {
      const archive = await placeOf(place, config).read();
      if (check) return await checkInScratchDatabase(sql, url, { archive, onProgress: progress.add });
      return await restoreBackup(archive, { sql, storage: openStorage(config), onProgress: progress.add });
    });
  const end = await withoutTraces(readConfig(tools.environment).DATA_DIR, fill);
  const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
  if (json)
    return printJson(tools, { place, isChecked: check === true, rows, files: end.files.count, tables: end.tables });
  const what = `${rows} rows and ${end.files.count} files`;
  progress.end(check ? "Nothing was changed." : "Restore the encryption key, too, before you start the service.");
  tools.print(check ? `${place} can be restored: ${what}, all intact.\n` : `Restored ${what} from ${place}.\n`);
}

/** Fills a database of its own on the same server, and reads all of it again. */
async function checkInScratchDatabase(
  sql: Sql,
  url: string,
  { archive, onProgress }: { archive: ReadableStream<Uint8Array>; onProgress: (what: string, bytes: number) => void },
): Promise<End> {
  return await withScratchDatabase(sql, `parley_check_${newId()}`, async (database) => {
    const scratch = connect(withDatabaseName(url, database), { connections: 1 });
    try {
      return await restoreBackup(archive, { sql: scratch, storage: undefined, onProgress, compare: compareWithBackup });
    } finally {
      await scratch.end({ timeout: 0 });
    }
  });
}

/** The address of another database on the same server. */
function withDatabaseName(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*)(\/[^?]*)?/, `$1/${name}`);
}
