import type { FlowBlock } from "../../core/interpreter/flow.ts";
import type { Measure } from "../../core/measures/measures.ts";
import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import type { Sql, Statements } from "../../platform/database/sql.ts";
import { idAgo, recentMinutes } from "./result-values.sql.ts";
import { type QueuePlace, queuePlaces } from "./turns.sql.ts";

/** The current state of a result that is due for counting. */
export type ResultToCount = {
  readonly resultId: string;
  /** The revision of the result's row in the queue. */
  readonly revision: number;
  /**
   * Null if the result does not exist yet or no longer exists. `createdAt`, `hasStarted`, `isCompleted` and `change`
   * are then also null.
   */
  readonly botId: string | null;
  readonly version: number;
  readonly createdAt: Date | null;
  readonly hasStarted: boolean | null;
  readonly isCompleted: boolean | null;
  /** Whether the result counts. A deleted or erased result does not count. */
  readonly isStanding: boolean;
  /** Whether the result is erased or missing, and need not be examined again. */
  readonly isGone: boolean;
  /** The time of the result's last change, and the number of steps of its chats. */
  readonly change: Date | null;
  readonly steps: number;
  /** Whether the change or the number of steps differs from the previous count. */
  readonly isChanged: boolean;
  /** The number of minutes until the result is examined again. Null: not until another statement queues it. */
  readonly nextMinutes: number | null;
};

/**
 * Returns the state of these due results. A result whose chats may continue is examined again after an interval that
 * grows with the time since its last change.
 */
export async function listResultsToCount(sql: Sql, places: readonly QueuePlace[]): Promise<ResultToCount[]> {
  return sql<ResultToCount[]>`
    with due as (
      select queue.shard, queue.result_id, queue.revision, queue.counted_change, queue.counted_steps
      from ${queuePlaces(sql, places)} as given
      join insight_results as queue on queue.shard = given.shard and queue.result_id = given.id
    ),
    due_list as materialized (
      select *
      from unnest(
        (select array_agg(shard) from due),
        (select array_agg(result_id) from due),
        (select array_agg(revision) from due),
        (select array_agg(counted_change) from due),
        (select array_agg(counted_steps) from due)
      ) as due (shard, id, revision, counted_change, counted_steps)
    ),
    found as (
      select
        due_list.id as result_id,
        due_list.revision,
        results.bot_id,
        coalesce(results.publication_number, 0) as version,
        results.created_at,
        results.has_started,
        results.is_completed,
        not coalesce(results.is_archived, true) as is_standing,
        coalesce(results.is_archived and results.erase_after is null, true) as is_erased,
        results.updated_at as change,
        chats.steps,
        (due_list.counted_change, due_list.counted_steps) is distinct from (results.updated_at, chats.steps) as is_changed,
        case
          -- So is one whose row is yet to be made.
          when chats.may_go_on and results.is_archived is not true
            then greatest(1, least(${limits.insight.longestWaitMinutes}, extract(epoch from clock() - results.updated_at) / 30))::integer
          -- One that the search for new ones would find again at once is kept until it is none any more.
          when chats.are_recent or results.id >= ${idAgo(sql, recentMinutes)}
            then ${recentMinutes + 1}
        end as next_minutes
      from due_list
      left join results on results.shard = due_list.shard and results.id = due_list.id
      cross join lateral (
        select
          coalesce(sum(sessions.revision), 0)::integer as steps,
          bool_or(sessions.id >= ${idAgo(sql, recentMinutes)}) as are_recent,
          coalesce(
            bool_or(sessions.expires_at > clock() and not (sessions.is_ended and sessions.state = '')),
            results.created_at > clock() - interval '1 day'
          ) as may_go_on
        from sessions
        where sessions.shard = due_list.shard
          -- The result of a linked bot has no chat of its own: that of the bot which links to it writes it.
          and (sessions.result_id = due_list.id or sessions.id = results.writer_session_id)
      ) as chats
    )
    select *, next_minutes is null and is_erased as is_gone
    from found`;
}

export type CountedAnswer = {
  readonly resultId: string;
  readonly blockId: string;
  readonly content: string;
  readonly createdAt: Date;
};

/** Returns the current answers of these results, up to a limit per result, cut to 2,000 characters. */
export async function listCountedAnswers(sql: Sql, resultIds: readonly string[]): Promise<CountedAnswer[]> {
  return sql<CountedAnswer[]>`
    select found.*
    from ${shardedIds(sql, resultIds)} as wanted
    cross join lateral (
      select result_id, block_id, left(content, 2000) as content, created_at
      from answers
      where answers.shard = wanted.shard
        and answers.result_id = wanted.id
        and answers.replaced_at is null
      limit ${limits.insight.rowsPerResult}
    ) as found`;
}

export type CountedEdge = { readonly resultId: string; readonly edgeId: string; readonly times: number };

