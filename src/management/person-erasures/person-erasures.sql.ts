import { bulk, shardedIds, textList, uuid } from "../../platform/database/bulk.ts";
import { ownedRows, type Position } from "../../platform/database/owned-rows.sql.ts";
import { countOf, type Sql, type Statements } from "../../platform/database/sql.ts";
import { inTurn } from "../../platform/database/turns.sql.ts";
import { codeOf } from "../../platform/thrown.ts";
import type { NamedExport } from "../results/exports/result-exports.sql.ts";
import {
  cutKey,
  hasKey,
  hasVariable,
  keysOf,
  type Naming,
  saysValue,
  spellings,
  type WantedValue,
} from "../results/result-search.sql.ts";

/** The methods of comparing a value. */
export const personMatches = ["exact", "folded"] as const;
export type PersonMatch = (typeof personMatches)[number];

/** The numbers of a bot's objects that were erased or that a dry run counted, and the hashes of the results' ids. */
export type ErasedOfBot = {
  readonly botId: string;
  readonly name: string;
  readonly results: number;
  readonly answers: number;
  readonly sessions: number;
  readonly files: number;
  /** SHA-256 hashes of the results' ids, up to the limit of a receipt. */
  readonly resultHashes: string[];
};

export type PersonErasureRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly variable: string;
  readonly match: PersonMatch;
  readonly salt: string;
  readonly valueHash: string;
  readonly isComplete: boolean;
  readonly bots: ErasedOfBot[];
  readonly exports: NamedExport[];
  readonly createdAt: Date;
};

/** The rows of workspaces' receipts. */
export const personErasureRows = ownedRows<PersonErasureRow>({
  table: "person_erasures",
  owner: "workspace_id",
  columns,
});

/** Returns a value in the form that `match: "folded"` compares, and the current time. */
export async function foldValue(sql: Sql, value: string): Promise<{ folded: string; now: Date }> {
  const [row] = await sql<[{ folded: string; now: Date }]>`
    select folded(${value}) as folded, clock() as now`;
  return row;
}

/** Returns the bots of a workspace, including archived bots and bots in the bin. */
export async function listAllBots(sql: Statements, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    select id, name
    from bots
    where workspace_id = ${workspaceId}
    order by id`;
}

/** Whether a result of the workspace has a variable with this name, according to the index of values. */
export async function isNameOfIndexedResults(
  sql: Sql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from bots
    where workspace_id = ${workspaceId}
      and exists (
        select
        from result_values
        where result_values.bot_id = bots.id
          and result_values.name = ${cutKey(name)}
      )
    limit 1`;
  return rows.length > 0;
}

/**
 * Whether a result that may be missing from the index has a variable with this name. An erased result has no variables.
 */
