import type { Sql } from "../../platform/database/sql.ts";
import {
  channelConnectionPlace,
  credentialsPlace,
  eventSecretPlace,
  type Secrets,
  secretPlace,
} from "../../platform/secrets.ts";
import { listSealed, replaceSealed, type SealedRow, type SealedTable, sealedTables } from "./sealed-secrets.sql.ts";

const pageSize = 100;

export type Rotation = {
  /** The number of rows of each table that are sealed with the current key now. */
  readonly resealed: Readonly<Record<SealedTable, number>>;
  /** Rows that no key decrypts, and that were left unchanged. */
  readonly unreadable: readonly { readonly table: SealedTable; readonly id: string }[];
};

const places: Readonly<Record<SealedTable, (id: string) => string>> = {
  event_endpoints: eventSecretPlace,
  credentials: credentialsPlace,
  secrets: secretPlace,
  channel_connections: channelConnectionPlace,
};

/**
 * Encrypts all sealed columns again with the current key, row by row. The rotation may be interrupted and repeated at
 * any time. Running services are not affected if they have both the current key and the old keys.
 */
export async function resealAll(sql: Sql, secrets: Secrets): Promise<Rotation> {
  const resealed = { event_endpoints: 0, credentials: 0, secrets: 0, channel_connections: 0 };
  const unreadable: Rotation["unreadable"][number][] = [];
  for (const table of sealedTables) {
    let after: string | undefined;
    for (;;) {
      const page = await listSealed(sql, table, { after, limit: pageSize });
      for (const row of page) {
        if (await reseal(sql, secrets, table, row)) resealed[table]++;
        else unreadable.push({ table, id: row.id });
      }
      after = page.at(-1)?.id;
      if (page.length < pageSize) break;
    }
  }
  return { resealed, unreadable };
}

/** Returns the number of encrypted rows, and the number of rows that no key decrypts. */
export async function countSealed(sql: Sql, secrets: Secrets): Promise<{ total: number; unreadable: number }> {
  let [total, unreadable] = [0, 0];
  for (const table of sealedTables) {
    let after: string | undefined;
    for (;;) {
      const page = await listSealed(sql, table, { after, limit: pageSize });
      const texts = await Promise.all(page.map(({ id, sealed }) => secrets.open(sealed, places[table](id))));
      total += page.length;
      unreadable += texts.filter((text) => text === undefined).length;
      after = page.at(-1)?.id;
      if (page.length < pageSize) break;
    }
  }
  return { total, unreadable };
}

/**
 * Seals one row with the current key. Returns false if no key decrypts the row. A row that was written meanwhile is
 * already sealed with this key.
 */
async function reseal(sql: Sql, secrets: Secrets, table: SealedTable, row: SealedRow): Promise<boolean> {
  const place = places[table](row.id);
  const text = await secrets.open(row.sealed, place);
  if (text === undefined) return false;
  const previous = row.previous && (await secrets.open(row.previous, place));
  await replaceSealed(sql, table, row, {
    sealed: await secrets.seal(text, place),
    previous: previous ? await secrets.seal(previous, place) : row.previous,
  });
  return true;
}
