import type { Sql } from "../../../../src/platform/database/sql.ts";

/** Triggers on all tables record which rows change, because reading every row would take longer with each workspace. */
export type WrittenTables = {
  /** All watched tables. */
  readonly tables: readonly string[];
  forget(): Promise<void>;
  /** Returns the tables whose rows have changed since the last call of `forget`. */
  changed(): Promise<readonly string[]>;
};

/**
 * Stores, for each table, how many rows were added and removed, and the sum of their hashes. The last use of a token is
 * excluded, because rejected calls record it, too.
 */
export async function watchTables(sql: Sql): Promise<WrittenTables> {
  const found = await sql<{ name: string }[]>`
    select tablename as name
    from pg_tables
    where schemaname = 'public'`;
  const tables = found.map(({ name }) => name);
  await sql.unsafe(`
    create schema watched;
    create table watched.writes (name text, rows integer, hash numeric);
    create function watched.note() returns trigger language plpgsql as $$
      begin
        if tg_op = 'TRUNCATE' then
          insert into watched.writes values (tg_table_name, 1, 0);
          return null;
        end if;
        if tg_op <> 'INSERT' then
          insert into watched.writes values (tg_table_name, -1, -hashtextextended((to_jsonb(old) - 'last_used_at')::text, 0)::numeric);
        end if;
        if tg_op <> 'DELETE' then
          insert into watched.writes values (tg_table_name, 1, hashtextextended((to_jsonb(new) - 'last_used_at')::text, 0));
        end if;
        return null;
      end
    $$`);
  for (const name of tables) {
    await sql`
      create trigger watch_rows after insert or update or delete on ${sql(name)}
      for each row execute function watched.note()`;
    await sql`
      create trigger watch_truncation after truncate on ${sql(name)}
      for each statement execute function watched.note()`;
  }
  return {
    tables,
    async forget() {
      await sql`truncate watched.writes`;
    },
    async changed() {
      const rows = await sql<{ name: string }[]>`
        select name
        from watched.writes
        group by name
        having sum(rows) <> 0 or sum(hash) <> 0
        order by name`;
      return rows.map(({ name }) => name);
    },
  };
}
