import { allFields, isList, type ResultField, type WrittenColumn } from "../../../core/results/result-fields.ts";
import {
  boolean,
  bulk,
  integer,
  json,
  shardedIds,
  smallint,
  text,
  textList,
  uuid,
} from "../../../platform/database/bulk.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { shardOf } from "../../../platform/ids.ts";
import type { RatingRow } from "../../ratings/ratings.sql.ts";
import type { SavedVariable } from "../results.sql.ts";

/** A result from another service, with its id on this instance. */
export type ImportedResult = {
  readonly id: string;
  readonly createdAt: Date;
  readonly variables: readonly SavedVariable[];
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  /** The publication on which the result started. Not stored if the bot has no publication with this number. */
  readonly publicationNumber: number | null;
  /** The fields that people set, such as tags. */
  readonly written: readonly WrittenColumn[];
  readonly answers: readonly ImportedAnswer[];
  /** Undefined if the source returns no ratings. Stored ratings then do not change. */
  readonly ratings: readonly ImportedRating[] | undefined;
};

export type ImportedRating = Omit<RatingRow, "resultId">;

export type ImportedAnswer = {
  readonly createdAt: Date;
  readonly blockId: string;
  readonly groupId: string;
  readonly variableId: string | null;
  readonly content: string;
  readonly attachedFileUrls: readonly string[];
};

const writtenFields: readonly ResultField[] = allFields.filter(({ written }) => written);

const resultRows = bulk<ImportedResult>({
  shard: smallint(({ id }) => shardOf(id)),
  id: uuid(({ id }) => id),
  created_at: text(({ createdAt }) => createdAt.toISOString()),
  variables: json(({ variables }) => JSON.stringify(variables)),
  has_started: boolean(({ hasStarted }) => hasStarted),
  is_completed: boolean(({ isCompleted }) => isCompleted),
  publication_number: integer(({ publicationNumber }) => publicationNumber),
  ...Object.fromEntries(writtenFields.map((field) => [field.column, writtenColumn(field)])),
});

function writtenColumn(field: ResultField) {
  const valueIn = ({ written }: ImportedResult) => written.find(({ column }) => column === field.column)?.value;
  if (isList(field)) return textList((row: ImportedResult) => listIn(valueIn(row)));
  return text((row: ImportedResult) => textIn(valueIn(row)));
}

function listIn(value: WrittenColumn["value"]): readonly string[] | null {
  return Array.isArray(value) ? value : null;
}

function textIn(value: WrittenColumn["value"]): string | null {
  return typeof value === "string" ? value : null;
}

type AnswerRow = ImportedAnswer & { readonly resultId: string; readonly revision: number };

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

const ratingRows = bulk<RatingRow>({
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  session_id: uuid(({ sessionId }) => sessionId),
  revision: integer(({ revision }) => revision),
  block_id: text(({ blockId }) => blockId),
  is_good: boolean(({ isGood }) => isGood),
  words: text(({ words }) => words),
  rated_at: text(({ ratedAt }) => ratedAt.toISOString()),
});

/**
 * Inserts results with their answers and ratings, either all or none. Returns how many results are new, and how many
 * have changed.
 *
 * An existing result changes only with `isUpdating`, and only in the parts that differ. Deleted results never change,
 * and neither do tags and notes that people set on this instance. An answer gets its result's id as session id, because
 * its session does not exist on this instance.
 */
