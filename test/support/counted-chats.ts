import type { Sql } from "../../src/platform/database/sql.ts";

export type CountedChats = {
  readonly kind: "start" | "completion" | "failed";
  readonly chats: number;
  readonly hoursAgo: number;
};

/** Stores counts of a bot's chats per quarter of an hour and per day, like the job of the insight module. */
export async function putCounts(sql: Sql, botId: string, ...counted: readonly CountedChats[]): Promise<void> {
  for (const { kind, chats, hoursAgo } of counted) {
    await sql`
      with measure as (
        insert into insight_measures (bot_id, kind, subject, value)
        values (${botId}, ${kind}, '', '')
        on conflict (bot_id, kind, subject, value) do update set kind = excluded.kind
        returning id
      )
      insert into insight_counts (bot_id, unit, starts_at, version, measures, chats, times)
      select
        ${botId},
        unit,
        case unit
          when 'day' then date_trunc('day', clock() - make_interval(hours => ${hoursAgo}), 'UTC')
          else date_bin('15 minutes', clock() - make_interval(hours => ${hoursAgo}), 'epoch')
        end,
        -- A version of its own, since a bot may be counted several times in one span.
        (random() * 2000000000)::integer, array[id], array[${chats}::integer], array[${chats}::integer]
      from measure
      cross join unnest(array['quarter', 'day']) as unit`;
  }
}
