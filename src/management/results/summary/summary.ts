import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { shardOf } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findBot } from "../../bots/bots.sql.ts";
import { findIndexedUntil } from "../../counts/count-state.sql.ts";
import { usesIndex } from "../caught-up.ts";
import { type FilterRequest, readFilter } from "../result-filters.ts";
import { countPlaces, countResults, isServed, type ResultList, searchStretch } from "../result-search.sql.ts";
import type { ReadTools } from "../results.ts";
import { readNewWindow, type WindowRequest } from "../time-windows.ts";
import { withNamings } from "../variable-names.ts";
import { countAnswers, countVariables } from "./summary.sql.ts";
import { type SummaryColumn, summaryColumns } from "./summary-columns.ts";
import { type ColumnSummary, createTally } from "./tally.ts";

export type SummaryRequest = WindowRequest &
  FilterRequest & {
    /** Ids of questions and variables. */
    readonly columns?: readonly string[] | undefined;
  };

export type Summary = {
  /** The number of results in the summary. */
  readonly results: number;
  readonly leftOut: {
    /** The number of matching results that are left out because they have no answer. */
    readonly silent: number;
    /** The number of matching results that are older than the summarized results; 0 if this number is unknown. */
    readonly older: number;
    readonly isLowerBound: boolean;
  };
  readonly isExact?: boolean;
  readonly asOf?: Date;
  readonly columns: ColumnSummary[];
};

/** The progress of a summary: the number of results examined so far, and the total number. */
export type SummaryProgress = { readonly read: number; readonly of: number };

export type SummaryPlan = { readonly list: ResultList; readonly columns: readonly SummaryColumn[] };

/** Plans the summary of the newest matching results. By default, it includes only results with an answer. */
export async function planSummary(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: SummaryRequest,
): Promise<SummaryPlan> {
  await requireBot(deps, caller, botId, "read");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const { from, to } = request;
  const timeFilter = request.timeFilter ?? (from === undefined && to === undefined ? "last7Days" : "allTime");
  const window = await readNewWindow(deps, { ...request, timeFilter });
  const { filter } = readFilter({ ...request, order: "newest", isStartedOnly: true });
  return { list: { botId, window, filter }, columns: summaryColumns(bot, request.columns) };
}

/**
 * The number of results that are counted between two reports of the progress. Counting them takes some tenths of a
 * second.
 */
const pageSize = 10_000;
/** The number of statements that count concurrently. The remaining capacity of the database is left to chats. */
const partsAtOnce = 2;

type Watch = { readonly tell?: (progress: SummaryProgress) => void; readonly signal?: AbortSignal };

/** Reads the results of a plan page by page and summarizes them. */
export async function readSummary(deps: ReadTools, plan: SummaryPlan, { tell, signal }: Watch = {}): Promise<Summary> {
  const { replica } = deps;
  const list = await replica.read((sql) => withNamings(sql, plan.list));
  // The time is read before the search, because the search may miss results that arrive while it runs.
  const asOf = usesIndex(list)
    ? await replica.read((sql) => findIndexedUntil(sql, { botIds: [list.botId] }))
    : undefined;
  const most = isServed(list.filter ?? {}) ? limits.summaries.results : limits.summaries.searched;
  const tallies = new Map(plan.columns.map((column) => [column.id, createTally(column)]));
  const count = createCounter(deps, plan.columns, tallies);

  const stretch = (after: Position | undefined) =>
    replica.read((sql) => searchStretch(sql, list, { after, limit: pageSize }));
  let [looked, results] = [0, 0];
  let isCut = false;
  const [all, first] = await Promise.all([countAll(deps, list), stretch(undefined)]);
  const of = Math.min(all.toLookAt, most);
  let next: ReturnType<typeof stretch> | undefined = Promise.resolve(first);
  while (next) {
    const { ids, looked: met, end }: Awaited<ReturnType<typeof stretch>> = await next;
    signal?.throwIfAborted();
    const fitting = ids.slice(0, limits.summaries.results - results);
    looked += met;
    results += fitting.length;
    const mayGoOn = looked < most && results < limits.summaries.results;
    isCut = fitting.length < ids.length || (end !== undefined && !mayGoOn);
    // The next page is searched while this page is counted.
    next = mayGoOn && end ? stretch(end) : undefined;
    await Promise.all([next, ...parts(fitting).map(count)]);
    tell?.({ read: Math.min(looked, of), of });
  }
  const older = all.started === undefined ? 0 : Math.max(0, all.started - results);
  return {
    results,
    leftOut: {
      silent: all.silent,
      older,
      isLowerBound: all.isLowerBound || (isCut && all.started === undefined),
    },
    ...(asOf !== undefined && { isExact: asOf === null }),
    ...(asOf && { asOf }),
    columns: [...tallies.values()].map((tally) => tally.sum()),
  };
}

/**
 * Splits a page of results into parts that are counted concurrently. The parts are sorted by key, because rows with
 * neighbouring keys share the pages of an index. Sorted by time, each result would be on another page.
 */
function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const size = Math.max(1, Math.ceil(ids.length / partsAtOnce));
  const inOrder = ids.toSorted((one, other) => shardOf(one) - shardOf(other) || (one < other ? -1 : 1));
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    inOrder.slice(index * size, (index + 1) * size),
  );
}

type Tallies = ReadonlyMap<string, ReturnType<typeof createTally>>;

function createCounter({ replica }: ReadTools, columns: readonly SummaryColumn[], tallies: Tallies) {
  const idsOf = (source: SummaryColumn["source"]) =>
    columns.filter((column) => column.source === source).map(({ id }) => id);
  const [blockIds, variableIds] = [idsOf("question"), idsOf("variable")];
  const wordless = columns.filter(({ measured }) => measured === "texts").map(({ id }) => id);
  return async (ids: readonly string[]): Promise<void> => {
    const [answers, values] = await replica.read(async (sql) => [
      await countAnswers(sql, ids, { blockIds, wordless }),
      await countVariables(sql, ids, variableIds),
    ]);
    for (const { id, text, results } of answers) tallies.get(id)?.add([text], results);
    for (const { id, text, results, isList } of values)
      tallies.get(id)?.add(isList ? entriesIn(text ?? "[]") : [text ?? ""], results);
  };
}

/** Returns the distinct texts in a list, which is given as JSON. */
function entriesIn(list: string): readonly string[] {
  const entries: unknown = JSON.parse(list);
  return [...new Set(Array.isArray(entries) ? entries.filter((entry) => typeof entry === "string") : [])];
}

/**
 * Returns the numbers of results in a list: results without an answer, results to examine, and, if an index can
 * determine it, results to summarize.
 */
async function countAll({ replica }: ReadTools, list: ResultList) {
  const { hasStarted, ...filter } = list.filter ?? {};
  const most = limits.summaries.counted;
  const toLookAt = await replica.read((sql) => countPlaces(sql, list, most));
  const started = isServed(list.filter ?? {}) ? toLookAt : undefined;
  if (hasStarted !== true) return { toLookAt, started, silent: 0, isLowerBound: toLookAt === most };
  if (isServed(filter)) {
    const either = await replica.read((sql) => countPlaces(sql, { ...list, filter }, most));
    return { toLookAt, started, silent: either - toLookAt, isLowerBound: either === most };
  }
  const found = await replica.read((sql) => countResults(sql, { ...list, filter }));
  return { toLookAt, started, silent: found.results - found.started, isLowerBound: found.isLowerBound };
}
