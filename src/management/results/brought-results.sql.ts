import { boolean, bulk, integer, json, smallint, text, textList, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { SavedVariable } from "./results.sql.ts";

/** A result of another service, under its id here. */
export type BroughtResult = {
  readonly id: string;
  readonly createdAt: Date;
  readonly variables: readonly SavedVariable[];
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  readonly answers: readonly BroughtAnswer[];
};

export type BroughtAnswer = {
  readonly createdAt: Date;
  readonly blockId: string;
  readonly groupId: string;
  readonly variableId: string | null;
  readonly content: string;
  readonly attachedFileUrls: readonly string[];
};

const resultRows = bulk<BroughtResult>({
  shard: smallint(({ id }) => shardOf(id)),
  id: uuid(({ id }) => id),
  created_at: text(({ createdAt }) => createdAt.toISOString()),
  variables: json(({ variables }) => JSON.stringify(variables)),
  has_started: boolean(({ hasStarted }) => hasStarted),
  is_completed: boolean(({ isCompleted }) => isCompleted),
});

type AnswerRow = BroughtAnswer & { readonly resultId: string; readonly revision: number };

const answerRows = bulk<AnswerRow>({
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  created_at: text(({ createdAt }) => createdAt.toISOString()),
  revision: integer(({ revision }) => revision),
  block_id: text(({ blockId }) => blockId),
  group_id: text(({ groupId }) => groupId),
  variable_id: text(({ variableId }) => variableId),
  content: text(({ content }) => content),
  attached_file_urls: textList(({ attachedFileUrls }) => attachedFileUrls),
});

/**
 * Inserts results with their answers, all or none; those that are here already, also erased ones, stay as they are. Returns how many are new. Answers
 * have their result's id in the place of a session's: there was none here.
 */
export async function insertBroughtResults(
  sql: Sql,
  { botId, results }: { botId: string; results: readonly BroughtResult[] },
): Promise<number> {
  const answers = results.flatMap(({ id: resultId, answers: given }) =>
    given.map((answer, index) => ({ ...answer, resultId, revision: index + 1 })),
  );
  const [row] = await sql<[{ count: number }]>`
    with made as (
      insert into results (shard, id, bot_id, variables, has_started, is_completed, created_at, updated_at)
      select i.shard, i.id, ${botId}::uuid, i.variables::json, i.has_started, i.is_completed, i.created_at::timestamptz, i.created_at::timestamptz
      from ${resultRows(sql, results)} as i
      on conflict do nothing
      returning shard, id
    ),
    answered as (
      insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls)
      select made.shard, made.id, i.created_at::timestamptz, made.id, i.revision, 0, ${botId}::uuid, i.block_id, i.group_id, i.variable_id, i.content,
        i.attached_file_urls::text[]
      from ${answerRows(sql, answers)} as i
      join made on made.shard = i.shard and made.id = i.result_id
    ),
    -- Their ids are older than what is looked for by itself.
    noted as (
      insert into results_to_read (shard, result_id)
      select shard, id
      from made
      on conflict do nothing
    )
    select count(*)::integer as count
    from made`;
  return row.count;
}
