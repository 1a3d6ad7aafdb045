import type { Sql } from "../../src/platform/database/sql.ts";

/**
 * Moves the clock of a test's database: it is these seconds before (or, negative, behind) the server's, for all later
 * statements on any connection; 0 resets it. Both clocks of a database move: the service's, `clock()`, and that of the
 * queue, `pgboss.job_now()`, if a queue was opened. It may be called repeatedly, and from any process.
 */
export async function moveClock(sql: Sql, seconds: number): Promise<void> {
  const moved = (time: string) => `${time} + interval '${Number(seconds)} seconds'`;
  // Declared like in the migration and in pg-boss: stored plans are made again, with the same cost as before.
  await sql.unsafe(`
    create or replace function clock() returns timestamptz(3)
      language sql stable parallel safe
      return date_trunc('milliseconds', ${moved("statement_timestamp()")});
    do $move$
    begin
      if to_regprocedure('pgboss.job_now()') is not null then
        create or replace function pgboss.job_now() returns timestamptz
          language sql stable
          as $now$ select ${moved("pg_catalog.now()")} $now$;
      end if;
    end
    $move$`);
}
