import { newId, shardOf, toUuid } from "../../ids.ts";
import type { Job } from "../../interpreter/job.ts";
import type { StepLog } from "../../interpreter/outcome.ts";
import type { SavedAnswer } from "../../interpreter/step.ts";
import { limits } from "../../limits.ts";
import type { ResultToSave } from "../../threads/messages.ts";
import { plainArray, textArray } from "../database/arrays.ts";
import { cut } from "../database/cut.ts";
import type { Sql } from "../database/sql.ts";
import { savedEvents } from "./save-events.ts";
import type { StepToSave } from "./save-steps.ts";

/** What a step leaves behind, taken apart into what every step has and the rest. */
export type SplitStep = {
  readonly step: StepToSave;
  /** What became of the session's own result. */
  readonly result: ResultToSave | null;
  /** The first answer, when it belongs to the session's own result and bot. */
  readonly answer: SavedAnswer | null;
};

export function splitRows(step: StepToSave): SplitStep {
  const [answer] = step.answers;
  const isOwn = answer && step.resultId !== null && answer.resultId === step.resultId && answer.botId === step.botId;
  return {
    step,
    result: step.results.find(({ resultId }) => resultId === step.resultId) ?? null,
    answer: isOwn ? answer : null,
  };
}

/**
 * The parts of a save that few steps need: other bots' results, further answers, logs, visited edges, jobs. Each hangs on `saved`
 * (shard, id, bot_id, revision of the sessions that were saved), and is left out of the statement when it has no rows.
 */
export function partsOf(rows: readonly SplitStep[]): (sql: Sql) => ReturnType<Sql> {
  const results = rows.flatMap(({ step, result }) =>
    step.results.filter((other) => other !== result).map((other) => ({ step, result: other })),
  );
  const answers = rows.flatMap(({ step, answer }) =>
    step.answers.flatMap((other, position) =>
      other === answer || other.resultId === null ? [] : [{ step, answer: other, resultId: other.resultId, position }],
    ),
  );
  const ofResult = rows.flatMap(({ step }) => (step.resultId === null ? [] : [{ step, resultId: step.resultId }]));
  const logs = ofResult.flatMap(({ step, resultId }) => step.logs.map((log) => ({ step, log, resultId })));
  const edges = ofResult.flatMap(({ step, resultId }) =>
    step.visitedEdgeIds.map((edgeId, index) => ({ step, edgeId, position: step.visitedBefore + index, resultId })),
  );
  const jobs = rows.flatMap(({ step }) => step.jobs.map((job) => ({ step, job })));
  // A result starts with an answer, and completes in a step that says so.
  const hasEvents = rows.some(
    ({ step }) => step.tellsEvents && (step.answers.length > 0 || step.results.some(({ isCompleted }) => isCompleted)),
  );

  return (sql) => sql`
    ${results.length === 0 ? sql`` : resultRows(sql, results)}
    ${answers.length === 0 ? sql`` : answerRows(sql, answers)}
    ${logs.length === 0 ? sql`` : logRows(sql, logs)}
    ${edges.length === 0 ? sql`` : edgeRows(sql, edges)}
    ${jobs.length === 0 ? sql`` : jobRows(sql, jobs)}
    ${hasEvents ? savedEvents(sql, { hasResults: results.length > 0, hasAnswers: answers.length > 0 }) : sql``}`;
}

type Of<Part> = Part & { readonly step: StepToSave };

function sessionIds(rows: readonly Of<unknown>[]): string {
  return plainArray(rows.map(({ step }) => toUuid(step.sessionId)));
}

function resultRows(sql: Sql, results: readonly Of<{ result: ResultToSave }>[]) {
  return sql`,
    other_results (session_id, shard, id, bot_id, variables, has_started, is_completed) as (
      select *
      from unnest(
        (select ${sessionIds(results)}::uuid[]),
        (select ${plainArray(results.map(({ result }) => shardOf(result.resultId)))}::smallint[]),
        (select ${plainArray(results.map(({ result }) => toUuid(result.resultId)))}::uuid[]),
        (select ${plainArray(results.map(({ result }) => toUuid(result.botId)))}::uuid[]),
        (select ${textArray(results.map(({ result }) => result.variables))}::text[]),
        (select ${plainArray(results.map(({ result }) => result.hasStarted))}::boolean[]),
        (select ${plainArray(results.map(({ result }) => result.isCompleted))}::boolean[])
      )
    ),
    other_result_rows as (
      insert into results (shard, id, bot_id, variables, has_started, is_completed)
      select r.shard, r.id, r.bot_id, r.variables::json, r.has_started, r.is_completed
      from other_results r
      join saved s on s.id = r.session_id
      on conflict (shard, id) do update
      set
        variables = excluded.variables,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      where not results.is_archived
    )`;
}

