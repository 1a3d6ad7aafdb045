import type { Sql } from "../../src/platform/database/sql.ts";

/**
 * Sets the clock of a test's database ahead of the server's clock by `seconds`, or behind if negative, for all later
 * statements on any connection. 0 resets the clock. Both clocks of the database are changed: `clock()` of the service
 * and, if a queue was opened, `pgboss.job_now()`. The function may be called repeatedly and from any process.
 */
export async function moveClock(sql: Sql, seconds: number): Promise<void> {
  const moved = (time: string) => `${time} + interval '${Number(seconds)} seconds'`;
  // The functions are declared as in the migration and in pg-boss, so that stored plans are replaced by plans with the
  // same cost.
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
