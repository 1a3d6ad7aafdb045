import type postgres from "postgres";
import { first, type Sql } from "./sql.ts";

/** The position of the last row of the previous page, in a list sorted from newest to oldest. */
export type Position = { readonly createdAt: Date; readonly id: string };

type OwnedTable = {
  readonly table: string;
  /** The column that contains the owner. No statement finds a row of another owner. */
  readonly owner: string;
  /** The column that identifies a row of its owner. Defaults to `id`. */
  readonly key?: string;
  columns(sql: Sql): postgres.Fragment;
};

type Place = { readonly ownerId: string; readonly key: string };

/**
 * Creates statements on a table whose rows have an owner. They list rows from newest to oldest, find a row, and delete
 * a row.
 */
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
    /** Returns the deleted row, or undefined if the row does not exist. */
    async remove(sql: Sql, { ownerId, key }: Place): Promise<Row | undefined> {
      return first(sql<Row[]>`
        delete from ${sql(table)}
        where ${sql(owner)} = ${ownerId}
          and ${sql(keyColumn)} = ${key}
        returning ${columns(sql)}`);
    },
  };
}
