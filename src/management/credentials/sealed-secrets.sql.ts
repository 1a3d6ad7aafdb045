import type { Sql } from "../../platform/database/sql.ts";

/** The tables with encrypted columns. */
export const sealedTables = ["event_endpoints", "credentials", "secrets", "channel_connections"] as const;
export type SealedTable = (typeof sealedTables)[number];

/** The encrypted texts of one row. `previous` is the previous secret of an event endpoint or a connection. */
export type SealedRow = {
  readonly id: string;
  readonly sealed: Uint8Array;
  readonly previous: Uint8Array | null;
};

/**
 * Returns a page of the encrypted rows of all workspaces, sorted by id. `after` is the last id of the previous page.
 */
export async function listSealed(
  sql: Sql,
  table: SealedTable,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SealedRow[]> {
  const { current, previous } = columnsOf(sql, table);
  return sql<SealedRow[]>`
    select id, ${current} as sealed, ${previous} as previous
    from ${sql(table)}
    ${after === undefined ? sql`` : sql`where id > ${after}`}
    order by id
    limit ${limit}`;
}

/**
 * Replaces the encrypted texts of a row, unless the row has changed since it was read. Returns whether the row was
 * replaced.
 */
export async function replaceSealed(
  sql: Sql,
  table: SealedTable,
  { id, sealed, previous }: SealedRow,
  next: Omit<SealedRow, "id">,
): Promise<boolean> {
  const columns = columnsOf(sql, table);
  const hasPrevious = table === "event_endpoints" || table === "channel_connections";
  const rows = await sql`
    update ${sql(table)}
    set ${columns.current} = ${next.sealed}
      ${hasPrevious ? sql`, ${columns.previous} = ${next.previous}` : sql``}
    where id = ${id}
      and ${columns.current} = ${sealed}
      and ${columns.previous} is not distinct from ${previous}
    returning id`;
  return rows.length > 0;
}

function columnsOf(sql: Sql, table: SealedTable) {
  switch (table) {
    case "event_endpoints":
      return { current: sql`secret`, previous: sql`previous_secret` };
    case "channel_connections":
      return { current: sql`sealed`, previous: sql`previous` };
    default:
      return { current: sql`sealed`, previous: sql`null::bytea` };
  }
}
