import { restoreBackup } from "../../../src/platform/backup/restore.ts";
import { writeBackup } from "../../../src/platform/backup/write.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createFolderStorage } from "../../../src/platform/storage/storage-folder.ts";
import { createEmptyDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/folder.ts";

/** The numbers of migrations of previous releases. */
export const formerReleases = [migrations.length - 1, 52, 61, 68, 40, 64] as const;

/** The content of a restored service. */
export type Restored = { readonly migrations: number; readonly mails: number; readonly waiting: number };

/** Creates backups of previous releases, each with a waiting mail. Each backup is created once and cached. */
export function createReleases(): { restore(count: number, isCompared: boolean): Promise<Restored> } {
  const made = new Map<number, Uint8Array<ArrayBuffer>>();
  return {
    async restore(count, isCompared) {
      const backup = made.get(count) ?? (await backUp(count));
      made.set(count, backup);
      const database = await createEmptyDatabase();
      const { sql } = database;
      const storage = undefined;
      try {
        const archive = new Blob([backup]).stream();
        await restoreBackup(archive, { sql, name: "it", storage, isCompared, onProgress: () => {} });
        const [row] = await sql<[Restored]>`
          select (select count(*)::integer from migrations) as migrations, (select count(*)::integer from mails) as mails,
            (select count(*)::integer from outbox where queue = 'email') as waiting`;
        return row;
      } finally {
        await database.close();
      }
    },
  };
}

async function backUp(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const database = await createEmptyDatabase();
  const folder = temporaryFolder();
  const { sql } = database;
  try {
    await migrate(sql, migrations.slice(0, count));
    await sql`
      insert into mails (id, shard, result_id, bot_id, content)
      values (${newId()}, 1, ${newId()}, ${newId()}, '{"to": ["ada@example.com"]}')`;
    const storage = createFolderStorage(folder.path);
    const { stream } = writeBackup({ release: "0.1.0", sql, storage, onProgress: () => {} });
    return await new Response(stream).bytes();
  } finally {
    await database.close();
    folder.remove();
  }
}
