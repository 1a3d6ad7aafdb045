import type { Sql } from "../../platform/database/sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";

/** A step that runs without a request (`chat/due`). */
type AddedStep = {
  readonly sessionId: string;
  readonly botId: string;
  readonly kind: string;
  readonly content: unknown;
};

/** Adds a row that is due immediately. */
export async function addDueStep(sql: Sql, row: AddedStep): Promise<void> {
  await sql`
    insert into due_steps (shard, session_id, id, bot_id, kind, content, due, held_until)
    values (
      ${shardOf(row.sessionId)}, ${row.sessionId}, ${newId()}, ${row.botId}, ${row.kind},
      ${JSON.stringify(row.content)}::text::json, clock(), clock()
    )`;
}

/**
 * Like `addDueStep`, for a step that is due later. Does nothing if the session already has a row of this kind and
 * content.
 */
export async function addLaterStep(sql: Sql, row: AddedStep, { seconds }: { seconds: number }): Promise<void> {
  const shard = shardOf(row.sessionId);
  const content = JSON.stringify(row.content);
  await sql`
    insert into due_steps (shard, session_id, id, bot_id, kind, content, due, held_until)
    select ${shard}::smallint, ${row.sessionId}::uuid, ${newId()}::uuid, ${row.botId}::uuid, ${row.kind}::text,
      ${content}::text::json, later.due, later.due
    from (select clock() + make_interval(secs => ${seconds}) as due) as later
    where not exists (
      select
      from due_steps
      where shard = ${shard}::smallint
        and session_id = ${row.sessionId}::uuid
        and kind = ${row.kind}::text
        and content::text = ${content}::text
    )`;
}
