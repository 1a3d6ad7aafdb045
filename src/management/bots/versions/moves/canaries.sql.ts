import { limits } from "../../../../limits/index.ts";
import { first, type Sql } from "../../../../platform/database/sql.ts";
import { publishedEvents } from "../../../events/bot-events.sql.ts";

export type CanaryRow = {
  /** The version on which `percent` of new chats start. */
  readonly number: number;
  readonly percent: number;
  readonly since: Date | string;
  /** The version on which the other new chats start. */
  readonly currentNumber: number;
};

/** Returns the canary of a bot; undefined if the bot has no canary. */
export async function findCanary(sql: Sql, botId: string): Promise<CanaryRow | undefined> {
  return first(sql<CanaryRow[]>`
    select
      canary_number as number,
      canary_percent as percent,
      canary_since as since,
      publication_number as current_number
    from bots
    where id = ${botId}
      and canary_number is not null
      and publication_number is not null`);
}

/** Changes a canary's share of new chats. Returns false if the bot has no canary. */
export async function changeCanary(sql: Sql, { botId, percent }: { botId: string; percent: number }): Promise<boolean> {
  const rows = await sql`
    update bots
    set canary_percent = ${percent}
    where id = ${botId}
      and canary_number is not null
      and publication_number is not null
    returning 1`;
  return rows.length === 1;
}

/**
 * Publishes a canary for all visitors, under its own number. Returns the number; undefined if the bot has no canary or
 * is archived.
 */
export async function promoteCanary(
  sql: Sql,
  { botId, movesChats }: { botId: string; movesChats: boolean },
): Promise<number | undefined> {
  const [row] = await sql<{ number: number }[]>`
    with bot as (
      update bots
      set publication_number = canary_number,
        canary_number = null,
        canary_percent = null,
        canary_since = null
      where id = ${botId}
        and canary_number is not null
        and publication_number is not null
        and not is_archived
      returning id, publication_number as number, public_id
    ),
    promoted as (
      update publications p
      set is_only_canary = false,
        moves_chats_until = ${movesChats ? sql`clock() + make_interval(mins => ${limits.moves.minutes})` : sql`p.moves_chats_until`}
      from bot
      where p.bot_id = bot.id
        and p.number = bot.number
    )
    ${publishedEvents(sql)}
    select number
    from bot`;
  return row?.number;
}

/**
 * Ends a canary: new chats start on the published version. Returns the canary's number; undefined if the bot has no
 * canary.
 */
export async function endCanary(sql: Sql, botId: string): Promise<number | undefined> {
  const [row] = await sql<{ number: number }[]>`
    with before as (
      select id, canary_number as number
      from bots
      where id = ${botId}
        and canary_number is not null
      for update
    )
    update bots
    set canary_number = null,
      canary_percent = null,
      canary_since = null
    from before
    where bots.id = before.id
    returning before.number`;
  return row?.number;
}

export type VersionFigures = {
  readonly number: number;
  readonly views: number;
  readonly starts: number;
  readonly completions: number;
};

/**
 * Counts the outcomes of the chats that started on these versions since a time. Leaves out versions without outcomes.
 */
export async function countByVersion(
  sql: Sql,
  { botId, numbers, since }: { botId: string; numbers: readonly number[]; since: Date | string },
): Promise<VersionFigures[]> {
  return sql<VersionFigures[]>`
    select
      publication_number as number,
      count(*)::integer as views,
      (count(*) filter (where has_started))::integer as starts,
      (count(*) filter (where is_completed))::integer as completions
    from results
    where bot_id = ${botId}
      and not is_archived
      and created_at >= ${since}
      and publication_number = any(${[...numbers]}::integer[])
    group by publication_number`;
}
