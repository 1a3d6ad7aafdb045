import { chatVariables } from "../../management/events/save-events.sql.ts";
import {
  boolean,
  bulk,
  bulkOrOne,
  bulkValues,
  hex,
  integer,
  json,
  smallint,
  text,
  uuid,
} from "../../platform/database/bulk.ts";
import { createRepeated, type Fragment, nothing } from "../../platform/database/fragment.sql.ts";

import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { Beside, StepToSave } from "./records.ts";
import {
  causesEvents,
  isPlain,
  optionalParts,
  ownColumns,
  type StepWithOwnRows,
  withOwnRows,
} from "./save-parts.sql.ts";
import { statesBefore } from "./states-before.sql.ts";
import { timedSessions, untimed } from "./timers.sql.ts";
import { tracedSteps } from "./traced-steps.sql.ts";

const stepColumns = {
  shard: smallint(({ step }: StepWithOwnRows) => shardOf(step.sessionId)),
  id: uuid(({ step }: StepWithOwnRows) => step.sessionId),
  revision: integer(({ step }: StepWithOwnRows) => step.revision),
  step_id: uuid(({ step }: StepWithOwnRows) => step.stepId),
  key: text(({ step }: StepWithOwnRows) => step.key),
  request_hash: hex(({ step }: StepWithOwnRows) => step.requestHash),
  reply: json(({ step }: StepWithOwnRows) => step.reply),
  response: json(({ step }: StepWithOwnRows) => step.response),
  inputs: json(({ step }: StepWithOwnRows) => step.inputs),
  state: json(({ step }: StepWithOwnRows) => step.state),
  is_ended: boolean(({ step }: StepWithOwnRows) => step.isEnded),
  was_read: boolean(({ step }: StepWithOwnRows) => step.wasRead),
  has_event_endpoints: boolean(({ step }: StepWithOwnRows) => step.hasEventEndpoints),
  ...ownColumns,
};

const stepRows = bulkOrOne<StepWithOwnRows>(stepColumns);
const valuesOf = bulkValues<StepWithOwnRows>(stepColumns);

type Saved = { readonly index: number };

/**
 * The statements without optional parts, and those with only the part for events. Each exists for a single step and for
 * several steps.
 */
const createPlain = () => ({ one: createRepeated<Saved>(), several: createRepeated<Saved>() });
const plain = { alone: createPlain(), besideOlder: createPlain() };
const withEvents = { alone: createPlain(), besideOlder: createPlain() };

/**
 * Saves many steps in one statement, and returns the ids of the saved sessions. A step is only written if it passes the
 * check in `saved`: the revision is unchanged, the session is alive, its workspace is not suspended and has no new
 * event endpoint, and no other step has a claim. Only a step that read the session may replace an expired claim. The
 * list may contain at most one step per session.
 *
 * The parts that every step has (its state, response, own result and one answer) are sent in one list and not joined
 * again. Rarer parts (`save-parts.sql.ts`) are added if a step has them.
 *
 * The database's CPU time per step is 227 µs for a single step, 72 µs in batches of 8, and 46 µs in batches of 32. With
 * a separate list and join per table, the times are 282, 75 and 66 µs. Measured with one connection, Bun 1.4.4 and
 * PostgreSQL 18.4.
 */
export async function saveSteps(
  sql: Sql,
  steps: readonly StepToSave[],
  { isBesideOlder }: Beside = { isBesideOlder: false },
): Promise<Set<string>> {
  // The steps are sorted by id. The list is read row by row, and each session is found by its key, so two concurrent
  // batches lock rows in the same order. A test checks the plan, and after a deadlock the loser is retried row by row.
  const ordered = [...steps].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const rows = ordered.map(withOwnRows);
  const beside = isBesideOlder ? "besideOlder" : "alone";
  const saved = rows.every(isPlain) ? await savePlain(sql, rows, beside) : await writeSteps(sql, rows, beside);
  const savedIds = new Set<string>();
  for (const { index } of saved) {
    const step = ordered[index - 1];
    if (step) savedIds.add(step.sessionId);
  }
  return savedIds;
}

function savePlain(sql: Sql, rows: readonly StepWithOwnRows[], beside: keyof typeof plain): Promise<readonly Saved[]> {
  const values = valuesOf(rows);
  if (rows.length > 1) values.push(rows.length);
  const statements = (causesEvents(rows) ? withEvents : plain)[beside];
  return statements[rows.length > 1 ? "several" : "one"].run(sql, values, () => writeSteps(sql, rows, beside));
}

