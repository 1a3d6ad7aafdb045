import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { answerMarks } from "./answer-marks.ts";
import { type QueuePlace, queuePlaces } from "./turns.sql.ts";

const { keyCharacters } = limits.resultValues;

/** The maximum number of new rows of one shard that a walk finds in one statement. */
const perShard = 32;

/** The next walk finds rows of the last minutes again, because a row with a smaller id may be saved later. */
const againMinutes = 10;
/** A result stays in the queue for at least as long as a walk may find it. */
export const recentMinutes = againMinutes + 5;

/**
 * Queues new results, and results that a new session writes to, so that they are read and counted. Continues in each
 * shard after the last known row. Most results are already queued (`noteChangedResults`). Returns the number of new
 * rows in both queues or, if there were none, the number of shards that may have more.
 */
export async function findResultsToRead(sql: Sql, table: "results" | "sessions"): Promise<number> {
  const last = sql(table === "results" ? "result_id" : "session_id");
  const [row] = await sql<[{ count: number }]>`
    with found as (
      select found.*
      from result_walks
      cross join lateral (
        select shard, id, ${table === "results" ? sql`id` : sql`result_id`} as result_id, created_at
        from ${sql(table)} as source
        where source.shard = result_walks.shard
          and source.id > result_walks.${last}
        order by source.id
        limit ${perShard}
      ) as found
    ),
    owned as materialized (
      -- They wait since they began: so it is known what lacks while many are found at once.
      select found.shard, found.result_id, min(results.bot_id::text)::uuid as bot_id, min(found.created_at) as created_at
      from found
      left join results on results.shard = found.shard and results.id = found.result_id
      where found.result_id is not null
      group by found.shard, found.result_id
    ),
    noted as (
      insert into results_to_read (shard, result_id, bot_id, next_at)
      select shard, result_id, bot_id, least(created_at, clock())
      from owned
      where not exists (
          select
          from results_to_read as known
          where known.shard = owned.shard
            and known.result_id = owned.result_id
        )
      order by result_id
      on conflict do nothing
      returning 1
    ),
    noted_to_count as (
      insert into insight_results (shard, result_id, bot_id, next_at)
      select shard, result_id, bot_id, least(created_at, clock())
      from owned
      where true
        -- Whom there is nothing to tell is not locked either.
        and not exists (
          select
          from insight_results as known
          where known.shard = owned.shard
            and known.result_id = owned.result_id
            ${table === "results" ? sql`` : sql`and known.next_at is not null`}
        )
      order by result_id
      on conflict ${
        table === "results"
          ? sql`do nothing`
          : sql`(shard, result_id) do update
            set next_at = clock(),
              revision = insight_results.revision + 1
            where insight_results.next_at is null`
      }
      returning 1
    ),
    ends as (
      select distinct on (shard) shard, id
      from found
      where id < ${idAgo(sql, againMinutes)}
      order by shard, id desc
    ),
    moved as (
      update result_walks
      set ${last} = ends.id
      from ends
      where result_walks.shard = ends.shard
    )
    select coalesce(
      nullif((select count(*) from noted) + (select count(*) from noted_to_count), 0),
      (
        select count(*)
        from (select shard from found group by shard having count(*) = ${perShard}) as full_shards
        join ends on ends.shard = full_shards.shard
      )
    )::integer as count`;
  return row.count;
}

/** Whether there are results of an earlier release whose answers have not been read yet. */
export async function hasUnreadAnswers(sql: Sql): Promise<boolean> {
  const rows = await sql`select from result_walks where answers_from is not null limit 1`;
  return rows.length > 0;
}

/**
 * Queues results of an earlier release, which did not read answers. Each result is queued once, shard by shard. Must
 * not be called while a node of such a release is connected, because that node may read results without answers.
 * Returns the number of queued results or, if there were none, the number of shards with more results.
 */