export async function isNameOfUnreadResults(
  sql: Sql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> {
  const rows = await sql`
    with ${unreadPlaces(sql)}
    select 1
    from unread
    join results on results.shard = unread.shard and results.id = unread.result_id
    join bots on bots.id = results.bot_id
    where bots.workspace_id = ${workspaceId}
      and exists (
        select
        from json_array_elements(results.variables) as variable
        where variable ->> 'name' = ${name}
      )
    limit 1`;
  return rows.length > 0;
}

type Meant = Position & { readonly isMeant: boolean };

/**
 * Returns the bot's next results from the index of values. `isMeant` is true for a result that has this value and is
 * not erased.
 */
export async function listIndexedResults(
  sql: Sql,
  { botId, wanted, after, limit }: { botId: string; wanted: WantedValue; after: Position | undefined; limit: number },
): Promise<Meant[]> {
  return sql<Meant[]>`
    select
      found.result_id as id,
      found.created_at,
      exists (
        select
        from results
        where results.shard = found.shard
          and results.id = found.result_id
          and ${isThere(sql)}
          and ${saysValue(sql, wanted)}
      ) as is_meant
    from (
      select distinct named.*
      from ${keysOf(sql, wanted)} as key (name)
      cross join lateral (
        select shard, result_id, created_at
        from result_values
        where bot_id = ${botId}
          and ${hasKey(sql, wanted)}
          ${after ? sql`and (created_at, result_id) < (${after.createdAt}, ${after.id})` : sql``}
        order by created_at desc, result_id desc
        limit ${limit}
      ) as named
      order by created_at desc, result_id desc
      limit ${limit}
    ) as found
    order by found.created_at desc, found.result_id desc`;
}

/**
 * Returns the bot's next results that are not erased. `isMeant` is true for a result that has this value. `isBinned`
 * selects the results in the bin, or otherwise all others. Used if the index lacks some results.
 */
export async function listAllResults(
  sql: Sql,
  {
    botId,
    wanted,
    isBinned,
    after,
    limit,
  }: { botId: string; wanted: WantedValue; isBinned: boolean; after: Position | undefined; limit: number },
): Promise<Meant[]> {
  return sql<Meant[]>`
    select id, created_at, ${saysValue(sql, wanted)} as is_meant
    from (
      select *
      from results
      where bot_id = ${botId}
        and ${isBinned ? sql`erase_after is not null` : sql`not is_archived`}
        ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
      order by created_at desc, id desc
      limit ${limit}
    ) as results
    order by created_at desc, id desc`;
}

/** The bot in which a person is searched for, and the meaning of the variable's name in this bot. */
export type WantedInBot = { readonly botId: string; readonly by: Naming };

const wantedInBots = bulk<WantedInBot>({
  bot_id: uuid(({ botId }) => botId),
  ids: textList(({ by }) => by.ids),
  names: textList(({ by }) => by.names),
  others: textList(({ by }) => by.others),
  keys: textList(({ by }) => by.keys),
});

/**
 * Returns the next results of these bots, sorted by id, that have this value and may be missing from the index. They
 * wait for their first or next read, or were not found by the search for new results. `isNew` leaves out results that
 * `listIndexedResults` also returns. A caller that erases the results need not set it.
 */
export async function listUnreadResults(
  sql: Sql,
  {
    bots,
    wanted,
    isNew,
    after,
    limit,
  }: {
    bots: readonly WantedInBot[];
    wanted: WantedValue;
    isNew: boolean;
    after: string | undefined;
    limit: number;
  },
): Promise<{ botId: string; id: string }[]> {
  const list = (column: string): ReturnType<Sql> => sql`${sql(`wanted.${column}`)}::text[]`;
  return sql<{ botId: string; id: string }[]>`
    with ${unreadPlaces(sql)}
    select results.bot_id, results.id
    from unread
    join results on results.shard = unread.shard and results.id = unread.result_id
    join ${wantedInBots(sql, bots)} as wanted on wanted.bot_id = results.bot_id
    where ${isThere(sql)}
      ${after ? sql`and results.id > ${after}` : sql``}
      and ${saysValue(sql, wanted, { ids: list("ids"), names: list("names"), others: list("others") })}
      ${
        isNew
          ? sql`and not exists (
              select
              from unnest(${list("keys")}) as key (name)
              join result_values on ${hasKey(sql, wanted)}
              where result_values.shard = results.shard
                and result_values.result_id = results.id
            )`
          : sql``
      }
    order by results.id
    limit ${limit}`;
}

/**
 * Returns the part of a `with` that selects unread results as `unread`: results that wait for a read, and results that
 * the search for new results has not found.
 */
function unreadPlaces(sql: Sql) {
  // Reads shard by shard. For a join, the planner expects a third of all rows to be new, and reads the whole table.
  const newRows = (table: string, last: string) => sql`
        result_walks
        cross join lateral (
          select source.*
          from ${sql(table)} as source
          where source.shard = result_walks.shard
            and source.id > ${sql(`result_walks.${last}`)}
          offset 0
        ) as found`;
  return sql`unread as materialized (
      select shard, result_id
      from results_to_read
      union
      select found.shard, found.id
      from ${newRows("results", "result_id")}
      union
      select found.shard, found.result_id
      from ${newRows("sessions", "session_id")}
      where found.result_id is not null
    )`;
}

/** Returns the SQL condition that the result is not erased. The result may be in the bin. */
function isThere(sql: Sql) {
  return sql`(not results.is_archived or results.erase_after is not null)`;
}

/** Returns the spellings of the value in these results, with the number of results for each spelling. */
export async function listSpellings(
  sql: Sql,
  { resultIds, wanted, characters }: { resultIds: readonly string[]; wanted: WantedValue; characters: number },
): Promise<{ value: string; results: number }[]> {
  return sql<{ value: string; results: number }[]>`
    select said.value, count(*)::integer as results
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    cross join lateral (select distinct left(one.value, ${characters}) as value from ${spellings(sql, wanted)} as one) as said
    group by said.value`;
}

/** Returns the number of these results that have the value in no variable, but only in answers. */
export async function countFoundInAnswers(
  sql: Sql,
  { resultIds, wanted }: { resultIds: readonly string[]; wanted: WantedValue },
): Promise<number> {
  return countOf(sql`
    select
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where not ${hasVariable(sql, wanted)}`);
}

/** Counts the content of these results. */
export async function countContent(
  sql: Sql,
  resultIds: readonly string[],
): Promise<Pick<ErasedOfBot, "answers" | "sessions" | "files">> {
  const count = (table: "answers" | "sessions" | "files") => sql`(
      select count(*)::integer
      from ${shardedIds(sql, resultIds)} as wanted
      join ${sql(table)} as counted on counted.shard = wanted.shard and counted.result_id = wanted.id
      ${table === "files" ? sql`where counted.stored_at is not null and not counted.is_removed` : sql``}
    )`;
  const [row] = await sql<[Pick<ErasedOfBot, "answers" | "sessions" | "files">]>`
    select ${count("answers")} as answers, ${count("sessions")} as sessions, ${count("files")} as files`;
  return row;
}

/**
 * Waits until running copies of the workspace's bots have ended, and returns all of its bots; undefined if this takes
 * too long. The lock conflicts with the lock of `copyBot`, which is held until the copy ends. A copy that starts later
 * contains no result that is already erased.
 */
export async function listBotsAfterCopies(
  sql: Sql,
  { workspaceId, ms }: { workspaceId: string; ms: number },
): Promise<{ id: string; name: string }[] | undefined> {
  try {
    return await inTurn(sql, async (transaction) => {
      await transaction`select set_config('lock_timeout', ${String(ms)}, true)`;
      await transaction`select from workspaces where id = ${workspaceId} for no key update`;
      return await listAllBots(transaction, workspaceId);
    });
  } catch (error) {
    if (codeOf(error) === lockNotAvailable) return undefined;
    throw error;
  }
}

/** PostgreSQL's code for a timeout while waiting for a lock. */
const lockNotAvailable = "55P03";

/** Writes the current state of a receipt. */
export async function savePersonErasure(
  sql: Sql,
  erasure: Omit<PersonErasureRow, "createdAt">,
): Promise<PersonErasureRow> {
  const { id, workspaceId, userId, variable, match, salt, valueHash, isComplete, bots, exports } = erasure;
  const [row] = await sql<[PersonErasureRow]>`
    insert into person_erasures (id, workspace_id, user_id, variable, match, salt, value_hash, is_complete, bots, exports)
    values (
      ${id}, ${workspaceId}, ${userId}, ${variable}, ${match}, decode(${salt}, 'hex'), decode(${valueHash}, 'hex'), ${isComplete},
      ${JSON.stringify(bots)}::text::json, ${JSON.stringify(exports)}::text::json
    )
    on conflict (id) do update
    set is_complete = excluded.is_complete,
      bots = excluded.bots,
      exports = excluded.exports
    returning ${columns(sql)}`;
  return row;
}

function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    user_id,
    variable,
    match,
    encode(salt, 'hex') as salt,
    encode(value_hash, 'hex') as value_hash,
    is_complete,
    bots,
    exports,
    created_at`;
}
