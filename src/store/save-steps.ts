import { fromUuid, newId, shardOf, toUuid } from "../ids.ts";
import type { Job } from "../interpreter/job.ts";
import type { StepLog } from "../interpreter/outcome.ts";
import type { ResultUpdate, SavedAnswer } from "../interpreter/step.ts";
import { limits } from "../limits.ts";
import type { Sql } from "./sql.ts";

/** A step ready to be saved. Texts hold no U+0000: they were cleaned at the door. */
export type StepToSave = {
  readonly sessionId: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** The revision that the step read; the save makes the next one. */
  readonly revision: number;
  readonly stepId: string;
  readonly key: string | null;
  readonly requestHash: string;
  /** What the visitor said, as JSON text; null for nothing. */
  readonly reply: string | null;
  readonly response: string;
  readonly state: string;
  readonly isEnded: boolean;
  readonly answers: readonly SavedAnswer[];
  readonly results: readonly ResultUpdate[];
  readonly logs: readonly StepLog[];
  readonly jobs: readonly Job[];
  readonly visitedEdgeIds: readonly string[];
  readonly visitedBefore: number;
};

/**
 * Saves many steps in one statement and returns the ids of the sessions that were saved; for the others somebody else
 * stepped first, and nothing of theirs was written. Everything a step leaves behind hangs on its own revision check.
 * At most one step of a session may be in the list.
 */
export async function saveSteps(sql: Sql, steps: readonly StepToSave[]): Promise<Set<string>> {
  // In the order of their ids, so that two groups that meet lock rows in the same order.
  // Arrays come as `(select $1::…)`: of a bare parameter the planner would count the elements, find a plan made for them
  // cheaper than the general one, and plan anew at every save (0.7 ms a save instead of 0.3 ms; PostgreSQL 18.4).
  const ordered = [...steps].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const parts = partsOf(ordered);
  const rows = await sql<{ id: string }[]>`
    with input as (
      select *
      from unnest(
        (select ${ordered.map((step) => shardOf(step.sessionId))}::smallint[]),
        (select ${ordered.map((step) => toUuid(step.sessionId))}::uuid[]),
        (select ${ordered.map((step) => step.revision)}::integer[]),
        (select ${ordered.map((step) => toUuid(step.stepId))}::uuid[]),
        (select ${ordered.map((step) => step.key)}::text[]),
        (select ${ordered.map((step) => step.requestHash)}::text[]),
        (select ${ordered.map((step) => step.reply)}::text[]),
        (select ${ordered.map((step) => step.response)}::text[]),
        (select ${ordered.map((step) => step.state)}::text[]),
        (select ${ordered.map((step) => flag(step.isEnded))}::text[]::boolean[])
      ) as i (shard, id, revision, step_id, key, request_hash, reply, response, state, is_ended)
    ),
    locked as (
      select s.shard, s.id
      from input i
      join sessions s on s.shard = i.shard and s.id = i.id
      where s.revision = i.revision
        and not s.is_ended
        and (s.claim_until is null or s.claim_until <= clock() or s.claim_step_id = i.step_id)
      order by s.shard, s.id
      for update of s
    ),
    saved as (
      update sessions s
      set
        revision = s.revision + 1,
        last_step_id = i.step_id,
        state = i.state,
        is_ended = i.is_ended,
        updated_at = clock(),
        expires_at = date_trunc('minute', clock()) + make_interval(mins => s.lifetime_minutes + 1),
        expires_hour = date_trunc('hour', clock() + make_interval(mins => s.lifetime_minutes + 61)),
        claim_step_id = null,
        claim_hash = null,
        claim_now = null,
        claim_seed = null,
        claim_until = null
      from locked l
      join input i on i.shard = l.shard and i.id = l.id
      where s.shard = l.shard and s.id = l.id and s.revision = i.revision
      returning s.shard, s.id, s.bot_id, s.revision
    ),
    step_rows as (
      insert into steps (shard, session_id, revision, id, bot_id, key, request_hash, reply, response)
      select s.shard, s.id, s.revision, i.step_id, s.bot_id, i.key, decode(i.request_hash, 'hex'), i.reply::json, i.response::json
      from saved s
      join input i on i.shard = s.shard and i.id = s.id
      on conflict do nothing
    )
    ${parts.results(sql)}
    ${parts.answers(sql)}
    ${parts.logs(sql)}
    ${parts.edges(sql)}
    ${parts.jobs(sql)}
    select id
    from saved`;
  return new Set(rows.map((row) => fromUuid(row.id)));
}