export async function insertImportedResults(
  sql: Sql,
  { botId, results, isUpdating }: { botId: string; results: readonly ImportedResult[]; isUpdating: boolean },
): Promise<{ added: number; changed: number }> {
  const answers = results.flatMap(({ id: resultId, answers: given }) =>
    given.map((answer, index) => ({ ...answer, resultId, revision: index + 1 })),
  );
  const ratings = results.flatMap(({ id: resultId, ratings: given = [] }) =>
    given.map((rating) => ({ ...rating, resultId })),
  );
  const ratedIds = results.flatMap(({ id, ratings: given }) => (given ? [id] : []));
  const columns = writtenFields.map(({ column }) => sql(column));
  const names = sql`${columns.map((column) => sql`${column},`)}`;
  const values = sql`${writtenFields.map((field) => (isList(field) ? sql`i.${sql(field.column)}::text[],` : sql`i.${sql(field.column)},`))}`;
  const kept = sql`${columns.map((column) => sql`${column} = coalesce(old.${column}, excluded.${column}),`)}`;
  const isNew = sql`${columns.map((column) => sql`or (old.${column} is null and excluded.${column} is not null)`)}`;
  const [row] = await sql<[{ added: number; changed: number }]>`
    with made as (
      insert into results as old (shard, id, bot_id, variables, has_started, is_completed, publication_number, ${names} created_at, updated_at)
      select i.shard, i.id, ${botId}::uuid, i.variables::json, i.has_started, i.is_completed,
        (
          select number
          from publications
          where publications.bot_id = ${botId}
            and publications.number = i.publication_number
        ),
        ${values} i.created_at::timestamptz, i.created_at::timestamptz
      from ${resultRows(sql, results)} as i
      on conflict (shard, id) do ${
        isUpdating
          ? sql`update
            set variables = excluded.variables,
              writer_session_id = null,
              has_started = excluded.has_started,
              is_completed = excluded.is_completed,
              publication_number = excluded.publication_number,
              ${kept}
              updated_at = greatest(clock(), old.updated_at + interval '1 millisecond')
            where not old.is_archived
              and (
                (old.variables::text, old.has_started, old.is_completed, old.publication_number)
                is distinct from (excluded.variables::text, excluded.has_started, excluded.is_completed, excluded.publication_number)
                ${isNew}
              )`
          : sql`nothing`
      }
      returning shard, id, created_at, xmax = 0 as is_new
    ),
    open as (
      select shard, id
      from made
      ${
        isUpdating
          ? sql`union
            select results.shard, results.id
            from ${shardedIds(
              sql,
              results.map(({ id }) => id),
            )} as given
            join results on results.shard = given.shard and results.id = given.id
            where not results.is_archived`
          : sql``
      }
    ),
    given_answers as materialized (
      select open.shard, open.id as result_id, i.created_at::timestamptz(3) as created_at, i.revision, i.block_id, i.group_id, i.variable_id, i.content,
        i.attached_file_urls::text[] as attached_file_urls
      from ${answerRows(sql, answers)} as i
      join open on open.shard = i.shard and open.id = i.result_id
    ),
    replaced as (
      update answers
      set replaced_at = clock()
      from open
      where answers.shard = open.shard
        and answers.result_id = open.id
        and answers.replaced_at is null
        and not exists (
          select
          from given_answers as given
          where given.result_id = answers.result_id
            and given.created_at = answers.created_at
            and given.revision = answers.revision
        )
      returning answers.shard, answers.result_id
    ),
    answered as (
      insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls)
      select shard, result_id, created_at, result_id, revision, 0, ${botId}::uuid, block_id, group_id, variable_id, content, attached_file_urls
      from given_answers
      on conflict (shard, result_id, created_at, session_id, revision, position) do update
      set block_id = excluded.block_id,
        group_id = excluded.group_id,
        variable_id = excluded.variable_id,
        content = excluded.content,
        attached_file_urls = excluded.attached_file_urls,
        replaced_at = null
      where (answers.block_id, answers.group_id, answers.variable_id, answers.content, answers.attached_file_urls, answers.replaced_at)
        is distinct from (excluded.block_id, excluded.group_id, excluded.variable_id, excluded.content, excluded.attached_file_urls, null)
      returning shard, result_id
    ),
    given_ratings as materialized (
      select open.shard, open.id as result_id, i.session_id, i.revision, i.block_id, i.is_good, i.words, i.rated_at::timestamptz(3) as rated_at
      from ${ratingRows(sql, ratings)} as i
      join open on open.shard = i.shard and open.id = i.result_id
    ),
    unrated as (
      delete from answer_ratings
      using open
      join ${shardedIds(sql, ratedIds)} as rated on rated.shard = open.shard and rated.id = open.id
      where answer_ratings.shard = open.shard
        and answer_ratings.result_id = open.id
        and not exists (
          select
          from given_ratings as given
          where given.session_id = answer_ratings.session_id
            and given.revision = answer_ratings.revision
            and given.block_id = answer_ratings.block_id
        )
      returning answer_ratings.shard, answer_ratings.result_id
    ),
    rated as (
      insert into answer_ratings (shard, session_id, revision, block_id, result_id, bot_id, is_good, words, rated_at)
      select shard, session_id, revision, block_id, result_id, ${botId}::uuid, is_good, words, rated_at
      from given_ratings
      on conflict (shard, session_id, revision, block_id) do update
      set is_good = excluded.is_good,
        words = excluded.words,
        rated_at = excluded.rated_at
      where (answer_ratings.is_good, answer_ratings.words, answer_ratings.rated_at)
        is distinct from (excluded.is_good, excluded.words, excluded.rated_at)
      returning shard, result_id
    ),
    touched as materialized (
      select shard, id from made
      union
      select shard, result_id from replaced
      union
      select shard, result_id from answered
      union
      select shard, result_id from unrated
      union
      select shard, result_id from rated
    ),
    -- They wait since they began: so it is known what lacks until they are read.
    waiting as (
      select touched.shard, touched.id, coalesce(made.created_at, clock()) as since
      from touched
      left join made on made.shard = touched.shard and made.id = touched.id
    ),
    -- Their ids are older than what is looked for by itself.
    noted as (
      insert into results_to_read (shard, result_id, bot_id, next_at)
      select shard, id, ${botId}::uuid, since
      from waiting
      order by id
      on conflict (shard, result_id) do update
      set next_at = least(results_to_read.next_at, excluded.next_at)
    ),
    noted_to_count as (
      insert into insight_results (shard, result_id, bot_id, next_at)
      select shard, id, ${botId}::uuid, since
      from waiting
      order by id
      on conflict (shard, result_id) do update
      set next_at = least(insight_results.next_at, excluded.next_at),
        revision = insight_results.revision + 1
    )
    select
      (select count(*) from made where is_new)::integer as added,
      ((select count(*) from touched) - (select count(*) from made where is_new))::integer as changed`;
  return row;
}

export type StoredCounts = { readonly results: number; readonly answers: number; readonly files: number };

/** Counts the given results that exist and are not deleted, together with their current answers and stored files. */
export async function countImportedResults(sql: Sql, resultIds: readonly string[]): Promise<StoredCounts> {
  const [row] = await sql<[StoredCounts]>`
    select
      count(*)::integer as results,
      coalesce(sum(answered.count), 0)::integer as answers,
      coalesce(sum(stored.count), 0)::integer as files
    from ${shardedIds(sql, resultIds)} as given
    join results on results.shard = given.shard and results.id = given.id
    cross join lateral (
      select count(*)
      from answers
      where answers.shard = results.shard
        and answers.result_id = results.id
        and answers.replaced_at is null
    ) as answered
    cross join lateral (
      select count(*)
      from files
      where files.shard = results.shard
        and files.result_id = results.id
        and files.stored_at is not null
        and not files.is_removed
    ) as stored
    where not results.is_archived`;
  return row;
}
