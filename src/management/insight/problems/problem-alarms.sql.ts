import { limits } from "../../../limits/index.ts";
import { isRecent } from "../../../platform/database/spans.sql.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { botEvents } from "../../events/bot-events.sql.ts";

/**
 * Sends `bot.failing` for bots that fail unusually often. Their chats of the last hour have a much higher share of
 * errors than their chats of the week before (`limits.insight.alarms`). Each bot gets at most one such event in
 * `quietHours` hours. Returns the number of bots.
 */
export async function raiseProblemAlarms(sql: Sql): Promise<number> {
  const { fewestChats, factor, leastUsualShare, highestShare, quietHours } = limits.insight.alarms;
  const [row] = await sql<[{ count: number }]>`
    with failing as materialized (
      select distinct problem_examples.bot_id, date_bin('15 minutes', clock(), 'epoch') - interval '45 minutes' as hour
      from problem_examples
      join bots on bots.id = problem_examples.bot_id
      where problem_examples.seen_at > clock() - interval '2 hours'
        and bots.deleted_at is null
        and not bots.is_archived
    ),
    counted as (
      select
        failing.bot_id,
        coalesce(sum(entry.chats) filter (where c.starts_at >= hour and m.kind = 'view'), 0)::integer as chats,
        coalesce(sum(entry.chats) filter (where c.starts_at >= hour and m.kind = 'failed'), 0)::integer as failed,
        coalesce(
          sum(entry.chats) filter (where c.starts_at < hour and m.kind = 'failed')::float8
            / nullif(sum(entry.chats) filter (where c.starts_at < hour and m.kind = 'view'), 0),
          0
        ) as usual
      from failing
      join insight_counts c on c.bot_id = failing.bot_id
        and c.unit = 'quarter'
        and c.starts_at >= failing.hour - interval '7 days'
      cross join unnest(c.measures, c.chats) as entry (measure, chats)
      join insight_measures m on m.id = entry.measure
      where m.kind in ('view', 'failed')
      group by failing.bot_id
    ),
    unusual as (
      select *
      from counted
      where failed >= ${fewestChats}
        and failed >= chats * least(greatest(usual, ${leastUsualShare}::float8) * ${factor}, ${highestShare}::float8)
        and failed >= chats * usual * 2
    ),
    raised as (
      insert into problem_alarms as a (bot_id, raised_at)
      select bot_id, clock()
      from unusual
      order by bot_id
      on conflict (bot_id) do update
      set raised_at = clock()
      where not ${isRecent(sql, sql`a.raised_at`, quietHours * 3_600)}
      returning bot_id
    )
    ${botEvents(sql, {
      type: "bot.failing",
      from: sql`raised join unusual on unusual.bot_id = raised.bot_id`,
      botId: sql`raised.bot_id`,
      orderKey: sql`raised.bot_id`,
      content: {
        chats: sql`unusual.chats`,
        failedChats: sql`unusual.failed`,
        percent: sql`round((100 * unusual.failed / greatest(unusual.chats, 1))::numeric, 1)`,
        usualPercent: sql`round((100 * unusual.usual)::numeric, 1)`,
      },
    })}
    select count(*)::integer as count
    from raised`;
  return row.count;
}