/** Returns the edges off the default path that these results followed, up to a limit per result. */
export async function listCountedEdges(sql: Sql, resultIds: readonly string[]): Promise<CountedEdge[]> {
  return sql<CountedEdge[]>`
    select taken.result_id, taken.edge_id, count(*)::integer as times
    from ${shardedIds(sql, resultIds)} as wanted
    cross join lateral (
      select result_id, edge_id
      from visited_edges
      where visited_edges.shard = wanted.shard
        and visited_edges.result_id = wanted.id
      limit ${limits.insight.rowsPerResult}
    ) as taken
    group by taken.result_id, taken.edge_id`;
}

export type CountedFailure = {
  readonly resultId: string;
  /** Empty if the error has no block. */
  readonly blockId: string;
  readonly reason: string;
  readonly times: number;
  readonly lastAt: Date;
};

/** Returns the logged errors of these results, up to a limit per result, grouped by block and reason. */
export async function listCountedFailures(sql: Sql, resultIds: readonly string[]): Promise<CountedFailure[]> {
  return sql<CountedFailure[]>`
    select failed.result_id, failed.block_id, failed.reason, count(*)::integer as times, max(failed.created_at) as last_at
    from ${shardedIds(sql, resultIds)} as wanted
    cross join lateral (
      select result_id, coalesce(block_id, '') as block_id, reason, created_at
      from logs
      where logs.shard = wanted.shard
        and logs.result_id = wanted.id
        and reason is not null
      limit ${limits.insight.rowsPerResult}
    ) as failed
    group by failed.result_id, failed.block_id, failed.reason`;
}

export type ShownBlock = { readonly resultId: string; readonly blockId: string };

/** Returns the blocks that showed or asked something in the first stored steps of these results. */
export async function listShownBlocks(sql: Sql, resultIds: readonly string[]): Promise<ShownBlock[]> {
  return sql<ShownBlock[]>`
    select distinct wanted.id as result_id, shown.block_id
    from ${shardedIds(sql, resultIds)} as wanted
    join sessions on sessions.shard = wanted.shard and sessions.result_id = wanted.id
    cross join lateral (
      select response
      from steps
      where steps.shard = sessions.shard
        and steps.session_id = sessions.id
      order by revision
      limit ${limits.insight.rowsPerResult}
    ) as said
    -- Each parse of a response counts: this is most of what the count of a result costs.
    cross join lateral json_to_record(said.response) as step (messages json, input json)
    cross join lateral (
      select message.id as block_id
      from json_to_recordset(step.messages) as message (id text)
      union all
      select step.input ->> 'id'
    ) as shown
    where shown.block_id <> ''`;
}

/**
 * The question at which the last chat of a result waits or was ended. `blockId` is null if the chat waits for nothing.
 * A linked bot's result has no chat of its own: with `isLinked`, the question comes from the linking bot's chat, and
 * `runningResultId` is the result of the flow that this chat is in. Otherwise, or if the chat was ended,
 * `runningResultId` is null.
 */
export type WaitingChat = {
  readonly resultId: string;
  readonly blockId: string | null;
  readonly isLinked: boolean;
  readonly runningResultId: string | null;
};

/** Returns the questions of the last chats of these results. Chats without stored steps are left out. */
export async function listWaitingChats(sql: Sql, resultIds: readonly string[]): Promise<WaitingChat[]> {
  return sql<WaitingChat[]>`
    select
      wanted.id as result_id,
      said.response -> 'input' ->> 'id' as block_id,
      chat.is_linked,
      case when chat.is_linked then nullif(chat.state, '')::json -> 'queue' -> 0 ->> 'resultId' end as running_result_id
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    cross join lateral (
      (
        select id, state, false as is_linked
        from sessions
        where sessions.shard = wanted.shard
          and sessions.result_id = wanted.id
        order by id desc
        limit 1
      )
      union all
      select id, state, true
      from sessions
      where sessions.shard = wanted.shard
        and sessions.id = results.writer_session_id
        and sessions.result_id <> wanted.id
      limit 1
    ) as chat
    cross join lateral (
      select response
      from steps
      where steps.shard = wanted.shard
        and steps.session_id = chat.id
      order by revision desc
      limit 1
    ) as said`;
}

export type CountedBefore = Measure & { readonly resultId: string };

/**
 * Returns the previously counted `reached`, `left` and `time` measures of these results, which remain available even if
 * the counted rows are deleted.
 */
export async function listCountedBefore(sql: Sql, resultIds: readonly string[]): Promise<CountedBefore[]> {
  return sql<CountedBefore[]>`
    select insight_results.result_id, insight_measures.kind, insight_measures.subject, insight_measures.value
    from ${shardedIds(sql, resultIds)} as wanted
    join insight_results on insight_results.shard = wanted.shard and insight_results.result_id = wanted.id
    cross join unnest(insight_results.measures) as counted (measure)
    join insight_measures on insight_measures.id = counted.measure
    where insight_measures.kind in ('reached', 'left', 'time')`;
}

