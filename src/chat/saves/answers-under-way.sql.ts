import { bulk, integer, text, textList, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** What a step has told so far. */
export type AnswerRow = {
  readonly sessionId: string;
  /** Of its claim. */
  readonly stepId: string;
  /** All of its messages, as JSON text. */
  readonly said: string | null;
  /** The answer that is under way. */
  readonly attempt: number | null;
  readonly blockId: string | null;
  readonly content: string | null;
};

export type WrittenAnswer = AnswerRow & { readonly allowedOrigins: readonly string[] | null };

/** Which step a row tells of. */
export type ToldStepId = Pick<AnswerRow, "sessionId" | "stepId">;

const answerRows = bulk<WrittenAnswer>({
  session_id: uuid(({ sessionId }) => sessionId),
  step_id: uuid(({ stepId }) => stepId),
  allowed_origins: textList(({ allowedOrigins }) => allowedOrigins),
  said: text(({ said }) => said),
  attempt: integer(({ attempt }) => attempt),
  block_id: text(({ blockId }) => blockId),
  content: text(({ content }) => content),
});

const stepRows = bulk<ToldStepId>({
  session_id: uuid(({ sessionId }) => sessionId),
  step_id: uuid(({ stepId }) => stepId),
});

/**
 * Writes what a process's steps have told so far, in place of what earlier steps of their sessions told, and removes what other steps told
 * that are over. Gives how often each was asked to stop its answer.
 */
export async function writeAnswers(
  sql: Sql,
  { answers, over }: { answers: readonly WrittenAnswer[]; over: readonly ToldStepId[] },
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

/** What the steps of these sessions have told so far, as far as it was written. */
export async function findAnswers(sql: Sql, sessionIds: readonly string[]): Promise<readonly AnswerRow[]> {
  return sql<AnswerRow[]>`
    select session_id, step_id, said, attempt, block_id, content
    from answers_under_way
    where session_id = any(${[...sessionIds]}::uuid[])`;
}

/**
 * What a process that died, or lost its claim, told of a session's step, for the one that takes the step up: it is of that one's claim from now on, so that it is not
 * lost where that process dies, too.
 */
export async function takeOverAnswer(
  sql: Sql,
  { sessionId, lostStepId, stepId }: ToldStepId & { lostStepId: string },
): Promise<AnswerRow | undefined> {
  const [row] = await sql<AnswerRow[]>`
    update answers_under_way
    set step_id = ${stepId}
    where session_id = ${sessionId}
      and step_id = ${lostStepId}
    returning session_id, step_id, said, attempt, block_id, content`;
  return row;
}

/** Who may read the answer of a session's step, where one is written; undefined where none is. */
export async function findAnswerOrigins(sql: Sql, sessionId: string): Promise<readonly string[] | null | undefined> {
  const [row] = await sql<{ allowedOrigins: readonly string[] | null }[]>`
    select allowed_origins
    from answers_under_way
    where session_id = ${sessionId}`;
  return row?.allowedOrigins;
}

/** Asks the process whose step is told of to stop its answer. False where no step is. */
export async function stopToldAnswer(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    update answers_under_way
    set stops = stops + 1
    where session_id = ${sessionId}
    returning 1`;
  return rows.length === 1;
}

/** The same of a step that nothing was told of yet. */
export async function stopClaimedAnswer(sql: Sql, { sessionId, stepId }: ToldStepId): Promise<void> {
  await sql`
    insert into answers_under_way as a (session_id, step_id, stops, written_at)
    values (${sessionId}, ${stepId}, 1, clock())
    on conflict (session_id) do update
    set
      step_id = excluded.step_id,
      stops = case when a.step_id = excluded.step_id then a.stops + 1 else 1 end`;
}
