import type { Sql } from "../../src/platform/database/sql.ts";

/**
 * Moves the clock of a test's database: it is these seconds before (or, negative, behind) the server's, for all that
 * begins afterwards on any connection; 0 sets it right. Both clocks of a database move: ours, `clock()`, and that of
 * the queue, `pgboss.job_now()`, where a queue was opened. Safe to call again and again, and from any process.
 */
export async function moveClock(sql: Sql, seconds: number): Promise<void> {
  const moved = (time: string) => `${time} + interval '${Number(seconds)} seconds'`;
  // As the migration and pg-boss declare them: plans that are kept are made again, with the same cost as before.
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
