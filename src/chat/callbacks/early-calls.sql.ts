import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";

/** A stored call that arrived before its chat reached the block. */
export type EarlyCall = { readonly blockId: string; readonly message: string; readonly key: string | null };

/**
 * Stores a call until its chat reaches the block. A call with a repeated key is stored only once. Returns false if too
 * many calls wait for the chat.
 */
export async function addEarlyCall(
  sql: Sql,
  { sessionId, botId, content }: { sessionId: string; botId: string; content: EarlyCall },
): Promise<boolean> {
  const shard = shardOf(sessionId);
  const rows = await sql`
    with waiting as (
      select content ->> 'key' as key
      from due_steps
      where shard = ${shard} and session_id = ${sessionId} and kind = 'call'
    ),
    added as (
      insert into due_steps (shard, session_id, id, bot_id, kind, content, due, held_until)
      select ${shard}, ${sessionId}, ${newId()}, ${botId}, 'call', ${JSON.stringify(content)}::text::json, clock(), clock()
      where (select count(*) from waiting) < ${limits.earlyCalls.perChat}
        and not exists (select from waiting where key = ${content.key})
      returning 1
    )
    select from added
    union all
    select from waiting where key = ${content.key}`;
  return rows.length > 0;
}

/** Whether a call has already continued a session, at any block that waits for calls. */
export async function hasTakenCall(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select
    from steps s
    join steps listening
      on listening.shard = s.shard and listening.session_id = s.session_id and listening.revision = s.revision - 1
    where s.shard = ${shardOf(sessionId)}
      and s.session_id = ${sessionId}
      and s.reply ->> 'type' = 'text'
      and listening.response::text like '%"listenForWebhook"%'
    limit 1`;
  return rows.length > 0;
}