function writeSteps(sql: Sql, rows: readonly StepWithOwnRows[], beside: keyof typeof plain) {
  const merged = sql`merged_variables(r.variables, s.variables)`;
  const isWriter = beside === "alone" ? sql`r.writer_session_id = s.id` : sql`false`;
  const isAlone = sql`${isWriter} or ${merged}::text = ${chatVariables(sql, sql`s.variables`)}::text`;
  const writer = beside === "alone" ? sql`case when ${isAlone} then s.id end` : sql`null`;
  const steps = rows.map(({ step }) => step);
  const rest = optionalParts(rows);
  const kept = statesBefore(steps);
  const moved = movedSteps(steps);
  const traced = tracedSteps(steps);
  const timed = steps.some(({ timer }) => timer?.open) ? timedSessions(steps, "s.id") : untimed;
  return sql<Saved[]>`
    with input as (
      select *
      from ${stepRows(sql, rows)} as i
      ${rows.length > 1 ? sql`limit ${rows.length}::integer` : nothing(sql)}
    ),
    ${moved.list(sql)}
    ${timed.list(sql)}
    saved as (
      update sessions s
      set
        ${moved.columns(sql)}
        revision = s.revision + 1,
        last_step_id = i.step_id,
        state = coalesce(i.state, ''),
        is_ended = i.is_ended,
        updated_at = greatest((select clock()), s.updated_at + interval '1 millisecond'),
        expires_at = ${timed.atLeast(sql)} date_trunc('minute', (select clock())) + make_interval(mins => s.lifetime_minutes + 1) ${timed.untilTime(sql)},
        expires_hour = ${timed.atLeast(sql)} date_trunc('hour', (select clock()) + make_interval(mins => s.lifetime_minutes + 61)) ${timed.untilHour(sql)},
        claim_step_id = null,
        claim_hash = null,
        claim_now = null,
        claim_seed = null,
        claim_until = null
      from input i
      where s.shard = i.shard
        and s.id = i.id
        and s.revision = i.revision
        and not s.is_ended
        and s.expires_at > (select clock())
        and (s.claim_until is null or (i.was_read and s.claim_until <= (select clock())) or s.claim_step_id = i.step_id)
        -- The first subquery runs once a statement, and the second only if some workspace is suspended. \`offset 0\` has it look for the session's
        -- own bot: otherwise a plan that was made while few workspaces were suspended lists the bots of all of them at each save.
        and (
          not (select exists (select from workspaces where is_suspended))
          or not exists (
            select
            from bots b
            join workspaces w on w.id = b.workspace_id
            where b.id = s.bot_id and w.is_suspended
            offset 0
          )
        )
        -- Likewise: a step that ran without knowing of an endpoint begins again.
        and (
          i.has_event_endpoints
          or not (select exists (select from event_endpoints where is_enabled))
          or not exists (
            select
            from bots b
            join event_endpoints p on p.workspace_id = b.workspace_id
            where b.id = s.bot_id and p.is_enabled
            offset 0
          )
        )
      returning s.shard, s.id, s.bot_id, s.result_id, s.revision, i.step_id, i.key, i.request_hash, i.reply, i.response,
        i.inputs, i.variables, i.has_started, i.is_completed, i.block_id, i.group_id, i.variable_id, i.content, i.attached_file_urls, i.index
    ),
    ${kept.list(sql)}
    ${traced.list(sql)}
    step_rows as (
      insert into steps (shard, session_id, revision, id, bot_id, key, request_hash, reply, response, inputs, created_at
        ${kept.column(sql)} ${traced.column(sql)})
      select shard, id, revision, step_id, bot_id, key, decode(request_hash, 'hex'), reply::json, response::json, inputs,
        (select clock()) ${kept.value(sql)} ${traced.value(sql)}
      from saved
      on conflict do nothing
    ),
    result_rows as (
      update results r
      set
        variables = case
          when ${isWriter} then ${chatVariables(sql, sql`s.variables`)}
          else ${merged}
        end,
        writer_session_id = ${writer},
        has_started = r.has_started or s.has_started,
        is_completed = r.is_completed or s.is_completed,
        updated_at = greatest((select clock()), r.updated_at + interval '1 millisecond')
      from saved s
      where s.variables is not null
        and r.shard = s.shard
        and r.id = s.result_id
        and (r.is_archived::integer = 0 or r.erase_after is not null)
    ),
    answer_rows as (
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls, created_at)
      select shard, result_id, id, revision, 0, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls::text[], (select clock())
      from saved
      where block_id is not null and result_id is not null
      on conflict do nothing
    )
    ${rest(sql)}
    select index::integer as index
    from saved`;
}

const movedRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  flow_hash: hex(({ moved }) => moved?.flowHash ?? ""),
  number: integer(({ moved }) => moved?.number ?? null),
});

/**
 * Returns the part of a save that moves sessions to another version. It is empty if no step of the batch moves, so that
 * the statement can be reused.
 */
function movedSteps(steps: readonly StepToSave[]): { readonly list: Fragment; readonly columns: Fragment } {
  const moved = steps.filter((step) => step.moved !== undefined);
  if (moved.length === 0) return { list: nothing, columns: nothing };
  return {
    list: (sql) => sql`
    moved as (
      select *
      from ${movedRows(sql, moved)} as i
    ),`,
    columns: (sql) => sql`
        flow_hash = coalesce((select decode(m.flow_hash, 'hex') from moved m where m.session_id = s.id), s.flow_hash),
        publication_number = coalesce((select m.number from moved m where m.session_id = s.id), s.publication_number),
        moving_to = case when exists (select from moved m where m.session_id = s.id) then null else s.moving_to end,`,
  };
}
