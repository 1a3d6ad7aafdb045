import { authorsDetails, type StepLog } from "../../core/interpreter/program/outcome.ts";
import { limits } from "../../limits/index.ts";
import { recountFailing } from "../../management/counts/counted-results.sql.ts";
import { bulk, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql, Statements } from "../../platform/database/sql.ts";
import { truncate } from "../../platform/database/truncate.ts";
import { newId, shardOf } from "../../platform/ids.ts";

/** Counts the log entries of a result, up to `most`. */
export async function countLogs(sql: Sql, resultId: string, most: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (
      select
      from logs
      where shard = ${shardOf(resultId)} and result_id = ${resultId}
      limit ${most}
    ) as counted`;
  return row.count;
}

/** The columns of a stored log entry. Long texts are truncated. */
export const logColumns = {
  id: uuid(() => newId()),
  status: text(({ log }: { log: StepLog }) => truncate(log.status ?? "error", limits.logs.descriptionCharacters)),
  description: text(({ log }: { log: StepLog }) => truncate(log.description, limits.logs.descriptionCharacters)),
  details: text(({ log }: { log: StepLog }) => {
    const details = authorsDetails(log);
    return details && truncate(details, limits.logs.detailsCharacters);
  }),
  context: text(({ log }: { log: StepLog }) => log.context && truncate(log.context, limits.logs.descriptionCharacters)),
  block_id: text(({ log }: { log: StepLog }) => log.blockId),
  reason: text(({ log }: { log: StepLog }) => log.reason),
};

const logRows = bulk<{ log: StepLog }>(logColumns);

/**
 * Adds log entries to a result, unless the result is in the bin or erased. Also queues the result for counting, because
 * no step has changed it.
 */
export async function appendLogs(
  sql: Statements,
  { resultId, botId, logs }: { resultId: string; botId: string; logs: readonly StepLog[] },
): Promise<void> {
  await sql`
    with failing as (
      select ${shardOf(resultId)}::smallint as shard, ${resultId}::uuid as result_id
    ),
    ${recountFailing(sql)}
    insert into logs (shard, result_id, id, bot_id, status, description, details, context, block_id, reason)
    select failing.shard, failing.result_id, l.id, ${botId}::uuid, l.status, l.description, l.details, l.context, l.block_id, l.reason
    from ${logRows(
      sql,
      logs.map((log) => ({ log })),
    )} as l
    cross join failing
    where exists (
      select
      from results
      where shard = ${shardOf(resultId)} and id = ${resultId} and not is_archived
    )
    order by l.index`;
}

/** Saves the result of a rejected start, with a log entry about the rejection. The result is counted as a view. */
export async function saveRefusedStart(
  sql: Sql,
  { resultId, botId, log }: { resultId: string; botId: string; log: StepLog },
): Promise<void> {
  await sql`
    with result as (
      insert into results (shard, id, bot_id)
      values (${shardOf(resultId)}, ${resultId}, ${botId})
      on conflict do nothing
    )
    insert into logs (shard, result_id, id, bot_id, status, description, details, block_id, reason)
    values (
      ${shardOf(resultId)}, ${resultId}, ${newId()}, ${botId}, ${log.status ?? "error"},
      ${truncate(log.description, limits.logs.descriptionCharacters)}, ${truncate(log.details ?? "", limits.logs.detailsCharacters)},
      ${log.blockId ?? null}, ${log.reason ?? null}
    )`;
}
