import { allFields, type FieldFilters, isList, type ResultField, wantedOf } from "../../core/results/result-fields.ts";
import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type ResultRow, resultColumns, type Window } from "./results.sql.ts";

/**
 * The variables to which a name refers in a bot (`variable-names.ts`). An entry of a result matches if it has one of
 * `ids`. It also matches if it has one of `names`, unless it has the id of another variable. An answer matches by the
 * id of its variable.
 */
export type Naming = {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Ids of other variables that have or had one of these names. */
  readonly others: readonly string[];
  /** The names to look up in `result_values`. */
  readonly keys: readonly string[];
  /** Whether `keys` may also find rows of other variables. Each match is then checked in its result. */
  readonly isChecked?: boolean;
};

/**
 * A value of a variable, or the start of a value, to search for. With `isFolded`, `value` is folded and matches every
 * value with the same folded form.
 */
export type WantedValue = {
  readonly name: string;
  readonly value: string;
  readonly isPrefix: boolean;
  readonly isFolded?: boolean;
  /** If absent, only the name is compared. */
  readonly by?: Naming;
  /** Whether withdrawn and replaced answers also match. */
  readonly withFormer?: boolean;
};

/** The filters of a list of results. An absent filter matches any result. */
export type ResultFilter = FieldFilters & {
  /** A text that one of the result's answers must contain, ignoring case. */
  readonly answer?: string | undefined;
  readonly values?: readonly WantedValue[];
  /** The id of a block. Only results that count as abandoned at this block match. */
  readonly leftAt?: string | undefined;
};

export type ResultList = {
  readonly botId: string;
  readonly window: Window;
  readonly filter?: ResultFilter;
  readonly isOldestFirst?: boolean;
};

export type ResultTotals = {
  readonly results: number;
  readonly started: number;
  readonly completed: number;
  readonly isExact: boolean;
  /** Whether there are more results than were examined. The numbers are then minimums. */
  readonly isLowerBound: boolean;
};

/** The number of pages of results that a search examines first. */
const fewPages = 4;

/**
 * Returns a page of the bot's matching results that are not archived. Unless an index applies the filter, examines at
 * most `limits.lists.searchedResults` results, so that a filter with few matches has a limited cost. If the page is not
 * full and there are more results, `end` is the last examined result, from which the next page continues.
 */
