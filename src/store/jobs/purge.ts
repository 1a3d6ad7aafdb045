import type { Sql } from "../database/sql.ts";
import { removeResults } from "./clean-up.ts";

/**
 * A deleted bot that still has something that visitors said: its erasure was broken off. Those of deleted workspaces have their
 * grace period first.
 */
export async function findBotToErase(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select bots.id
    from bots
    join workspaces on workspaces.id = bots.workspace_id
    where bots.is_archived
      and workspaces.deleted_at is null
      and (
        -- Whether the first entry of an index from there on is the bot's; store/jobs/clean-up.ts says why not with exists.
        bots.id = (select bot_id from results where not is_archived and bot_id >= bots.id order by bot_id limit 1)
        or bots.id = (select bot_id from sessions where bot_id >= bots.id order by bot_id limit 1)
      )
    limit 1`;
  return row?.id;
}

/** A bot that was deleted, by itself or with its workspace, before these days. */
export async function findBotToPurge(sql: Sql, days: number): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from bots
    where is_archived
      and updated_at <= clock() - make_interval(days => ${days})
    order by updated_at
    limit 1`;
  return row?.id;
}

/** Removes what is left of a deleted bot's erased results. Returns how many results went. */
export async function purgeResults(sql: Sql, { botId, limit }: { botId: string; limit: number }): Promise<number> {
  return removeResults(sql, sql`bot_id = ${botId} and is_archived`, limit);
}

/** Removes a deleted bot with its flows, publications and collaborators. */
export async function purgeBot(sql: Sql, botId: string): Promise<void> {
  await sql`
    with purged as (
      delete from bots
      where id = ${botId}
        and is_archived
      returning id
    )
    delete from flows
    using purged
    where flows.bot_id = purged.id`;
}

/** Removes workspaces that were deleted before these days and have no bots left, with all that is in them. */
export async function purgeWorkspaces(sql: Sql, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { count } = await sql`
    delete from workspaces
    where id = any(array(
      select id
      from workspaces
      where deleted_at <= clock() - make_interval(days => ${days})
        and workspaces.id is distinct from (
          select workspace_id from bots where workspace_id >= workspaces.id order by workspace_id limit 1
        )
      limit ${limit}
    ))`;
  return count;
}