/** The parts of a save that not every group needs: each is left out of the statement when it has no rows. */
export function partsOf(steps: readonly StepToSave[]) {
  const results = steps.flatMap((step) => step.results.map((result) => ({ step, result })));
  const answers = steps
    .flatMap((step) => step.answers.map((answer, position) => ({ step, answer, position })))
    .filter(({ answer }) => answer.resultId !== null);
  const logs = steps.flatMap((step) =>
    step.resultId === null ? [] : step.logs.map((log) => ({ step, log, resultId: step.resultId ?? "" })),
  );
  const edges = steps.flatMap((step) =>
    step.resultId === null
      ? []
      : step.visitedEdgeIds.map((edgeId, index) => ({ step, edgeId, index, resultId: step.resultId ?? "" })),
  );
  const jobs = steps.flatMap((step) => step.jobs.map((job) => ({ step, job })));

  return {
    results: (sql: Sql) =>
      results.length === 0
        ? sql``
        : sql`,
    result_rows as (
      insert into results (shard, id, bot_id, variables, has_started, is_completed)
      select r.shard, r.id, r.bot_id, r.variables::json, r.has_started, r.is_completed
      from unnest(
        (select ${results.map(({ step }) => toUuid(step.sessionId))}::uuid[]),
        (select ${results.map(({ result }) => shardOf(result.resultId))}::smallint[]),
        (select ${results.map(({ result }) => toUuid(result.resultId))}::uuid[]),
        (select ${results.map(({ result }) => toUuid(result.botId))}::uuid[]),
        (select ${results.map(({ result }) => JSON.stringify(result.variables))}::text[]),
        (select ${results.map(({ result }) => flag(result.hasStarted))}::text[]::boolean[]),
        (select ${results.map(({ result }) => flag(result.isCompleted))}::text[]::boolean[])
      ) as r (session_id, shard, id, bot_id, variables, has_started, is_completed)
      join saved s on s.id = r.session_id
      on conflict (shard, id) do update
      set
        variables = excluded.variables,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      where not results.is_archived
    )`,
    answers: (sql: Sql) =>
      answers.length === 0
        ? sql``
        : sql`,
    answer_rows as (
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls)
      select a.shard, a.result_id, s.id, s.revision, a.position, a.bot_id, a.block_id, a.group_id, a.variable_id, a.content,
        (select array_agg(url) from json_array_elements_text(a.attached_file_urls::json) as url)
      from unnest(
        (select ${answers.map(({ step }) => toUuid(step.sessionId))}::uuid[]),
        (select ${answers.map(({ answer }) => shardOf(answer.resultId ?? ""))}::smallint[]),
        (select ${answers.map(({ answer }) => toUuid(answer.resultId ?? ""))}::uuid[]),
        (select ${answers.map(({ position }) => position)}::smallint[]),
        (select ${answers.map(({ answer }) => toUuid(answer.botId))}::uuid[]),
        (select ${answers.map(({ answer }) => answer.blockId)}::text[]),
        (select ${answers.map(({ answer }) => answer.groupId)}::text[]),
        (select ${answers.map(({ answer }) => answer.variableId)}::text[]),
        (select ${answers.map(({ answer }) => answer.content)}::text[]),
        (select ${answers.map(({ answer }) => answer.attachedFileUrls && JSON.stringify(answer.attachedFileUrls))}::text[])
      ) as a (session_id, shard, result_id, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls)
      join saved s on s.id = a.session_id
      on conflict do nothing
    )`,
    logs: (sql: Sql) =>
      logs.length === 0
        ? sql``
        : sql`,
    log_rows as (
      insert into logs (shard, result_id, id, bot_id, status, description, details, context)
      select l.shard, l.result_id, l.id, s.bot_id, l.status, l.description, l.details, l.context
      from unnest(
        (select ${logs.map(({ step }) => toUuid(step.sessionId))}::uuid[]),
        (select ${logs.map(({ resultId }) => shardOf(resultId))}::smallint[]),
        (select ${logs.map(({ resultId }) => toUuid(resultId))}::uuid[]),
        (select ${logs.map(() => toUuid(newId()))}::uuid[]),
        (select ${logs.map(({ log }) => cut(log.status ?? "error", limits.logDescriptionCharacters))}::text[]),
        (select ${logs.map(({ log }) => cut(log.description, limits.logDescriptionCharacters))}::text[]),
        (select ${logs.map(({ log }) => (log.details === undefined ? null : cut(log.details, limits.logDetailsCharacters)))}::text[]),
        (select ${logs.map(({ log }) => (log.context === undefined ? null : cut(log.context, limits.logDescriptionCharacters)))}::text[])
      ) as l (session_id, shard, result_id, id, status, description, details, context)
      join saved s on s.id = l.session_id
      on conflict do nothing
    )`,
    edges: (sql: Sql) =>
      edges.length === 0
        ? sql``
        : sql`,
    edge_rows as (
      insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
      select e.shard, e.result_id, s.id, e.position, s.bot_id, e.edge_id
      from unnest(
        (select ${edges.map(({ step }) => toUuid(step.sessionId))}::uuid[]),
        (select ${edges.map(({ resultId }) => shardOf(resultId))}::smallint[]),
        (select ${edges.map(({ resultId }) => toUuid(resultId))}::uuid[]),
        (select ${edges.map(({ step, index }) => step.visitedBefore + index)}::integer[]),
        (select ${edges.map(({ edgeId }) => edgeId)}::text[])
      ) as e (session_id, shard, result_id, position, edge_id)
      join saved s on s.id = e.session_id
      on conflict do nothing
    )`,
    jobs: (sql: Sql) =>
      jobs.length === 0
        ? sql``
        : sql`,
    outbox_rows as (
      insert into outbox (id, queue, order_key, data)
      select j.id, j.queue, j.order_key, j.data::json
      from unnest(
        (select ${jobs.map(({ step }) => toUuid(step.sessionId))}::uuid[]),
        (select ${jobs.map(() => toUuid(newId()))}::uuid[]),
        (select ${jobs.map(({ job }) => job.queue)}::text[]),
        (select ${jobs.map(({ step }) => step.sessionId)}::text[]),
        (select ${jobs.map(({ job }) => JSON.stringify(job.data))}::text[])
      ) as j (session_id, id, queue, order_key, data)
      join saved s on s.id = j.session_id
    )`,
  };
}

/** Cuts a text to a number of characters, with a sign that something is missing. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}...`;
}

/** A boolean of an array as text: of an array's first boolean the driver would take the type for the array's own. */
export function flag(value: boolean): string {
  return value ? "t" : "f";
}