export async function searchResults(
  sql: Sql,
  list: ResultList,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<{ rows: ResultRow[]; end?: Position }> {
  const { filter = {} } = list;
  const search = (most: number | null) => sql<ResultRow[]>`
    select ${resultColumns(sql)}
    from (${candidates(sql, list, { after, limit: most })}) as results
    where ${fits(sql, filter)}
    order by ${inOrder(sql, list)}
    limit ${limit}`;
  if (isServed(filter)) return { rows: await search(null) };
  // If many results match, the first few results fill a page. The search examines all allowed results only if the page
  // is not full.
  const first = await search(fewPages * limit);
  if (first.length >= limit) return { rows: first };
  const most = limits.lists.searchedResults;
  const rows = await search(most);
  if (rows.length >= limit) return { rows };
  const [end] = await sql<Position[]>`
    select created_at, id
    from (${places(sql, list, { after, limit: most })}) as places
    order by ${inOrder(sql, list)}
    limit 1
    offset ${most - 1}`;
  return end ? { rows, end } : { rows };
}

/**
 * Counts the matching results, and how many of them have started and are completed. Examines only a limited number of
 * results.
 */
export async function countResults(sql: Sql, list: ResultList): Promise<ResultTotals> {
  const fitting = fits(sql, list.filter ?? {});
  const most = limits.lists.searchedResults;
  const [row] = await sql<[Omit<ResultTotals, "isLowerBound">]>`
    select
      count(*) filter (where ${fitting})::integer as results,
      count(*) filter (where has_started and ${fitting})::integer as started,
      count(*) filter (where is_completed and ${fitting})::integer as completed,
      (select count(*) from (${places(sql, list, { after: undefined, limit: most + 1 })}) as places) <= ${most} as is_exact
    from (${candidates(sql, list, { after: undefined, limit: most + 1 })}) as results`;
  return { ...row, isLowerBound: !row.isExact };
}

/** Returns the number of results in a list; null if an index cannot determine it. */
export async function countExpected(sql: Sql, list: ResultList): Promise<number | null> {
  if (!isServed(list.filter ?? {})) return null;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (${places(sql, list, { after: undefined, limit: null })}) as places`;
  return row.count;
}

/**
 * Examines up to `limit` results of a list. Returns the ids of the matching results, the number of examined results,
 * and the position from which to continue.
 */
export async function searchStretch(
  sql: Sql,
  list: ResultList,
  reach: { readonly after: Position | undefined; readonly limit: number },
): Promise<{ ids: string[]; looked: number; end: Position | undefined }> {
  const { filter = {}, botId } = list;
  const met = await sql<(Position & { readonly id: string })[]>`
    select id, created_at
    from (${places(sql, list, reach)}) as places
    order by ${inOrder(sql, list)}`;
  const end = met.length === reach.limit ? met.at(-1) : undefined;
  const ids = met.map(({ id }) => id);
  if (isServed(filter) || ids.length === 0) return { ids, looked: met.length, end };
  const fitting = await sql<{ id: string }[]>`
    select results.id
    from ${shardedIds(sql, ids)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where results.bot_id = ${botId}
      and not results.is_archived
      and ${fits(sql, filter)}`;
  return { ids: fitting.map(({ id }) => id), looked: met.length, end };
}

/** Returns the number of results to examine, up to this limit. */
export async function countPlaces(sql: Sql, list: ResultList, limit: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (${places(sql, list, { after: undefined, limit })}) as places`;
  return row.count;
}

type Reach = { readonly after: Position | undefined; readonly limit: number | null };

/** Selects the full rows of the results to examine. */
function candidates(sql: Sql, list: ResultList, reach: Reach): ReturnType<Sql> {
  if (!list.filter?.values) return places(sql, list, reach);
  return sql`
      select results.*
      from (${places(sql, list, reach)}) as places
      join results on results.shard = places.shard and results.id = places.id
      where results.bot_id = ${list.botId}
        and not results.is_archived`;
}

/**
 * Selects the results to examine, in the order of the list. Uses the index of values for the first requested value. If
 * no value is requested, uses an index of the bot's results.
 */
function places(sql: Sql, list: ResultList, { after, limit }: Reach): ReturnType<Sql> {
  const { botId, isOldestFirst, filter: { hasStarted, tag, values: [value] = [] } = {} } = list;
  if (!value) {
    return sql`
      select *
      from results
      where bot_id = ${botId}
        and not is_archived
        ${hasStarted ? sql`and has_started` : sql``}
        ${tag === undefined ? sql`` : sql`and tags is not null`}
        ${inReach(sql, list, { after, id: sql`id` })}
      order by ${inOrder(sql, list)}
      limit ${limit}`;
  }
  return sql`
        -- One result may have several values with the same beginning, or one value under several names.
        select distinct found.shard, found.id, found.created_at
        from ${keysOf(sql, value)} as key (name)
        cross join lateral (
          select shard, result_id as id, created_at
          from result_values
          where bot_id = ${botId}
            and ${hasKey(sql, value)}
            ${inReach(sql, list, { after, id: sql`result_id` })}
          order by ${isOldestFirst ? sql`created_at, result_id` : sql`created_at desc, result_id desc`}
          limit ${limit}
        ) as found
        order by ${inOrder(sql, list)}
        limit ${limit}`;
}

function inReach(
  sql: Sql,
  { window, isOldestFirst }: ResultList,
  { after, id }: { after: Position | undefined; id: ReturnType<Sql> },
) {
  const beyond = isOldestFirst ? sql`>` : sql`<`;
  return sql`
        ${window.from ? sql`and created_at >= ${window.from}` : sql``}
        ${window.to ? sql`and created_at < ${window.to}` : sql``}
        ${after ? sql`and (created_at, ${id}) ${beyond} (${after.createdAt}, ${after.id})` : sql``}`;
}

/** Whether an index can apply the filter without examining results. */
export function isServed({ hasStarted, answer, values, leftAt, ...filters }: ResultFilter): boolean {
  const isAny = allFields.every((field) => wantedOf(filters, field) === undefined);
  return isAny && hasStarted !== false && answer === undefined && !values && leftAt === undefined;
}

function inOrder(sql: Sql, { isOldestFirst }: Pick<ResultList, "isOldestFirst">) {
  return isOldestFirst ? sql`created_at, id` : sql`created_at desc, id desc`;
}

function fits(sql: Sql, { answer, values = [], leftAt, ...filters }: ResultFilter) {
  return sql`(
      true
      ${allFields.map((field) => hasField(sql, field, wantedOf(filters, field)))}
      ${values.length === 0 ? sql`` : values.map((value) => sql`and ${hasValue(sql, value)}`)}
      ${answer === undefined ? sql`` : sql`and ${hasAnswer(sql, answer)}`}
      ${leftAt === undefined ? sql`` : sql`and ${hasLeftAt(sql, leftAt)}`}
    )`;
}

function hasField(sql: Sql, field: ResultField, wanted: unknown) {
  if (typeof wanted !== "string" && typeof wanted !== "number" && typeof wanted !== "boolean") return sql``;
  const column = sql(field.column);
  return isList(field) ? sql`and ${wanted} = any(${column})` : sql`and ${column} = ${wanted}`;
}

function hasAnswer(sql: Sql, text: string) {
  return sql`exists (
        select
        from answers
        where answers.shard = results.shard
          and answers.result_id = results.id
          and answers.replaced_at is null
          and strpos(lower(answers.content), lower(${text})) > 0
      )`;
}

/**
 * Returns the SQL condition that a result counts as abandoned at this block. Uses the same measure as the counts, so
 * that the list agrees with them.
 */
function hasLeftAt(sql: Sql, blockId: string) {
  return sql`exists (
        select
        from insight_results as counted
        where counted.shard = results.shard
          and counted.result_id = results.id
          and (
            select id
            from insight_measures
            where insight_measures.bot_id = results.bot_id
              and kind = 'left'
              and subject = ${blockId}
              and value = ''
          ) = any(counted.measures)
      )`;
}

/**
 * Returns the SQL condition that a result has this value. The index contains only the first characters of names and
 * values. Longer names and values, and names that several variables share, are therefore checked in the result itself.
 */
function hasValue(sql: Sql, wanted: WantedValue) {
  const { names, others, isChecked = false } = namingOf(wanted);
  const longest = Math.max(wanted.value.length, ...names.map((name) => name.length));
  const isIndexed = longest < limits.resultValues.keyCharacters && others.length === 0 && !isChecked;
  return sql`exists (
        select
        from ${keysOf(sql, wanted)} as key (name)
        join result_values on ${hasKey(sql, wanted)}
        where result_values.shard = results.shard
          and result_values.result_id = results.id
      )
      ${isIndexed ? sql`` : sql`and ${saysValue(sql, wanted)}`}`;
}

/** Returns the names to look up in `result_values`, for use as the table `key (name)`. */
export function keysOf(sql: Sql, wanted: WantedValue) {
  return sql`unnest(${[...namingOf(wanted).keys]}::text[])`;
}

/**
 * Returns the SQL condition that a row of `result_values` may have this value under the name `key.name`. The row
 * contains only the first characters of its value.
 */
export function hasKey(sql: Sql, { value, isPrefix, isFolded }: WantedValue) {
  const key = cutKey(value);
  if (isFolded) {
    // The expression of the index `result_values_folded`.
    return sql`result_values.name = key.name and left(folded(result_values.value), 64) = left(${value}, 64)`;
  }
  // Uses bounds instead of a pattern, because the prefix of the pattern is unknown in a prepared statement.
  const bounds = sql`result_values.value >= ${key} and result_values.value < ${`${key}\u{10ffff}`}`;
  return sql`result_values.name = key.name and ${isPrefix ? bounds : sql`result_values.value = ${key}`}`;
}

/** The fields of a naming in SQL: parameters for one bot, or columns for a list of bots. */
type NamingParts = { readonly [Part in "ids" | "names" | "others"]: ReturnType<Sql> };

/** Returns the SQL condition that a row of `results` has this value in a variable or in an answer. */
export function saysValue(sql: Sql, wanted: WantedValue, parts: NamingParts = partsOf(sql, wanted)) {
  return sql`(${hasVariable(sql, wanted, parts)} or exists (select ${answered(sql, wanted, parts)}))`;
}

/** Returns the SQL condition that one of the result's variables has this value. */
export function hasVariable(sql: Sql, wanted: WantedValue, parts: NamingParts = partsOf(sql, wanted)) {
  return sql`exists (select ${kept(sql, wanted, parts)})`;
}

/** Selects the values in a row of `results` that match `wanted`, as a table with the column `value`. */
export function spellings(sql: Sql, wanted: WantedValue) {
  const parts = partsOf(sql, wanted);
  return sql`(
        select one.value ${kept(sql, wanted, parts)}
        union all
        select one.content ${answered(sql, wanted, parts)}
      )`;
}

function kept(sql: Sql, wanted: WantedValue, { ids, names, others }: NamingParts) {
  return sql`
        from json_array_elements(results.variables) as variable
        cross join lateral json_array_elements_text(
          case json_typeof(variable -> 'value') when 'array' then variable -> 'value' else json_build_array(variable -> 'value') end
        ) as one (value)
        where (variable ->> 'id' = any(${ids}) or (variable ->> 'name' = any(${names}) and coalesce(variable ->> 'id', '') <> all(${others})))
          and ${isValue(sql, wanted, sql`one.value`)}`;
}

function answered(sql: Sql, wanted: WantedValue, { ids }: NamingParts) {
  return sql`
        from answers as one
        where one.shard = results.shard
          and one.result_id = results.id
          and one.variable_id = any(${ids})
          ${wanted.withFormer ? sql`` : sql`and one.replaced_at is null`}
          and ${isValue(sql, wanted, sql`one.content`)}`;
}

function isValue(sql: Sql, { value, isPrefix, isFolded }: WantedValue, text: ReturnType<Sql>) {
  const said = isFolded ? sql`folded(${text})` : text;
  return isPrefix ? sql`starts_with(${said}, ${value})` : sql`${said} = ${value}`;
}

function namingOf({ name, by }: WantedValue): Naming {
  return by ?? { ids: [], names: [name], others: [], keys: [cutKey(name)] };
}

function partsOf(sql: Sql, wanted: WantedValue): NamingParts {
  const { ids, names, others } = namingOf(wanted);
  const list = (texts: readonly string[]): ReturnType<Sql> => sql`${[...texts]}::text[]`;
  return { ids: list(ids), names: list(names), others: list(others) };
}

/**
 * Returns the part of a name or value that the index contains. The text is cut by characters, like `left` in the
 * database, and not by UTF-16 units.
 */
export function cutKey(text: string): string {
  return Array.from(text).slice(0, limits.resultValues.keyCharacters).join("");
}
