import type { Job } from "../../core/interpreter/program/job.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SavedAnswer } from "../../core/interpreter/step/step.ts";
import type { ResultToSave } from "../../core/tasks/messages.ts";
import { chatVariables, savedEvents } from "../../management/events/save-events.sql.ts";
import { boolean, bulk, integer, json, smallint, text, textList, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import { channelSteps } from "./channel-steps.sql.ts";
import { logColumns } from "./logs.sql.ts";
import { wokenCalls } from "./postponed-calls.sql.ts";
import type { StepToSave } from "./records.ts";
import { savedTimers } from "./timers.sql.ts";

/** A step with the rows of its own result and its first answer. These rows are sent in the same list as the step. */
export type StepWithOwnRows<Step extends StepToSave = StepToSave> = {
  readonly step: Step;
  /** The change of the session's own result. */
  readonly result: ResultToSave | null;
  /** The first answer, if it belongs to the session's own result and bot. */
  readonly answer: SavedAnswer | null;
};

export function withOwnRows<Step extends StepToSave>(step: Step): StepWithOwnRows<Step> {
  const [answer] = step.answers;
  const isOwn = answer && step.resultId !== null && answer.resultId === step.resultId && answer.botId === step.botId;
  return {
    step,
    result: step.results.find(({ resultId }) => resultId === step.resultId) ?? null,
    answer: isOwn ? answer : null,
  };
}

/**
 * Whether a step has only its own rows and their events, like most steps. The save of such a step has no optional parts
 * with parameters.
 */
export function isPlain({ step, result, answer }: StepWithOwnRows): boolean {
  return (
    step.results.length === (result ? 1 : 0) &&
    step.answers.length === (answer ? 1 : 0) &&
    step.logs.length === 0 &&
    step.visitedEdgeIds.length === 0 &&
    step.jobs.length === 0 &&
    step.timer === undefined &&
    step.dueId === undefined &&
    step.wakesKeptCalls === undefined &&
    step.moved === undefined &&
    step.contactId === undefined &&
    step.stateBefore === undefined &&
    step.traceText === undefined
  );
}

/**
 * Whether any of these steps may cause an event: its workspace has an event endpoint, and the step stores an answer or
 * completes a result.
 */
export function causesEvents(rows: readonly StepWithOwnRows[]): boolean {
  return rows.some(
    ({ step }) =>
      step.hasEventEndpoints && (step.answers.length > 0 || step.results.some(({ isCompleted }) => isCompleted)),
  );
}

/**
 * Joins the variables of a chat and, if present, the variables that this step wrote, with U+001F in between. JSON
 * contains U+001F only in escaped form. See `merged_variables` in the schema.
 */
export function sentVariables({ variables, inStep }: ResultToSave): string {
  return inStep === undefined ? variables : `${variables}\x1f${inStep}`;
}

/** The columns of a step's own result and answer. They are null or false for a step without a result or answer. */
export const ownColumns = {
  variables: json(({ result }: StepWithOwnRows) => result && sentVariables(result)),
  has_started: boolean(({ result }: StepWithOwnRows) => result?.hasStarted ?? false),
  is_completed: boolean(({ result }: StepWithOwnRows) => result?.isCompleted ?? false),
  block_id: text(({ answer }: StepWithOwnRows) => answer?.blockId),
  group_id: text(({ answer }: StepWithOwnRows) => answer?.groupId),
  variable_id: text(({ answer }: StepWithOwnRows) => answer?.variableId),
  content: text(({ answer }: StepWithOwnRows) => answer?.content),
  attached_file_urls: textList(({ answer }: StepWithOwnRows) => answer?.attachedFileUrls),
};

/**
 * Returns the parts of a save that few steps need, such as other bots' results, further answers, logs, visited edges,
 * jobs and timers. Each part joins `saved`, the rows of the saved sessions. A part without rows is omitted from the
 * statement.
 */
export function optionalParts(rows: readonly StepWithOwnRows[]): Fragment {
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
  const jobs = rows.flatMap(({ step }) => jobsInOrder(step));

  const parts: Fragment[] = [];
  if (results.length > 0) parts.push((sql) => savedResults(sql, results));
  if (answers.length > 0) parts.push((sql) => savedAnswers(sql, answers));
  if (logs.length > 0) parts.push((sql) => savedLogs(sql, logs));
  if (edges.length > 0) parts.push((sql) => savedEdges(sql, edges));
  if (jobs.length > 0) parts.push((sql) => savedJobs(sql, jobs));
  if (causesEvents(rows))
    parts.push((sql) => savedEvents(sql, { hasResults: results.length > 0, hasAnswers: answers.length > 0 }));
  if (rows.some(({ step }) => step.timer !== undefined || step.dueId !== undefined)) {
    parts.push(savedTimers(rows.map(({ step }) => step)));
  }
  if (rows.some(({ step }) => step.contactId !== undefined)) parts.push(channelSteps(rows.map(({ step }) => step)));
  if (rows.some(({ step }) => step.wakesKeptCalls)) parts.push(wokenCalls(rows.map(({ step }) => step)));
  if (parts.length === 0) return nothing;
  // The driver concatenates the fragments of a list.
  return (sql) => sql`${parts.map((part) => part(sql))}`;
}

type Of<Part> = Part & { readonly step: StepToSave };

type OtherResult = Of<{ result: ResultToSave }>;

const otherResults = bulk<OtherResult>({
  session_id: uuid(({ step }) => step.sessionId),
  shard: smallint(({ result }) => shardOf(result.resultId)),
  id: uuid(({ result }) => result.resultId),
  bot_id: uuid(({ result }) => result.botId),
  variables: text(({ result }) => sentVariables(result)),
  is_new: boolean(({ result }) => result.isNew === true),
  has_started: boolean(({ result }) => result.hasStarted),
  is_completed: boolean(({ result }) => result.isCompleted),
});

/**
 * Saves the results of linked flows that are not merged into the chat's own result. Only the linking chat writes them.
 */
function savedResults(sql: Sql, results: readonly OtherResult[]) {
  return sql`,
    other_results as (
      select *
      from ${otherResults(sql, results)} as i
    ),
    other_result_rows as (
      insert into results (shard, id, bot_id, variables, writer_session_id, has_started, is_completed)
      select r.shard, r.id, r.bot_id, ${chatVariables(sql, sql`r.variables`)}, s.id, r.has_started, r.is_completed
      from other_results r
      join saved s on s.id = r.session_id
      -- An erased result does not begin anew, also when nothing is left of it.
      where r.is_new
        or exists (select from results k where k.shard = r.shard and k.id = r.id)
      on conflict (shard, id) do update
      set
        variables = excluded.variables,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      where not results.is_archived
        or results.erase_after is not null
    )`;
}

type OtherAnswer = Of<{ answer: SavedAnswer; resultId: string; position: number }>;

/** Whether the step also creates the answer's result. If a missing result is not created by the step, it was erased. */
function isNewResult({ step, resultId }: OtherAnswer): boolean {
  return step.results.some((result) => result.resultId === resultId && result.isNew === true);
}

const otherAnswers = bulk<OtherAnswer>({
  session_id: uuid(({ step }) => step.sessionId),
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  position: smallint(({ position }) => position),
  bot_id: uuid(({ answer }) => answer.botId),
  block_id: text(({ answer }) => answer.blockId),
  group_id: text(({ answer }) => answer.groupId),
  variable_id: text(({ answer }) => answer.variableId),
  content: text(({ answer }) => answer.content),
  attached_file_urls: textList(({ answer }) => answer.attachedFileUrls),
  is_new: boolean(isNewResult),
});

/** The log entry if a visitor answers a linked bot whose result has been erased. */
const answerNotStored = "An answer was not stored, because the result of the linked bot was erased";

function savedAnswers(sql: Sql, answers: readonly OtherAnswer[]) {
  return sql`,
    other_answers as (
      select *
      from ${otherAnswers(sql, answers)} as i
    ),
    other_answer_rows as (
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls)
      select a.shard, a.result_id, s.id, s.revision, a.position, a.bot_id, a.block_id, a.group_id, a.variable_id, a.content,
        a.attached_file_urls::text[]
      from other_answers a
      join saved s on s.id = a.session_id
      left join results r on r.shard = a.shard and r.id = a.result_id
      -- One in the bin keeps the answer. If it was erased, the chat continues, and writes no more answers to it.
      where case when r.id is null then a.is_new or a.result_id = s.result_id else not r.is_archived or r.erase_after is not null end
      on conflict do nothing
    ),
    not_stored as (
      insert into logs (shard, result_id, id, bot_id, status, description)
      select distinct on (s.id) s.shard, s.result_id, new_id(), s.bot_id, 'info', ${answerNotStored}
      from other_answers a
      join saved s on s.id = a.session_id
      left join results r on r.shard = a.shard and r.id = a.result_id
      where s.result_id is not null
        and a.result_id <> s.result_id
        and case when r.id is null then not a.is_new else r.is_archived and r.erase_after is null end
        and not exists (
          select
          from logs l
          where l.shard = s.shard and l.result_id = s.result_id and l.description = ${answerNotStored}
        )
    )`;
}

type ResultLog = Of<{ log: StepLog; resultId: string }>;

const logRows = bulk<ResultLog>({
  session_id: uuid(({ step }) => step.sessionId),
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  ...logColumns,
});

function savedLogs(sql: Sql, logs: readonly ResultLog[]) {
  return sql`,
    log_rows as (
      insert into logs (shard, result_id, id, bot_id, status, description, details, context, block_id, reason)
      select l.shard, l.result_id, l.id, s.bot_id, l.status, l.description, l.details, l.context, l.block_id, l.reason
      from ${logRows(sql, logs)} as l
      join saved s on s.id = l.session_id
      order by l.index
      on conflict do nothing
    )`;
}

type VisitedEdge = Of<{ edgeId: string; position: number; resultId: string }>;

const edgeRows = bulk<VisitedEdge>({
  session_id: uuid(({ step }) => step.sessionId),
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  position: integer(({ position }) => position),
  edge_id: text(({ edgeId }) => edgeId),
});

function savedEdges(sql: Sql, edges: readonly VisitedEdge[]) {
  return sql`,
    edge_rows as (
      insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
      select e.shard, e.result_id, s.id, e.position, s.bot_id, e.edge_id
      from ${edgeRows(sql, edges)} as e
      join saved s on s.id = e.session_id
      on conflict do nothing
    )`;
}

type StepJob = Of<{ job: Job; id: string }>;

/**
 * Returns the jobs of a step, with ids that sort in the order of the flow. Ids created in the same millisecond would
 * otherwise have no order.
 */
function jobsInOrder(step: StepToSave): StepJob[] {
  const ids = step.jobs.map(() => newId()).toSorted();
  return step.jobs.map((job, index) => ({ step, job, id: ids[index] ?? newId() }));
}

const jobRows = bulk<StepJob>({
  session_id: uuid(({ step }) => step.sessionId),
  id: uuid(({ id }) => id),
  queue: text(({ job }) => job.queue),
  order_key: text(({ step }) => step.sessionId),
  data: text(({ job }) => JSON.stringify(job.data)),
});

function savedJobs(sql: Sql, jobs: readonly StepJob[]) {
  return sql`,
    outbox_rows as (
      insert into outbox (id, queue, order_key, data)
      select j.id, j.queue, j.order_key, j.data::json
      from ${jobRows(sql, jobs)} as j
      join saved s on s.id = j.session_id
    )`;
}
