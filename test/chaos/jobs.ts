import type { PgBoss } from "pg-boss";
import type { Sql } from "../../src/store/database/sql.ts";

/** Stands for the minutes after which jobs of dead nodes are taken up again, and for the pauses after failures. */
export async function hastenJobs(sql: Sql, boss: PgBoss): Promise<void> {
  await sql`
    update pgboss.job
    set
      started_on = case when state = 'active' then started_on - interval '1 hour' else started_on end,
      start_after = least(start_after, now())
    where name = 'email' and state in ('active', 'retry')`;
  await boss.supervise("email");
}
