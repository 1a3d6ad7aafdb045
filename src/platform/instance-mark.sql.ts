import { first, type Sql } from "./database/sql.ts";

const ofDatabase = "database";

/**
 * Distinguishes a database from a copy of it on another server. A role that may not read the server's identifier gets
 * only the first word.
 */
export async function databaseMark(sql: Sql): Promise<string> {
  const row = await first(sql<{ id: string }[]>`
    select
      case
        when has_function_privilege('pg_control_system()', 'execute')
          then (select system_identifier::text from pg_control_system())
        else ''
      end || '.' || (select oid::text from pg_database where datname = current_database()) as id`);
  return `${ofDatabase} ${row?.id ?? ""}`;
}

/** Whether a mark belongs to a database without an address: before this release such instances had none. */
export function isOfDatabase(mark: string): boolean {
  return mark.startsWith(`${ofDatabase} `);
}