function answerRows(sql: Sql, answers: readonly Of<{ answer: SavedAnswer; resultId: string; position: number }>[]) {
  return sql`,
    other_answers (session_id, shard, result_id, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls) as (
      select *
      from unnest(
        (select ${sessionIds(answers)}::uuid[]),
        (select ${plainArray(answers.map(({ resultId }) => shardOf(resultId)))}::smallint[]),
        (select ${plainArray(answers.map(({ resultId }) => toUuid(resultId)))}::uuid[]),
        (select ${plainArray(answers.map(({ position }) => position))}::smallint[]),
        (select ${plainArray(answers.map(({ answer }) => toUuid(answer.botId)))}::uuid[]),
        (select ${textArray(answers.map(({ answer }) => answer.blockId))}::text[]),
        (select ${textArray(answers.map(({ answer }) => answer.groupId))}::text[]),
        (select ${textArray(answers.map(({ answer }) => answer.variableId))}::text[]),
        (select ${textArray(answers.map(({ answer }) => answer.content))}::text[]),
        (select ${textArray(answers.map(({ answer }) => answer.attachedFileUrls && textArray(answer.attachedFileUrls)))}::text[])
      )
    ),
    other_answer_rows as (
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls)
      select a.shard, a.result_id, s.id, s.revision, a.position, a.bot_id, a.block_id, a.group_id, a.variable_id, a.content,
        a.attached_file_urls::text[]
      from other_answers a
      join saved s on s.id = a.session_id
      -- A chat goes on when only another bot's result was deleted: it leaves nothing more there.
      left join results r on r.shard = a.shard and r.id = a.result_id
      where r.is_archived is not true
      on conflict do nothing
    )`;
}

function logRows(sql: Sql, logs: readonly Of<{ log: StepLog; resultId: string }>[]) {
  return sql`,
    log_rows as (
      insert into logs (shard, result_id, id, bot_id, status, description, details, context)
      select l.shard, l.result_id, l.id, s.bot_id, l.status, l.description, l.details, l.context
      from unnest(
        (select ${sessionIds(logs)}::uuid[]),
        (select ${plainArray(logs.map(({ resultId }) => shardOf(resultId)))}::smallint[]),
        (select ${plainArray(logs.map(({ resultId }) => toUuid(resultId)))}::uuid[]),
        (select ${plainArray(logs.map(() => toUuid(newId())))}::uuid[]),
        (select ${textArray(logs.map(({ log }) => cut(log.status ?? "error", limits.logs.descriptionCharacters)))}::text[]),
        (select ${textArray(logs.map(({ log }) => cut(log.description, limits.logs.descriptionCharacters)))}::text[]),
        (select ${textArray(logs.map(({ log }) => (log.details === undefined ? null : cut(log.details, limits.logs.detailsCharacters))))}::text[]),
        (select ${textArray(logs.map(({ log }) => (log.context === undefined ? null : cut(log.context, limits.logs.descriptionCharacters))))}::text[])
      ) as l (session_id, shard, result_id, id, status, description, details, context)
      join saved s on s.id = l.session_id
      on conflict do nothing
    )`;
}

function edgeRows(sql: Sql, edges: readonly Of<{ edgeId: string; position: number; resultId: string }>[]) {
  return sql`,
    edge_rows as (
      insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
      select e.shard, e.result_id, s.id, e.position, s.bot_id, e.edge_id
      from unnest(
        (select ${sessionIds(edges)}::uuid[]),
        (select ${plainArray(edges.map(({ resultId }) => shardOf(resultId)))}::smallint[]),
        (select ${plainArray(edges.map(({ resultId }) => toUuid(resultId)))}::uuid[]),
        (select ${plainArray(edges.map(({ position }) => position))}::integer[]),
        (select ${textArray(edges.map(({ edgeId }) => edgeId))}::text[])
      ) as e (session_id, shard, result_id, position, edge_id)
      join saved s on s.id = e.session_id
      on conflict do nothing
    )`;
}

function jobRows(sql: Sql, jobs: readonly Of<{ job: Job }>[]) {
  return sql`,
    outbox_rows as (
      insert into outbox (id, queue, order_key, data)
      select j.id, j.queue, j.order_key, j.data::json
      from unnest(
        (select ${sessionIds(jobs)}::uuid[]),
        (select ${plainArray(jobs.map(() => toUuid(newId())))}::uuid[]),
        (select ${textArray(jobs.map(({ job }) => job.queue))}::text[]),
        (select ${textArray(jobs.map(({ step }) => step.sessionId))}::text[]),
        (select ${textArray(jobs.map(({ job }) => JSON.stringify(job.data)))}::text[])
      ) as j (session_id, id, queue, order_key, data)
      join saved s on s.id = j.session_id
    )`;
}
