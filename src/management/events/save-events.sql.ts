import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { turnOf } from "./bot-events.sql.ts";

/**
 * Returns the part of a save that writes the delivery log: one row for each event and each endpoint that subscribes to
 * it. It reads other parts of the statement: `saved`, with a session's own result and first answer, and, depending on
 * `others`, `other_results` and `other_answers`. The events are:
 * - `result.started`: the first reply of a result was accepted
 * - `result.answered`: a reply was accepted
 * - `result.completed`: the first step of the result after which no question remains
 *
 * The result's row as it was before this statement shows whether the result had already started or completed. If two
 * sessions write one result at the same moment, the unique index drops one of two equal events.
 *
 * The statement contains this part only if a step of the batch has endpoints in its workspace. With one endpoint, the
 * part adds 100 µs to a step that is saved alone and 30 µs to each step in a batch of eight (one connection, PostgreSQL
 * 18.4). If the part were always present, each statement without an endpoint would cost 28 µs more, because PostgreSQL
 * also sets up the nodes of a plan that it does not run.
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
 * Returns the SQL condition that the workspace `w` of a read has an enabled endpoint. Each step reads this with its
 * session, so that a save without endpoints has no part for events. The condition adds 3 µs to the read of one session
 * (75 µs) and 6 µs to that of eight (150 µs), even with a thousand endpoints of other workspaces. A step that was read
 * before its workspace got its first endpoint is not saved and runs again. A start that read its bot earlier sends no
 * event.
 */
export function hasEventEndpoints(sql: Sql) {
  return sql`exists (select from event_endpoints p where p.workspace_id = w.id and p.is_enabled)`;
}

/**
 * Selects the events of a session's own result in order: the start precedes the first answer, and the completion
 * follows the last answer.
 */
function ownEvents(sql: Sql) {
  return sql`
        select s.id as session_id, s.bot_id, s.shard, s.result_id, t.type, t.place, t.content
        from saved s
        cross join lateral (
          values
            ${startAndEnd(sql, { row: sql`s`, variables: ownVariables(sql) })},
            ('result.answered', 0, s.block_id is not null, ${answerOf(sql, sql`s`)})
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
            ${startAndEnd(sql, { row: sql`r`, variables: chatVariables(sql, sql`r.variables`) })}
        ) as t (type, place, is_so, content)
        where t.is_so
          and (r.is_new or exists (select from results k where k.shard = r.shard and k.id = r.id))`;
}

function otherAnswers(sql: Sql) {
  return sql`
        union all
        select s.id, a.bot_id, a.shard, a.result_id, 'result.answered', a.position, ${answerOf(sql, sql`a`)}
        from other_answers a
        join saved s on s.id = a.session_id
        where a.is_new
          or a.result_id = s.result_id
          or exists (select from results k where k.shard = a.shard and k.id = a.result_id)`;
}

/** Selects the result's variables after this save. Other chats of the result may have set some of the variables. */
function ownVariables(sql: Sql) {
  return sql`coalesce(
                (select merged_variables(r.variables, s.variables) from results r where r.shard = s.shard and r.id = s.result_id),
                ${chatVariables(sql, sql`s.variables`)}
              )`;
}

/**
 * Selects the variables of a single chat from the format of a save. The schema describes this format at
 * `merged_variables`.
 */
export function chatVariables(sql: Sql, sent: ReturnType<Fragment>) {
  return sql`split_part(${sent}, E'\\x1f', 1)::json`;
}

function startAndEnd(
  sql: Sql,
  { row, variables }: { readonly row: ReturnType<Fragment>; readonly variables: ReturnType<Fragment> },
) {
  return sql`('result.started', -1, ${row}.has_started, null::json),
            (
              'result.completed', 32767, ${row}.is_completed,
              case when ${row}.is_completed then json_build_object('variables', ${variables}) end
            )`;
}

function answerOf(sql: Sql, row: ReturnType<Fragment>) {
  return sql`json_build_object(
          'blockId', ${row}.block_id,
          'groupId', ${row}.group_id,
          'variableId', ${row}.variable_id,
          'content', ${row}.content,
          'attachedFileUrls', coalesce(to_json(${row}.attached_file_urls::text[]), '[]')
        )`;
}
