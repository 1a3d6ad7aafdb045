import { limits } from "../../limits/index.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * Extends the session that a returning client continues, and returns whether the client can continue its result.
 * Existing clients start again on each reload, and then continue the oldest session that their result has in this
 * publication. If there is no such session, the client starts over, so any live session of the result is sufficient. If
 * the client may have missed the response to a recent reply, the reply is marked for `resent-replies.ts`.
 */
export async function keepResumedSession(
  sql: Sql,
  { resultId, publicationNumber }: { resultId: string; publicationNumber: number },
): Promise<boolean> {
  const [row] = await sql<[{ goesOn: boolean }]>`
    with of_result as (
      select shard, id, publication_number = ${publicationNumber} as is_current, expires_at > clock() as is_alive
      from sessions
      where shard = ${shardOf(resultId)} and result_id = ${resultId}
    ),
    held as (
      select shard, id, is_alive
      from of_result
      where is_current
      order by id
      limit 1
    ),
    under_way as (
      select t.session_id, t.id, t.request_hash
      from held h
      join sessions s on s.shard = h.shard and s.id = h.id
      join steps t on t.shard = s.shard and t.session_id = s.id and t.revision = s.revision
      where (s.claim_step_id is null or s.claim_step_id = s.last_step_id)
        and s.revision > 1
        and ${isRecent(sql, sql`t.created_at`, limits.existingClients.reloadSeconds)}
    ),
    kept as (
      update sessions s
      set
        expires_at = date_trunc('minute', clock()) + make_interval(mins => s.lifetime_minutes + 1),
        expires_hour = date_trunc('hour', clock() + make_interval(mins => s.lifetime_minutes + 61)),
        claim_step_id = coalesce(u.id, s.claim_step_id),
        claim_hash = coalesce(u.request_hash, s.claim_hash),
        claim_now = case when u.id is null then s.claim_now else clock() end,
        claim_seed = case when u.id is null then s.claim_seed else '' end,
        claim_until = case when u.id is null then s.claim_until else clock() + make_interval(secs => ${limits.existingClients.resendSeconds}) end
      from held h
      left join under_way u on u.session_id = h.id
      where s.shard = h.shard
        and s.id = h.id
        and h.is_alive
        -- Asked once more of the row as it is once it is locked: it may have been stepped or claimed since.
        and (
          u.id is null
          or (s.last_step_id = u.id and (s.claim_step_id is null or s.claim_step_id = u.id))
        )
    )
    select coalesce((select is_alive from held), exists (select from of_result where is_alive)) as goes_on`;
  return row.goesOn;
}

/**
 * Removes the mark of a reply whose response the client may have missed. Returns false if the mark no longer exists.
 */
export async function removeResendMark(
  sql: Sql,
  { sessionId, stepId }: { sessionId: string; stepId: string },
): Promise<boolean> {
  const rows = await sql`
    update sessions
    set claim_step_id = null, claim_hash = null, claim_now = null, claim_seed = null, claim_until = null
    where shard = ${shardOf(sessionId)}
      and id = ${sessionId}
      and claim_step_id = ${stepId}
      and last_step_id = ${stepId}
    returning 1`;
  return rows.length === 1;
}
