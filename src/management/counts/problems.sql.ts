import type { Span } from "../../core/measures/spans.ts";
import { bulk, smallint, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { spanRows } from "./spans.ts";

/** A problem of a bot: a block that failed, and the reason. `blockId` is empty if the error has no block. */
type Problem = { readonly botId: string; readonly blockId: string; readonly reason: string };

export type ProblemSum = Problem & {
  readonly kind: "view" | "failed" | "failure";
  readonly chats: number;
  readonly times: number;
};

/**
 * Returns the counts in these spans for a workspace's bots that ever had an error: chats, chats with errors, and chats
 * for each block and reason. With `userId`, returns only bots on which this user collaborates.
 */
export async function sumProblems(
  sql: Sql,
  { workspaceId, userId, spans }: { workspaceId: string; userId: string | undefined; spans: readonly Span[] },
): Promise<ProblemSum[]> {
  return sql<ProblemSum[]>`
    with failing as materialized (
      select bots.id
      from bots
      where bots.workspace_id = ${workspaceId}
        and bots.deleted_at is null
        and not bots.is_archived
        and exists (select from insight_measures where bot_id = bots.id and kind = 'failed')
        ${userId === undefined ? sql`` : sql`and exists (select from collaborators where bot_id = bots.id and user_id = ${userId})`}
    )
    select
      m.bot_id,
      m.kind,
      m.subject as block_id,
      m.value as reason,
      sum(entry.chats)::integer as chats,
      sum(entry.times)::integer as times
    from failing
    cross join ${spanRows(sql, spans)} as spans
    join insight_counts c on c.bot_id = failing.id
      and c.unit = spans.unit
      and c.starts_at >= spans.starts_from::timestamptz
      and c.starts_at < spans.starts_before::timestamptz
    cross join unnest(c.measures, c.chats, c.times) as entry (measure, chats, times)
    join insight_measures m on m.id = entry.measure
    where m.kind in ('view', 'failed', 'failure')
    group by m.bot_id, m.kind, m.subject, m.value
    having sum(entry.chats) > 0`;
}

const problemRows = bulk<Problem>({
  bot_id: uuid(({ botId }) => botId),
  block_id: text(({ blockId }) => blockId),
  reason: text(({ reason }) => reason),
});

export type ProblemPlace = Problem & {
  readonly botName: string;
  readonly groupTitle: string | null;
  readonly blockType: string | null;
  readonly seenAt: Date | null;
  readonly resultId: string | null;
};

/**
 * Returns where these problems occur in the published flow, and the last result with each problem. `resultId` is null
 * if no such result exists any more.
 */
export async function findProblemPlaces(sql: Sql, problems: readonly Problem[]): Promise<ProblemPlace[]> {
  return sql<ProblemPlace[]>`
    with wanted as materialized (
      select *
      from ${problemRows(sql, problems)} as given
    ),
    places as materialized (
      select bots.id as bot_id, block ->> 'id' as block_id, block ->> 'type' as type, groups.content ->> 'title' as title
      from bots
      join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
      join flows on flows.bot_id = bots.id and flows.hash = publications.flow_hash
      cross join json_array_elements(flows.content -> 'groups') as groups (content)
      cross join json_array_elements(
        case json_typeof(groups.content -> 'blocks') when 'array' then groups.content -> 'blocks' else '[]' end
      ) as blocks (block)
      where bots.id in (select bot_id from wanted)
    )
    select
      wanted.bot_id,
      wanted.block_id,
      wanted.reason,
      bots.name as bot_name,
      places.title as group_title,
      places.type as block_type,
      example.seen_at,
      results.id as result_id
    from wanted
    join bots on bots.id = wanted.bot_id
    left join places on places.bot_id = wanted.bot_id and places.block_id = wanted.block_id
    left join problem_examples example on example.bot_id = wanted.bot_id
      and example.block_id = wanted.block_id
      and example.reason = wanted.reason
    left join results on results.shard = example.shard
      and results.id = example.result_id
      and not results.is_archived`;
}

export type ProblemExample = Problem & { readonly resultId: string; readonly seenAt: Date };

const exampleRows = bulk<ProblemExample>({
  bot_id: uuid(({ botId }) => botId),
  block_id: text(({ blockId }) => blockId),
  reason: text(({ reason }) => reason),
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  seen_at: text(({ seenAt }) => seenAt.toISOString()),
});

/**
 * Stores the last result of each problem, unless a later result is already stored. Each problem must occur only once in
 * the list.
 */
export async function saveProblemExamples(sql: Sql, examples: readonly ProblemExample[]): Promise<void> {
  await sql`
    insert into problem_examples as e (bot_id, block_id, reason, shard, result_id, seen_at)
    select given.bot_id, given.block_id, given.reason, given.shard, given.result_id, given.seen_at::timestamptz
    from ${exampleRows(sql, examples)} as given
    where exists (select from bots where bots.id = given.bot_id)
    order by given.bot_id, given.block_id, given.reason
    on conflict (bot_id, block_id, reason) do update
    set shard = excluded.shard,
      result_id = excluded.result_id,
      seen_at = excluded.seen_at
    where e.seen_at < excluded.seen_at`;
}