/** Returns the blocks of these types in a version; 0 is the published version. */
export async function listBlocksOfTypes(
  sql: Sql,
  { botId, version, types }: { botId: string; version: number; types: readonly string[] },
): Promise<FlowBlock[]> {
  const rows = await sql<{ block: FlowBlock }[]>`
    select block
    from bots
    join publications on publications.bot_id = bots.id
      and publications.number = coalesce(nullif(${version}::integer, 0), bots.publication_number)
    join flows on flows.bot_id = bots.id and flows.hash = publications.flow_hash
    cross join json_array_elements(flows.content -> 'groups') as groups (content)
    cross join json_array_elements(
      case json_typeof(groups.content -> 'blocks') when 'array' then groups.content -> 'blocks' else '[]' end
    ) as blocks (block)
    where bots.id = ${botId}
      and block ->> 'type' = any(${[...types]}::text[])`;
  return rows.map(({ block }) => block);
}

/**
 * Queues results that steps have changed, to read and count them soon. The search for new results finds them too, but
 * only after some minutes if there are very many.
 */
export async function noteChangedResults(sql: Sql, resultIds: readonly string[]): Promise<void> {
  await sql`
    with changed as materialized (
      select given.shard, given.id, results.bot_id
      from ${shardedIds(sql, resultIds)} as given
      left join results on results.shard = given.shard and results.id = given.id
    ),
    noted as (
      insert into results_to_read (shard, result_id, bot_id)
      select shard, id, bot_id
      from changed
      where not exists (
        select
        from results_to_read as known
        where known.shard = changed.shard and known.result_id = changed.id
      )
      order by id
      on conflict do nothing
    ),
    noted_to_count as (
      insert into insight_results (shard, result_id, bot_id)
      select shard, id, bot_id
      from changed
      where not exists (
        select
        from insight_results as known
        where known.shard = changed.shard and known.result_id = changed.id
      )
      order by id
      on conflict do nothing
    ),
    unread as (
      select queue.shard, queue.result_id
      from changed
      join results_to_read as queue on queue.shard = changed.shard and queue.result_id = changed.id
      where queue.next_at > clock() + interval '1 minute'
      order by queue.result_id
      for update of queue skip locked
    ),
    read_soon as (
      update results_to_read
      set next_at = clock()
      from unread
      where results_to_read.shard = unread.shard
        and results_to_read.result_id = unread.result_id
    ),
    resting as (
      select insight_results.shard, insight_results.result_id
      from changed
      join insight_results on insight_results.shard = changed.shard and insight_results.result_id = changed.id
      where insight_results.next_at is null
        or insight_results.next_at > clock() + interval '1 minute'
      order by insight_results.result_id
      for update of insight_results
    )
    update insight_results
    set next_at = clock(),
      revision = insight_results.revision + 1
    from resting
    where insight_results.shard = resting.shard
      and insight_results.result_id = resting.result_id`;
}

/**
 * Returns the part of a statement that queues results for counting although neither their rows nor their steps have
 * changed. The results are the rows of the part `failing`, with `shard` and `result_id`. Results that were never
 * counted are skipped, because they will be counted anyway.
 */
export function recountFailing(sql: Statements) {
  return sql`
    recounted as (
      update insight_results
      set next_at = clock(),
        counted_steps = null,
        revision = insight_results.revision + 1
      from failing
      where insight_results.shard = failing.shard
        and insight_results.result_id = failing.result_id
    )`;
}

/**
 * Returns the part of a statement that queues results for counting soon, like `recountFailing`. The results are the
 * rows of the part `paid`, with `shard`, `id` and `bot_id`. The part also updates the row of a result that a concurrent
 * statement queues for the first time, because that count may miss the payment.
 */
export function recountPaid(sql: Statements) {
  return sql`
    recounted as (
      insert into insight_results (shard, result_id, bot_id)
      select shard, id, bot_id
      from paid
      on conflict (shard, result_id) do update
      set next_at = clock(),
        counted_steps = null,
        revision = insight_results.revision + 1
    )`;
}

/**
 * Returns the parts of a statement that queue results for immediate counting, because the statement deletes or restores
 * them. The results are the rows of the part `using`, with `shard` and `id`.
 */
export function wakeResults(sql: Sql, { using }: { using: string }) {
  return sql`
    resting as (
      select insight_results.shard, insight_results.result_id
      from insight_results
      join ${sql(using)} as owner on owner.shard = insight_results.shard and owner.id = insight_results.result_id
      order by insight_results.result_id
      for update of insight_results
    ),
    woken as (
      update insight_results
      set next_at = clock(),
        revision = insight_results.revision + 1
      from resting
      where insight_results.shard = resting.shard
        and insight_results.result_id = resting.result_id
    )`;
}
