import { limits } from "../../limits/index.ts";
import { deletedWith } from "../../platform/database/deleted.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

const mega = 1024 * 1024;

/** The exhausted budget: the budget of all anonymous previews, or the budget of one address. */
export type FullBudget = "all" | "address";

/**
 * Counts a new preview, or the data that a step adds to a preview, against the budgets. If a budget would be exceeded,
 * writes nothing and returns the budget. Concurrent calls can exceed a budget.
 */
export async function chargePreview(
  sql: Sql,
  { botId, address, bytes }: { botId: string; address: Uint8Array | null; bytes: number },
): Promise<FullBudget | undefined> {
  const [row] = await sql<[{ exceeded: FullBudget | null }]>`
    with own as (
      select address
      from anonymous_previews
      where bot_id = ${botId}
    ),
    kept as (
      select
        count(*) as flows,
        coalesce(sum(bytes), 0) as bytes,
        count(*) filter (where is_same) as same_flows,
        coalesce(sum(bytes) filter (where is_same), 0) as same_bytes
      from (
        select bytes, address = coalesce((select address from own), ${address}::bytea) as is_same
        from anonymous_previews
      ) as each
    ),
    verdict as (
      select
        case
          when (flows >= ${limits.anonymousPreviews.flows} and not exists (select from own)) or bytes + ${bytes}::bigint > ${limits.anonymousPreviews.megabytes * mega}::bigint then 'all'
          when (same_flows >= ${limits.anonymousPreviews.flowsPerAddress} and not exists (select from own))
            or same_bytes + ${bytes}::bigint > ${limits.anonymousPreviews.megabytesPerAddress * mega}::bigint then 'address'
        end as exceeded
      from kept
    ),
    charged as (
      insert into anonymous_previews (bot_id, address, bytes)
      select ${botId}, ${address}::bytea, ${bytes}::bigint
      from verdict
      where exceeded is null
      on conflict (bot_id) do update
      set bytes = anonymous_previews.bytes + excluded.bytes
    )
    select exceeded
    from verdict`;
  return row.exceeded ?? undefined;
}

/**
 * Deletes previews that started more than an hour ago, with their flows, sessions, steps and keys. Returns the number
 * of deleted previews.
 */
export async function deleteOldPreviews(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with old as materialized (
      delete from anonymous_previews
      where bot_id = any(array(
        select bot_id
        from anonymous_previews
        where created_at <= clock() - make_interval(mins => ${limits.anonymousPreviews.minutes})
        order by created_at
        limit ${limit}
      ))
      returning bot_id
    ),
    flows_gone as (
      delete from flows
      where bot_id = any(array(select bot_id from old))
    ),
    ended as (
      delete from sessions
      where bot_id = any(array(select bot_id from old))
        and publication_number is null
      returning shard, id
    ),
    keys_gone as (
      delete from start_keys
      where session_id = any(array(select id from ended))
    ),
    steps_gone as (${deletedWith(sql, "steps", { using: "ended" })}),
    timers_gone as (${deletedWith(sql, "due_steps", { using: "ended" })})
    select count(*)::integer as count
    from old`;
  return row.count;
}
