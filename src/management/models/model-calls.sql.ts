import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { countOf, type Sql } from "../../platform/database/sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";

/** A call of a model, with its request and response as JSON texts, which may be truncated. */
export type ModelCallRow = {
  readonly id: string;
  readonly botId: string;
  readonly resultId: string;
  readonly sessionId: string;
  readonly blockId: string;
  readonly type: string;
  readonly model: string;
  readonly ended: string;
  readonly tries: number;
  readonly firstTextMs: number | null;
  readonly durationMs: number;
  readonly tokensIn: number | null;
  readonly tokensCached: number | null;
  readonly tokensOut: number | null;
  readonly isEstimated: boolean;
  readonly money: number | null;
  readonly request: string;
  readonly answer: string | null;
  readonly createdAt: Date;
};

/**
 * Stores a call with its result, unless the result was deleted or erased while the chat was running. In the first step
 * of a chat, the call is stored although its result does not exist yet.
 */
export async function insertModelCall(
  sql: Sql,
  call: Omit<ModelCallRow, "id" | "createdAt"> & { readonly workspaceId: string; readonly isNewChat: boolean },
): Promise<void> {
  const shard = shardOf(call.resultId);
  await sql`
    insert into model_calls (
      shard, result_id, id, bot_id, workspace_id, session_id, block_id, type, model, ended, tries, first_text_ms, duration_ms,
      tokens_in, tokens_cached, tokens_out, is_estimated, money, request, answer
    )
    select
      ${shard}::smallint, ${call.resultId}::uuid, ${newId(shard)}::uuid, ${call.botId}::uuid, ${call.workspaceId}::uuid,
      ${call.sessionId}::uuid, ${call.blockId}::text, ${call.type}::text, ${call.model}::text, ${call.ended}::text,
      ${call.tries}::smallint, ${call.firstTextMs}::integer, ${call.durationMs}::integer, ${call.tokensIn}::bigint,
      ${call.tokensCached}::bigint, ${call.tokensOut}::bigint, ${call.isEstimated}::boolean, ${call.money}::numeric,
      ${call.request}::text, ${call.answer}::text
    where coalesce(
      (
        select not results.is_archived
        from results
        where results.shard = ${shard}
          and results.id = ${call.resultId}
      ),
      ${call.isNewChat}::boolean
    )`;
}

/** Returns the calls of a result, newest first. */
export async function listModelCalls(
  sql: Sql,
  { resultId, after, limit }: { resultId: string; after: Position | undefined; limit: number },
): Promise<ModelCallRow[]> {
  return sql<ModelCallRow[]>`
    select
      id,
      bot_id,
      result_id,
      session_id,
      block_id,
      type,
      model,
      ended,
      tries,
      first_text_ms,
      duration_ms,
      tokens_in::float8 as tokens_in,
      tokens_cached::float8 as tokens_cached,
      tokens_out::float8 as tokens_out,
      is_estimated,
      money::float8 as money,
      request,
      answer,
      created_at
    from model_calls
    where shard = ${shardOf(resultId)}
      and result_id = ${resultId}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/** Deletes calls whose retention in their workspace has ended. Returns the number of deleted rows. */
export async function deleteOldModelCalls(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    with recursive known as (
      (
        select workspace_id
        from model_calls
        order by workspace_id
        limit 1
      )
      union all
      select (
        select model_calls.workspace_id
        from model_calls
        where model_calls.workspace_id > known.workspace_id
        order by model_calls.workspace_id
        limit 1
      )
      from known
      where known.workspace_id is not null
    ),
    old as (
      select found.shard, found.result_id, found.id
      from known
      left join model_settings on model_settings.workspace_id = known.workspace_id
      cross join lateral (
        select shard, result_id, id
        from model_calls
        where model_calls.workspace_id = known.workspace_id
          and model_calls.created_at <= clock() - make_interval(
            days => coalesce(model_settings.keep_calls_days, ${limits.modelBudgets.keepDays})::integer
          )
        order by model_calls.created_at
        limit ${limit}
      ) as found
      limit ${limit}
    )
    delete from model_calls
    using unnest(
      (select array_agg(shard) from old), (select array_agg(result_id) from old), (select array_agg(id) from old)
    ) as gone (shard, result_id, id)
    where model_calls.shard = gone.shard
      and model_calls.result_id = gone.result_id
      and model_calls.id = gone.id`);
}
