import type postgres from "postgres";
import { copiedColumns } from "../../../core/results/result-fields.ts";
import type { Sql } from "../../../platform/database/sql.ts";

type Transaction = postgres.TransactionSql;

/** The results to copy, and the target bot. `salt` must be secret, because ids of results are secret. */
export type ResultsCopy = { readonly fromBotId: string; readonly toBotId: string; readonly salt: string };

/** Returns the number of a bot's results that are not in the bin, counted up to `most`. */
export async function countResults(sql: Sql, { botId, most }: { botId: string; most: number }): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (select from results where bot_id = ${botId} and not is_archived limit ${most}) as counted`;
  return row.count;
}

/**
 * Copies up to `limit` results with ids after `after` to another bot, with their answers, logs, edges and ratings.
 * Returns the number of copies and the id of the last copied result. The copies get new ids with the same shard and
 * time. Answers of one session remain together and in order.
 */
export async function copyResults(
  sql: Transaction,
  { fromBotId, toBotId, salt }: ResultsCopy,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ count: number; last: string | null }> {
  const copied = (column: ReturnType<Sql>) => sql`
    overlay(
      replace(${column}::text, '-', '')
      placing substr(md5(concat(${salt}::text, ${column}::text)), 1, 17)
      from 13 for 17
    )::uuid`;
  const fields = sql`${copiedColumns.map((column) => sql`${sql(column)},`)}`;
  const [row] = await sql<[{ count: number; last: string | null }]>`
    with chosen as materialized (
      select *
      from results
      where bot_id = ${fromBotId}
        and not is_archived
        ${after === null ? sql`` : sql`and id > ${after}`}
      order by id
      limit ${limit}
    ),
    result_rows as (
      insert into results (shard, id, bot_id, variables, ${fields} created_at, updated_at)
      select shard, ${copied(sql`id`)}, ${toBotId}, variables, ${fields} created_at, updated_at
      from chosen
    ),
    unread_rows as (
      -- They are as old as their originals: the job that looks for new results has passed by.
      insert into results_to_read (shard, result_id, bot_id, next_at)
      select shard, ${copied(sql`id`)}, ${toBotId}::uuid, created_at
      from chosen
    ),
    uncounted_rows as (
      insert into insight_results (shard, result_id, bot_id, next_at)
      select shard, ${copied(sql`id`)}, ${toBotId}::uuid, created_at
      from chosen
    ),
    answer_rows as (
      insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls, replaced_at)
      select answers.shard, ${copied(sql`answers.result_id`)}, answers.created_at, ${copied(sql`answers.session_id`)}, answers.revision,
        answers.position, ${toBotId}, answers.block_id, answers.group_id, answers.variable_id, answers.content,
        answers.attached_file_urls, answers.replaced_at
      from chosen
      join answers on answers.shard = chosen.shard and answers.result_id = chosen.id
    ),
    log_rows as (
      insert into logs (shard, result_id, id, bot_id, status, description, details, context, created_at, position)
      select logs.shard, ${copied(sql`logs.result_id`)}, ${copied(sql`logs.id`)}, ${toBotId}, logs.status, logs.description, logs.details,
        logs.context, logs.created_at, logs.position
      from chosen
      join logs on logs.shard = chosen.shard and logs.result_id = chosen.id
    ),
    edge_rows as (
      insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id, created_at)
      select visited_edges.shard, ${copied(sql`visited_edges.result_id`)}, ${copied(sql`visited_edges.session_id`)},
        visited_edges.position, ${toBotId}, visited_edges.edge_id, visited_edges.created_at
      from chosen
      join visited_edges on visited_edges.shard = chosen.shard and visited_edges.result_id = chosen.id
    ),
    rating_rows as (
      insert into answer_ratings (shard, session_id, revision, block_id, result_id, bot_id, is_good, words, rated_at)
      select answer_ratings.shard, ${copied(sql`answer_ratings.session_id`)}, answer_ratings.revision, answer_ratings.block_id,
        ${copied(sql`answer_ratings.result_id`)}, ${toBotId}, answer_ratings.is_good, answer_ratings.words, answer_ratings.rated_at
      from chosen
      join answer_ratings on answer_ratings.shard = chosen.shard and answer_ratings.result_id = chosen.id
    )
    select count(*)::integer as count, (select id from chosen order by id desc limit 1) as last
    from chosen`;
  return row;
}

/**
 * Copies a bot's draft and test conversations, but not its addresses, publications, closed state or public share. Locks
 * the workspace before the folder, like other changes of folders. If the bot's own folder is deleted at the same time,
 * the copy is in no folder. Returns false if the copy was not created.
 */
export async function copyBot(
  sql: Transaction,
  {
    fromBotId,
    id,
    name,
    folderId,
  }: { fromBotId: string; id: string; name: string | null; folderId: string | null | undefined },
): Promise<boolean> {
  const rows = await sql`
    with place as (
      select workspaces.id as workspace_id, bots.folder_id
      from bots
      join workspaces on workspaces.id = bots.workspace_id and workspaces.deleted_at is null
      where bots.id = ${fromBotId}
        and bots.deleted_at is null
      for share of workspaces
    ),
    folder as (
      select folders.id
      from folders
      join place on place.workspace_id = folders.workspace_id
      where folders.id = ${folderId === undefined ? sql`place.folder_id` : sql`${folderId}::uuid`}
        and folders.deleted_at is null
      for share of folders
    ),
    made as (
      insert into bots (
        id, workspace_id, folder_id, version, name, icon, events, groups, edges, variables, theme, settings,
        selected_theme_template_id, results_table_preferences, messenger_credentials_id, results_retention_days, editor, extra
      )
      select
        ${id}::uuid, workspace_id, (select folder.id from folder), version,
        coalesce(${name}::text, left(name, 240) || ' (copy)'), icon, events, groups, edges, variables, theme,
        case when settings -> 'publicShare' is null then settings else (settings::jsonb - 'publicShare')::json end,
        selected_theme_template_id, results_table_preferences, messenger_credentials_id, results_retention_days, editor, extra
      from bots
      where id = ${fromBotId}
        and deleted_at is null
        and exists (select from place)
        and ${typeof folderId === "string" ? sql`exists (select from folder)` : sql`true`}
      returning id
    ),
    tests as (
      insert into test_conversations (bot_id, name, conversation, is_required)
      select made.id, test_conversations.name, test_conversations.conversation, test_conversations.is_required
      from made
      join test_conversations on test_conversations.bot_id = ${fromBotId}
    )
    select id
    from made`;
  return rows.length === 1;
}
