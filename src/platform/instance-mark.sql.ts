import { first, type Sql } from "./database/sql.ts";

const ofDatabase = "database";

/**
 * Returns a mark that distinguishes a database from its copy on another server. If the role may not read the server's
 * identifier, the mark does not contain the identifier.
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

/**
 * Whether a mark was created by `databaseMark`, for an instance without an address. Instances of earlier releases
 * without an address had no mark.
 */
export function isOfDatabase(mark: string): boolean {
  return mark.startsWith(`${ofDatabase} `);
}
