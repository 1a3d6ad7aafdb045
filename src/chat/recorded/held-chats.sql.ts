import type { Dialect } from "../../core/flow/dialect.ts";
import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

/**
 * A result with an answer, and the longest chat of this result. All columns of the chat are null if no chat is still
 * stored.
 */
export type HeldChatRow = Position & {
  readonly sessionId: string | null;
  readonly dialect: Dialect | null;
  readonly flowHash: string | null;
  readonly isEnded: boolean | null;
  readonly revision: number | null;
};

/** Lists the bot's latest results with an answer, newest first, each with its chat. */
export async function listHeldChats(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<HeldChatRow[]> {
  return sql<HeldChatRow[]>`
    select r.created_at, r.id, s.id as session_id, s.dialect, encode(s.flow_hash, 'hex') as flow_hash, s.is_ended, s.revision
    from (
      select shard, id, created_at
      from results
      where bot_id = ${botId}
        and not is_archived
        and has_started
        ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
      order by created_at desc, id desc
      limit ${limit}
    ) r
    left join lateral (
      select *
      from sessions
      where sessions.shard = r.shard
        and sessions.result_id = r.id
        and sessions.bot_id = ${botId}
      order by sessions.revision desc, sessions.id desc
      limit 1
    ) s on true
    order by r.created_at desc, r.id desc`;
}

/**
 * Reads the first steps of these sessions, in order. The result is a list of lists as JSON text, which this process
 * passes on unparsed. Each step contains its revision, its reply, its response as text, its inputs, and the revision to
 * which its visitor went back. A response beyond the size limit is null. If the inputs of a chat exceed their limit,
 * the responses and inputs of its remaining steps are null.
 */
export async function readHeldSteps(sql: Sql, sessionIds: readonly string[]): Promise<string> {
  const [row] = await sql<[{ steps: string | null }]>`
    select json_agg(coalesce(held.steps, '[]'::json) order by wanted.index)::text as steps
    from ${shardedIds(sql, sessionIds)} as wanted
    left join lateral (
      select json_agg(
        json_build_array(
          first.revision,
          first.reply,
          case
            when first.kept_bytes > ${limits.replay.chatBytes}::integer then null
            when octet_length(first.response::text) <= ${limits.replay.responseBytes}::integer then first.response::text
          end,
          case when first.kept_bytes <= ${limits.replay.chatBytes}::integer then first.inputs end,
          first.went_back_to
        )
        order by first.revision
      ) as steps
      from (
        select *, sum(octet_length(inputs)) over (order by steps.revision) as kept_bytes
        from steps
        where steps.shard = wanted.shard
          and steps.session_id = wanted.id
        order by steps.revision
        limit ${limits.replay.stepsOfChat}::integer
      ) as first
    ) as held on true`;
  return row.steps ?? "[]";
}