export async function findResultsWithUnreadAnswers(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with walks as (
      select shard, answers_from
      from result_walks
      where answers_from is not null
    ),
    found as materialized (
      select walks.shard, found.*
      from walks
      cross join lateral (
        select id, bot_id, created_at
        from results
        where results.shard = walks.shard
          and results.id > walks.answers_from
        order by id
        limit ${perShard}
      ) as found
    ),
    noted as (
      insert into results_to_read (shard, result_id, bot_id, next_at)
      select shard, id, bot_id, least(created_at, clock())
      from found
      order by id
      -- One that was read by an older node is read anew.
      on conflict (shard, result_id) do update
      set read_at = null,
        bot_id = excluded.bot_id,
        next_at = excluded.next_at
      returning 1
    ),
    moved as (
      update result_walks
      set answers_from = ends.id
      from walks
      left join (
        select shard, max(id::text)::uuid as id
        from found
        group by shard
        having count(*) = ${perShard}
      ) as ends on ends.shard = walks.shard
      where result_walks.shard = walks.shard
      returning ends.id
    )
    select coalesce(nullif((select count(*) from noted), 0), (select count(id) from moved))::integer as count`;
  return row.count;
}

/**
 * Reads the values of these results: values of variables, and current or withdrawn answers that their variable does not
 * contain. A result whose chats may continue is read again after an interval that doubles up to a maximum. Any other
 * result leaves the queue once the search for new results can no longer find it. An erased result has no values.
 * Returns the number of read results, without results that another process is reading.
 */
export async function readResultValues(sql: Sql, places: readonly QueuePlace[]): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with due as (
      select queue.shard, queue.result_id, queue.read_at, queue.times_read
      from ${queuePlaces(sql, places)} as given
      join results_to_read as queue on queue.shard = given.shard and queue.result_id = given.id
      for update of queue skip locked
    ),
    due_list as materialized (
      select *
      from unnest(
        (select array_agg(shard) from due),
        (select array_agg(result_id) from due),
        (select array_agg(read_at) from due)
      ) as due (shard, id, read_at)
    ),
    found as materialized (
      select results.shard, results.id, results.updated_at,
        ${isUnread(sql, sql`due_list.read_at`)} as is_changed
      from due_list
      join results on results.shard = due_list.shard and results.id = due_list.id
      where not results.is_archived or results.erase_after is not null
    ),
    changed as materialized (
      -- One that is being erased gets no values any more: its erasure waits for this statement, or it is not locked here.
      select results.shard, results.id, results.bot_id, results.created_at, results.variables
      from found
      join results on results.shard = found.shard and results.id = found.id
      where found.is_changed
        and (not results.is_archived or results.erase_after is not null)
      for key share of results skip locked
    ),
    held as materialized (
      -- They stay in the queue.
      select found.shard, found.id
      from found
      where found.is_changed
        and not exists (select from changed where changed.shard = found.shard and changed.id = found.id)
    ),
    variable_values as materialized (
      select changed.shard, changed.id, changed.bot_id, changed.created_at, saved.*
      from changed
      cross join lateral (
        select distinct left(variable ->> 'name', ${keyCharacters}) as name, left(one.value, ${keyCharacters}) as value,
          variable ->> 'id' as variable_id
        from json_array_elements(changed.variables) as variable
        cross join lateral json_array_elements_text(
          case json_typeof(variable -> 'value') when 'array' then variable -> 'value' else json_build_array(variable -> 'value') end
        ) as one (value)
        where one.value <> ''
        limit ${limits.resultValues.perResult}
      ) as saved
    ),
    answer_values as materialized (
      select changed.shard, changed.id, changed.bot_id, changed.created_at, saved.*
      from changed
      cross join lateral (
        select
          left(case when bool_or(is_standing) then ${answerMarks.standing} else ${answerMarks.former} end || variable_id, ${keyCharacters}) as name,
          value,
          variable_id
        from (
          select variable_id, left(content, ${keyCharacters}) as value, replaced_at is null as is_standing
          from answers
          where answers.shard = changed.shard
            and answers.result_id = changed.id
            and variable_id is not null
            and content <> ''
        ) as given
        group by variable_id, value
        order by bool_or(is_standing) desc
        limit ${limits.resultValues.perResult}
      ) as saved
      where not exists (
          select
          from variable_values
          where variable_values.shard = changed.shard
            and variable_values.id = changed.id
            and variable_values.variable_id = saved.variable_id
            and variable_values.value = saved.value
        )
    ),
    said as materialized (
      select * from variable_values
      union all
      select * from answer_values
    ),
    unsaid as (
      delete from result_values
      using changed
      where result_values.shard = changed.shard
        and result_values.result_id = changed.id
        and not exists (
          select
          from said
          where said.shard = result_values.shard
            and said.id = result_values.result_id
            and said.name = result_values.name
            and said.value = result_values.value
        )
    ),
    saved as (
      insert into result_values (shard, result_id, name, value, bot_id, created_at)
      select shard, id, name, value, bot_id, created_at
      from said
      on conflict do nothing
    ),
    places as materialized (
      select found.shard, found.id, found.updated_at, chats.*
      from found
      cross join lateral (
        select
          coalesce(bool_or(sessions.expires_at > clock() and not (sessions.is_ended and sessions.state = '')), false) as may_go_on,
          found.id >= ${idAgo(sql, recentMinutes)} or coalesce(bool_or(sessions.id >= ${idAgo(sql, recentMinutes)}), false) as is_recent
        from sessions
        where sessions.shard = found.shard
          and sessions.result_id = found.id
      ) as chats
    ),
    lasting as materialized (
      select *
      from places
      -- One that the search would find again at once is kept, too.
      where (may_go_on or is_recent)
        and not exists (select from held where held.shard = places.shard and held.id = places.id)
    ),
    kept as (
      update results_to_read
      set read_at = lasting.updated_at,
        times_read = least(times_read + 1, 100),
        next_at = clock() + make_interval(mins =>
          case when may_go_on then least(power(2, least(times_read, 10)), ${limits.resultValues.longestWaitMinutes})::integer else ${recentMinutes + 1} end
        )
      from lasting
      where results_to_read.shard = lasting.shard
        and results_to_read.result_id = lasting.id
    ),
    forgotten as (
      delete from results_to_read
      using due_list
      where results_to_read.shard = due_list.shard
        and results_to_read.result_id = due_list.id
        and not exists (select from lasting where lasting.shard = due_list.shard and lasting.id = due_list.id)
        and not exists (select from held where held.shard = due_list.shard and held.id = due_list.id)
    )
    select count(*)::integer as count
    from due`;
  return row.count;
}

/** Returns the SQL condition that a row of `results` has changed since `readAt`, or was never read (null). */
export function isUnread(sql: Sql, readAt: ReturnType<Sql>): ReturnType<Sql> {
  return sql`(${readAt} is distinct from results.updated_at or exists (
          -- An answer that changed no variable, or changed one back.
          select
          from answers
          where answers.shard = results.shard
            and answers.result_id = results.id
            and (answers.created_at > ${readAt} or answers.replaced_at > ${readAt})
        ))`;
}

/** Returns the smallest id that a row created this many minutes ago can have. */
export function idAgo(sql: Sql, minutes: number): ReturnType<Sql> {
  return idBefore(sql, sql`clock() - make_interval(mins => ${minutes})`);
}

/** Returns the smallest id that a row created at this moment can have. */
export function idBefore(sql: Sql, moment: ReturnType<Sql>): ReturnType<Sql> {
  return sql`(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
}
