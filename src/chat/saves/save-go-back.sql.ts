import type { ResultToSave } from "../../core/tasks/messages.ts";
import { chatVariables } from "../../management/events/save-events.sql.ts";
import { boolean, bulk, json, smallint, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { type KeptCall, keptCalls } from "./postponed-calls.sql.ts";
import type { Beside, StepToSave } from "./records.ts";
import { sentVariables } from "./save-parts.sql.ts";
import { savedTimers, timedSessions, untimed } from "./timers.sql.ts";

/** A step that goes back. */
export type GoBackToSave = StepToSave & {
  /** The revision whose question is asked again. */
  readonly wentBackTo: number;
  /** The revision of the step whose answer is removed. */
  readonly takenBack: number;
  /** Whether the chat had ended. The chat is open again afterwards. */
  readonly wasEnded: boolean;
  readonly keptCalls: readonly KeptCall[];
  /** The version to which the chat should move again, if the step is `moved`. */
  readonly movingTo: number | null;
};

type ResultOfGoBack = { readonly result: ResultToSave; readonly isOwn: boolean };

const resultRows = bulk<ResultOfGoBack>({
  shard: smallint(({ result }) => shardOf(result.resultId)),
  id: uuid(({ result }) => result.resultId),
  variables: json(({ result }) => sentVariables(result)),
  changes: json(({ result }) => result.changes),
  is_own: boolean(({ isOwn }) => isOwn),
});

/**
 * Saves a step that goes back, in one statement. The checks are the same as for other steps (`save-steps.sql.ts`),
 * except that the chat may have ended. Returns false without any change if a check fails.
 *
 * - The answers of the removed step are marked as replaced, in every result that the state before the step writes.
 * - Results get the values of variables from before the step. In a result that other chats also write, a variable is
 *   restored only if it still has the value that this chat wrote. A result that this chat had completed is no longer
 *   complete, unless another chat of the result has ended.
 * - Time limits of later questions end. The repeated question starts its own time limit.
 * - Later calls from other programs are kept until the chat reaches their blocks again.
 * - If the restored state cannot move to the chat's current version, the chat returns to the state's version.
 * - Edges that were visited since then are removed, so that a visitor who takes another path is not counted on both
 *   paths.
 */
export async function saveGoBack(sql: Sql, step: GoBackToSave, { isBesideOlder }: Beside): Promise<boolean> {
  const { sessionId, resultId, revision, visitedBefore, wentBackTo, takenBack, wasEnded } = step;
  const results = step.results.map((result) => ({ result, isOwn: result.resultId === resultId }));
  const shard = shardOf(sessionId);
  const isWriter = isBesideOlder ? sql`false` : sql`r.writer_session_id = c.session_id`;
  const timed = step.timer?.open ? timedSessions([step], "s.id") : untimed;
  const rows = await sql`
    with ${timed.list(sql)}
    saved as (
      update sessions s
      set
        ${step.moved ? movedBack(step.moved, step.movingTo)(sql) : nothing(sql)}
        revision = s.revision + 1,
        last_step_id = ${step.stepId},
        state = ${step.state},
        is_ended = false,
        updated_at = greatest(clock(), s.updated_at + interval '1 millisecond'),
        expires_at = ${timed.atLeast(sql)} date_trunc('minute', clock()) + make_interval(mins => s.lifetime_minutes + 1) ${timed.untilTime(sql)},
        expires_hour = ${timed.atLeast(sql)} date_trunc('hour', clock() + make_interval(mins => s.lifetime_minutes + 61)) ${timed.untilHour(sql)},
        claim_step_id = null,
        claim_hash = null,
        claim_now = null,
        claim_seed = null,
        claim_until = null
      where s.shard = ${shard}
        and s.id = ${sessionId}
        and s.revision = ${revision}
        and s.expires_at > clock()
        and (s.claim_until is null or s.claim_until <= clock() or s.claim_step_id = ${step.stepId})
        and not exists (
          select
          from bots b
          join workspaces w on w.id = b.workspace_id
          where b.id = s.bot_id and w.is_suspended
        )
      returning s.shard, s.id, s.bot_id, s.result_id, s.revision
    ),
    step_rows as (
      insert into steps (shard, session_id, revision, id, bot_id, key, request_hash, response, inputs, went_back_to)
      select shard, id, revision, ${step.stepId}, bot_id, ${step.key}, decode(${step.requestHash}, 'hex'),
        ${step.response}::text::json, ${step.inputs ?? null}, ${wentBackTo}
      from saved
    ),
    taken_back as (
      update steps t
      set state_before = null
      from saved s
      where t.shard = s.shard and t.session_id = s.id and t.revision = ${takenBack}
    ),
    changed as (
      select i.*, s.id as session_id
      from ${resultRows(sql, results)} as i
      cross join saved s
    ),
    result_rows as (
      update results r
      set
        variables = case
          when not c.is_own or ${isWriter} then ${chatVariables(sql, sql`c.variables`)}
          -- A chat that had ended at a node of an earlier release.
          when c.changes is null then merged_variables(r.variables, c.variables)
          else taken_back_variables(r.variables, c.changes::json)
        end,
        writer_session_id = case when ${isWriter} then r.writer_session_id end,
        is_completed = case
          when not c.is_own then false
          when ${wasEnded} then r.is_completed and exists (
            select
            from sessions o
            where o.shard = r.shard and o.result_id = r.id and o.id <> c.session_id and o.is_ended
          )
          else r.is_completed
        end,
        updated_at = greatest(clock(), r.updated_at + interval '1 millisecond')
      from changed c
      where r.shard = c.shard
        and r.id = c.id
        and (not r.is_archived or r.erase_after is not null)
    ),
    answer_rows as (
      update answers a
      set replaced_at = clock()
      from changed c
      where a.shard = c.shard
        and a.result_id = c.id
        and a.session_id = c.session_id
        and a.revision = ${takenBack}
    ),
    edge_rows as (
      delete from visited_edges e
      using saved s
      where e.shard = s.shard
        and e.result_id = s.result_id
        and e.session_id = s.id
        and e.position >= ${visitedBefore}
    ),
    timers_gone as (
      delete from due_steps d
      using saved s
      where d.shard = s.shard and d.session_id = s.id and d.visit is not null
    )
    ${step.timer ? savedTimers([step])(sql) : nothing(sql)}
    ${step.keptCalls.length > 0 ? keptCalls(step.keptCalls)(sql) : nothing(sql)}
    select 1
    from saved`;
  return rows.length === 1;
}

function movedBack({ flowHash, number }: NonNullable<StepToSave["moved"]>, movingTo: number | null): Fragment {
  return (sql) => sql`
        flow_hash = decode(${flowHash}, 'hex'),
        publication_number = ${number},
        moving_to = ${movingTo},`;
}
