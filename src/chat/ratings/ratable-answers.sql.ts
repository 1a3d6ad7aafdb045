import type { RatedBubble } from "../../management/ratings/ratings.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * Returns whether a session's version accepts ratings, and the inputs of the step that shows a model's answer in this
 * bubble. The inputs are null if the bubble shows no answer, or its step was undone.
 */
export async function findRatable(
  sql: Sql,
  {
    sessionId,
    revision,
    blockId,
    botId,
    flowHash,
  }: RatedBubble & { readonly botId: string; readonly flowHash: string },
): Promise<{ readonly isRated: boolean; readonly inputs: string | null }> {
  const [row] = await sql<[{ isRated: boolean; inputs: string | null }?]>`
    select
      coalesce((f.facts ->> 'isRated')::boolean, false) as is_rated,
      (
        select coalesce(t.inputs, '')
        from steps t
        cross join json_array_elements(t.response -> 'messages') as message
        where t.shard = ${shardOf(sessionId)}
          and t.session_id = ${sessionId}
          and t.revision = ${revision}
          and message ->> 'id' = ${blockId}
          and (message ->> 'isAnswer')::boolean
          -- Not gone back over.
          and not exists (
            select
            from steps later
            where later.shard = t.shard
              and later.session_id = t.session_id
              and later.revision > t.revision
              and later.went_back_to < t.revision
          )
        limit 1
      ) as inputs
    from flows f
    where f.bot_id = ${botId} and f.hash = decode(${flowHash}, 'hex')`;
  return row ?? { isRated: false, inputs: null };
}
