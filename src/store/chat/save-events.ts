import type { Sql } from "../database/sql.ts";

/**
 * The part of a save that tells endpoints what happened: one row of the delivery log for each event and endpoint that wants
 * it. It reads what the statement has: `saved`, with a session's own result and first answer; `other_results` and
 * `other_answers` where it is said that they are there.
 * - `result.started`: the first reply of a result was accepted;
 * - `result.answered`: each reply that was accepted;
 * - `result.completed`: for the first time a step of it ended with nothing more to ask.
 * Whether a result had started or completed before is read from its row as it was before this statement; of two sessions that
 * write one result at the same moment the unique index lets one tell it.
 *
 * Only in the statement when a step of the group says that its workspace has endpoints; where there is one it adds 100 µs to a step
 * saved alone and 30 µs to each in a group of eight (one connection, PostgreSQL 18.4). Always there
 * and stopped by an InitPlan it would cost 28 µs a statement without any endpoint: a plan's nodes are set up though none is run.
 */
export function savedEvents(sql: Sql, others: { readonly hasResults: boolean; readonly hasAnswers: boolean }) {
  return sql`,
    event_rows as (
      insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content, next_attempt_at)
      select new_id(), p.id, e.type, e.bot_id, e.result_id, e.session_id, e.session_id, e.content, ${turnOf(sql, sql`e.session_id`)}
      from (
        ${ownEvents(sql)}
        ${others.hasResults ? otherResults(sql) : sql``}
        ${others.hasAnswers ? otherAnswers(sql) : sql``}
      ) e
      join bots b on b.id = e.bot_id
      join event_endpoints p on p.workspace_id = b.workspace_id
      left join results o on o.shard = e.shard and o.id = e.result_id
      where p.is_enabled
        and e.type = any(p.event_types)
        and o.is_archived is not true
        and case e.type
          when 'result.started' then o.has_started is not true
          when 'result.completed' then o.is_completed is not true
          else true
        end
      order by e.session_id, e.place
      on conflict do nothing
    )`;
}

/**
 * Whether anybody is told of what happens in a workspace, for a read that knows it as `w`: each step reads it with its session, so
 * that a save without endpoints is the statement that it would be without events. It adds 3 µs to the read of one session and 6 µs
 * to that of eight, of 75 and 150 (also beside a thousand endpoints of others). A save that does not know of an
 * endpoint is refused and begins again; a start that was under way when the first endpoint was made is not told.
 */
export function isToldOfEvents(sql: Sql) {
  return sql`exists (select from event_endpoints p where p.workspace_id = w.id and p.is_enabled)`;
}

/**
 * The part of a publication that tells endpoints of it, from the publishing statement's `bot` (id, number, public_id).
 */
export function publishedEvents(sql: Sql) {
  return sql`,
    event_rows as (
      insert into event_deliveries (id, endpoint_id, type, bot_id, order_key, content, next_attempt_at)
      select new_id(), p.id, 'bot.published', bot.id, bot.id,
        json_build_object('publicId', bot.public_id, 'number', bot.number), ${turnOf(sql, sql`bot.id`)}
      from bot
      join bots b on b.id = bot.id
      join event_endpoints p on p.workspace_id = b.workspace_id
      where p.is_enabled
        and 'bot.published' = any(p.event_types)
    )`;
}

/** When the first of a key that waits for the endpoint `p` is tried: what comes after it waits as long (`event-queue.ts`). */
function turnOf(sql: Sql, orderKey: ReturnType<Sql>) {
  return sql`coalesce(
        (
          select w.next_attempt_at
          from event_deliveries w
          where w.endpoint_id = p.id
            and w.order_key = ${orderKey}
            and w.status = 'pending'
          order by w.sequence
          limit 1
        ),
        clock()
      )`;
}

/** A result starts before its first answer is told, and completes after its last. */
function ownEvents(sql: Sql) {
  return sql`
        select s.id as session_id, s.bot_id, s.shard, s.result_id, t.type, t.place, t.content
        from saved s
        cross join lateral (
          values
            ('result.started', -1, s.has_started, null::json),
            (
              'result.answered', 0, s.block_id is not null, json_build_object(
                'blockId', s.block_id,
                'groupId', s.group_id,
                'variableId', s.variable_id,
                'content', s.content,
                'attachedFileUrls', coalesce(to_json(s.attached_file_urls::text[]), '[]')
              )
            ),
            (
              'result.completed', 32767, s.is_completed,
              case when s.is_completed then json_build_object('variables', s.variables::json) end
            )
        ) as t (type, place, is_so, content)
        where s.result_id is not null
          and t.is_so`;
}

function otherResults(sql: Sql) {
  return sql`
        union all
        select s.id, r.bot_id, r.shard, r.id, t.type, t.place, t.content
        from other_results r
        join saved s on s.id = r.session_id
        cross join lateral (
          values
            ('result.started', -1, r.has_started, null::json),
            (
              'result.completed', 32767, r.is_completed,
              case when r.is_completed then json_build_object('variables', r.variables::json) end
            )
        ) as t (type, place, is_so, content)
        where t.is_so`;
}

function otherAnswers(sql: Sql) {
  return sql`
        union all
        select s.id, a.bot_id, a.shard, a.result_id, 'result.answered', a.position, json_build_object(
          'blockId', a.block_id,
          'groupId', a.group_id,
          'variableId', a.variable_id,
          'content', a.content,
          'attachedFileUrls', coalesce(to_json(a.attached_file_urls::text[]), '[]')
        )
        from other_answers a
        join saved s on s.id = a.session_id`;
}
