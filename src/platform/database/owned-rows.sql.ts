import type postgres from "postgres";
import { first, type Sql } from "./sql.ts";

/** The last row of the previous page, in a list that is ordered newest first. */
export type Position = { readonly createdAt: Date; readonly id: string };

type OwnedTable = {
  readonly table: string;
  /** The column of the owner: no statement finds another owner's row. */
  readonly owner: string;
  /** The column that identifies a row of its owner; absent: `id`. */
  readonly key?: string;
  /** The columns of a row. */
  columns(sql: Sql): postgres.Fragment;
};

type Place = { readonly ownerId: string; readonly key: string };

/** The statements on a table whose rows have an owner: they list rows, newest first, find one row, and delete one. */
export function ownedRows<Row extends object>({ table, owner, key: keyColumn = "id", columns }: OwnedTable) {
  return {
    async list(
      sql: Sql,
      { ownerId, after, limit }: { ownerId: string; after: Position | undefined; limit: number },
    ): Promise<Row[]> {
      return sql<Row[]>`
        select ${columns(sql)}
        from ${sql(table)}
        where ${sql(owner)} = ${ownerId}
          ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
        order by created_at desc, id desc
        limit ${limit}`;
    },
    async find(sql: Sql, { ownerId, key }: Place): Promise<Row | undefined> {
      return first(sql<Row[]>`
        select ${columns(sql)}
        from ${sql(table)}
        where ${sql(owner)} = ${ownerId}
          and ${sql(keyColumn)} = ${key}`);
    },
    /** The row before the deletion; undefined if there is none. */
    async remove(sql: Sql, { ownerId, key }: Place): Promise<Row | undefined> {
      return first(sql<Row[]>`
        delete from ${sql(table)}
        where ${sql(owner)} = ${ownerId}
          and ${sql(keyColumn)} = ${key}
        returning ${columns(sql)}`);
    },
  };
}
