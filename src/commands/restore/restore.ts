import { readConfig } from "../../config.ts";
import { silenceAll } from "../../management/channels/copies.sql.ts";
import { silencedNote } from "../../management/channels/copies.ts";
import type { End } from "../../platform/backup/format.ts";
import { placeOf } from "../../platform/backup/place.ts";
import { restoreBackup } from "../../platform/backup/restore.ts";
import { createDatabase, dropDatabase } from "../../platform/database/copy.sql.ts";
import type { MigrationNote } from "../../platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../platform/database/sql.ts";
import { withoutTraces } from "../../platform/embedded/made-entries.ts";
import { newId } from "../../platform/ids.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { printJson, type Tools } from "../command.ts";
import { type Opened, withDatabase } from "../database.ts";
import { createProgress } from "../output/progress.ts";

type Options = { readonly check?: true; readonly json?: true };

export async function restore(tools: Tools, place: string, { check, json }: Options): Promise<void> {
  const { environment, tell, print } = tools;
  const progress = createProgress(tools, check ? "Checking" : "Restoring");
  const onNote = ({ note, ...facts }: MigrationNote) => (check ? undefined : tell(`${note}: ${JSON.stringify(facts)}`));
  const work = async (sql: Sql, opened: Opened) => {
    const archive = await placeOf(place, opened.config).read();
    const options = { onProgress: progress.add, onNote };
    const end = check
      ? await checkInScratchDatabase(sql, opened, { archive, ...options })
      : await restoreBackup(archive, { sql, name: opened.name, storage: openStorage(opened.config), ...options });
    // Disables all connections: the original service may still be running, and both services would answer the same
    // people.
    const silenced = check ? 0 : await silenceAll(sql, "restored");
    if (silenced > 0) tell(silencedNote(silenced));
    return { end, name: opened.name };
  };
  const fill = () => withDatabase(environment, work, { tell });
  const { end, name } = await withoutTraces(readConfig(environment).DATA_DIR, fill);
  const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
  const files = end.files.count;
  if (json)
    return printJson(tools, { place, database: name, isChecked: check === true, rows, files, tables: end.tables });
  const what = `${rows} rows and ${files} files`;
  progress.end(check ? "Nothing was changed." : "Restore the encryption key as well, before you start the service.");
  print(check ? `${place} can be restored: ${what}, all intact.\n` : `Restored ${what} from ${place} to ${name}.\n`);
}

type Checked = {
  readonly archive: ReadableStream<Uint8Array>;
  readonly onProgress: (what: string, bytes: number) => void;
  readonly onNote: (note: MigrationNote) => void;
};

/** Restores into a separate database on the same server, as `restore` does, and then reads all of the data once. */
async function checkInScratchDatabase(
  sql: Sql,
  { url, patience, onInterrupted }: Opened,
  { archive, ...options }: Checked,
): Promise<End> {
  const name = `parley_check_${newId()}`;
  try {
    await createDatabase(sql, name);
    const scratch = connect(withDatabaseName(url, name), { connections: 1, ...patience });
    onInterrupted(() => void scratch.end({ timeout: 0 }));
    try {
      return await restoreBackup(archive, { sql: scratch, name, storage: undefined, isCompared: true, ...options });
    } finally {
      await scratch.end({ timeout: 0 });
    }
  } finally {
    // An interruption closes the command's pool, so the database is dropped over a new connection.
    const own = connect(url, { connections: 1, ...patience });
    await dropDatabase(own, name);
    await own.end();
  }
}

/** Returns the address of another database on the same server. */
function withDatabaseName(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*)(\/[^?]*)?/, `$1/${name}`);
}
