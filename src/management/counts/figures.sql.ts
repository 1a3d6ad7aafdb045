import type { Span } from "../../core/measures/spans.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { spanRows } from "./spans.ts";

/** The counts of one bot in a window: chats with an answer, completed chats, and chats with an error. */
export type BotFigures = {
  readonly botId: string;
  readonly botName: string;
  readonly botIcon: string | null;
  readonly starts: number;
  readonly completions: number;
  readonly failed: number;
};

/**
 * Returns the counts of a workspace's bots in these spans, without archived bots and bots without counts. With
 * `userId`, returns only bots on which this user collaborates.
 */
export async function sumFigures(
  sql: Sql,
  { workspaceId, userId, spans }: { workspaceId: string; userId: string | undefined; spans: readonly Span[] },
): Promise<BotFigures[]> {
  return sql<BotFigures[]>`
    with wanted as materialized (
      select measure.bot_id, measure.id, measure.kind
      from bots
      join insight_measures as measure on measure.bot_id = bots.id
        and measure.kind in ('start', 'completion', 'failed')
        and measure.subject = ''
        and measure.value = ''
      where bots.workspace_id = ${workspaceId}
        and not bots.is_archived
        ${userId === undefined ? sql`` : sql`and exists (select from collaborators where bot_id = bots.id and user_id = ${userId})`}
    ),
    -- One row for each bot and span, with its three numbers beside each other.
    measures as materialized (
      select
        bot_id,
        max(id) filter (where kind = 'start') as start_id,
        max(id) filter (where kind = 'completion') as completion_id,
        max(id) filter (where kind = 'failed') as failed_id
      from wanted
      group by bot_id
    ),
    counted as materialized (
      select
        measures.bot_id,
        coalesce(sum(chats[array_position(counts.measures, start_id)]), 0)::integer as starts,
        coalesce(sum(chats[array_position(counts.measures, completion_id)]), 0)::integer as completions,
        coalesce(sum(chats[array_position(counts.measures, failed_id)]), 0)::integer as failed
      from measures
      cross join ${spanRows(sql, spans)} as spans
      join insight_counts as counts on counts.bot_id = measures.bot_id
        and counts.unit = spans.unit
        and counts.starts_at >= spans.starts_from::timestamptz
        and counts.starts_at < spans.starts_before::timestamptz
      group by measures.bot_id
    )
    select bots.id as bot_id, bots.name as bot_name, bots.icon as bot_icon, starts, completions, failed
    from counted
    join bots on bots.id = counted.bot_id
    where starts > 0 or completions > 0 or failed > 0
    order by starts desc, bots.id`;
}
