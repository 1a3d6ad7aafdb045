import { bulk, integer, text, textList, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The published progress of a step. */
export type AnswerRow = {
  readonly sessionId: string;
  /** The id of the step's claim. */
  readonly stepId: string;
  /** The messages of the step so far, as JSON text. */
  readonly said: string | null;
  /** The current answer. The three fields are null without an answer. */
  readonly attempt: number | null;
  readonly blockId: string | null;
  readonly content: string | null;
};

export type WrittenAnswer = AnswerRow & { readonly allowedOrigins: readonly string[] | null };

/** Identifies the step to which a row belongs. */
export type PublishedStepId = Pick<AnswerRow, "sessionId" | "stepId">;

const answerRows = bulk<WrittenAnswer>({
  session_id: uuid(({ sessionId }) => sessionId),
  step_id: uuid(({ stepId }) => stepId),
  allowed_origins: textList(({ allowedOrigins }) => allowedOrigins),
  said: text(({ said }) => said),
  attempt: integer(({ attempt }) => attempt),
  block_id: text(({ blockId }) => blockId),
  content: text(({ content }) => content),
});

const stepRows = bulk<PublishedStepId>({
  session_id: uuid(({ sessionId }) => sessionId),
  step_id: uuid(({ stepId }) => stepId),
});

/**
 * Writes the progress of a process' steps and deletes the rows of finished steps. A new row replaces the row of an
 * earlier step of the session. Returns, by session id, how many times the step's answer was requested to stop.
 */
export async function writeAnswers(
  sql: Sql,
  { answers, over }: { answers: readonly WrittenAnswer[]; over: readonly PublishedStepId[] },
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ sessionId: string; stops: number }[]>`
    with removed as (
      delete from answers_under_way
      using ${stepRows(sql, over)} as o
      where answers_under_way.session_id = o.session_id and answers_under_way.step_id = o.step_id
    )
    insert into answers_under_way as a (session_id, step_id, allowed_origins, said, attempt, block_id, content, written_at)
    select session_id, step_id, allowed_origins::text[], said, attempt, block_id, content, clock()
    from ${answerRows(sql, answers)} as i
    -- In one order, so that two processes do not wait for each other.
    order by session_id
    on conflict (session_id) do update
    set
      step_id = excluded.step_id,
      allowed_origins = excluded.allowed_origins,
      said = excluded.said,
      attempt = excluded.attempt,
      block_id = excluded.block_id,
      content = excluded.content,
      stops = case when a.step_id = excluded.step_id then a.stops else 0 end,
      written_at = excluded.written_at
    returning session_id, stops`;
  return new Map(rows.map(({ sessionId, stops }) => [sessionId, stops]));
}

/** Finds the last published progress of these sessions' steps. */
export async function findAnswers(sql: Sql, sessionIds: readonly string[]): Promise<readonly AnswerRow[]> {
  return sql<AnswerRow[]>`
    select session_id, step_id, said, attempt, block_id, content
    from answers_under_way
    where session_id = any(${[...sessionIds]}::uuid[])`;
}

/**
 * Returns the progress that a process published before it died or lost its claim, for the process that retries the
 * step. The row is moved to the new claim, so that it is not lost if this process also dies.
 */
export async function takeOverAnswer(
  sql: Sql,
  { sessionId, lostStepId, stepId }: PublishedStepId & { lostStepId: string },
): Promise<AnswerRow | undefined> {
  const [row] = await sql<AnswerRow[]>`
    update answers_under_way
    set step_id = ${stepId}
    where session_id = ${sessionId}
      and step_id = ${lostStepId}
    returning session_id, step_id, said, attempt, block_id, content`;
  return row;
}

/**
 * Returns the origins that may read the published answer of a session's step; null means any origin. Returns undefined
 * if no answer is published.
 */
export async function findAnswerOrigins(sql: Sql, sessionId: string): Promise<readonly string[] | null | undefined> {
  const [row] = await sql<{ allowedOrigins: readonly string[] | null }[]>`
    select allowed_origins
    from answers_under_way
    where session_id = ${sessionId}`;
  return row?.allowedOrigins;
}

/**
 * Asks the process that published the session's step to stop the step's answer. Returns false if no step is published.
 */
export async function stopPublishedAnswer(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    update answers_under_way
    set stops = stops + 1
    where session_id = ${sessionId}
    returning 1`;
  return rows.length === 1;
}

/** Like `stopPublishedAnswer`, for a claimed step that is not yet published. */
export async function stopClaimedAnswer(sql: Sql, { sessionId, stepId }: PublishedStepId): Promise<void> {
  await sql`
    insert into answers_under_way as a (session_id, step_id, stops, written_at)
    values (${sessionId}, ${stepId}, 1, clock())
    on conflict (session_id) do update
    set
      step_id = excluded.step_id,
      stops = case when a.step_id = excluded.step_id then a.stops + 1 else 1 end`;
}
