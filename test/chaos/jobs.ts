import type { PgBoss } from "pg-boss";
import type { Sql } from "../../src/platform/database/sql.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { openQueue } from "../../src/platform/queue/queue.sql.ts";
import { waitFor } from "../support/wait.ts";
import type { World } from "./world.ts";

const mailsWithinMs = 180_000;

/** Waits for a mail of each conversation. Returns a sentence about the missing mails, if any. */
export async function deliverMails(ends: AsyncDisposableStack, world: World, count: number): Promise<string[]> {
  const { database, sql, mailServer } = world;
  const queue = await openQueue({ url: database.url, log: createLog("silent") });
  ends.defer(queue.stop);
  const subjects = () => new Set(mailServer.mails.map(({ headers }) => headers["subject"]));
  const areAllThere = async (): Promise<boolean> => {
    if (subjects().size >= count) return true;
    await hastenJobs(sql, queue.boss);
    return false;
  };
  return await waitFor(areAllThere, { withinMs: mailsWithinMs, what: "all mails" }).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

/** Makes jobs of dead nodes and failed jobs resume without a wait. */
async function hastenJobs(sql: Sql, boss: PgBoss): Promise<void> {
  await sql`
    update pgboss.job
    set
      started_on = case when state = 'active' then started_on - interval '1 hour' else started_on end,
      start_after = least(start_after, now())
    where name = 'email' and state in ('active', 'retry')`;
  await boss.supervise("email");
}
