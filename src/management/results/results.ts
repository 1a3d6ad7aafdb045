import { wholeUnits } from "../../core/payments/currencies.ts";
import { type WrittenFields, writtenColumns } from "../../core/results/result-fields.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId } from "../../platform/ids.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { conversationOfResult } from "../channels/result-conversation.ts";
import { findIndexedUntil } from "../counts/count-state.sql.ts";
import { storedFilesOf } from "../files/file-addresses.ts";
import { listPayments } from "../payments/payments.sql.ts";
import { listLinkedRatings, listRatings } from "../ratings/ratings.sql.ts";
import { usesIndex } from "./caught-up.ts";
import { type FilterRequest, readFilter } from "./result-filters.ts";
import { countResults, searchResults } from "./result-search.sql.ts";
import {
  type AnswerRow,
  findResult,
  listAnswers,
  listLogs,
  listStandingIds,
  type ResultRow,
  type TimeFilter,
  updateWrittenFields,
} from "./results.sql.ts";
import { readNewWindow, readWindow, type WindowRequest, writeWindow } from "./time-windows.ts";
import { withNamings } from "./variable-names.ts";

export { timeFilters } from "./results.sql.ts";

export type ReadTools = Pick<ManagementDependencies, "sql"> & {
  readonly replica: Pick<ManagementDependencies["replica"], "read" | "mayBeOlder">;
};

export type ResultsRequest = PageRequest &
  WindowRequest &
  FilterRequest & {
    /** Whether results without an answer are left out by default. */
    readonly isStartedOnly: boolean;
    readonly withTotals?: boolean | undefined;
  };

/**
 * Returns a bot's matching results, newest first by default. The first page fixes the window of time, which the cursor
 * contains, so that "today" does not move between pages. The filter must be the same for all pages.
 */
export async function listResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: ResultsRequest,
) {
  await requireBot(deps, caller, botId, "read");
  const page = readPage(
    "results",
    {
      cursor: request.cursor,
      limit: request.limit ?? limits.lists.resultsDefaultPageSize,
    },
    [botId, request.isStartedOnly],
  );
  const filter = readFilter(request);
  const window = page.part.after
    ? readWindow(page.part.after.window, filter.mark)
    : await readNewWindow(deps, { ...request, timeFilter: request.timeFilter ?? defaultFilter(request) });
  const found = await deps.replica.read(async (sql) => {
    const list = await withNamings(sql, { botId, window, ...filter });
    // The time is read before the search, because the search may miss results that are indexed while it runs.
    const asOf = usesIndex(list) ? await findIndexedUntil(sql, { botIds: [botId] }) : undefined;
    const { rows, end } = await searchResults(sql, list, page.part);
    const totals = request.withTotals ? await countResults(sql, list) : undefined;
    return { rows, end, totals, asOf, answers: await answersOf(sql, rows) };
  });
  const { totals, asOf } = found;
  const { rows, nextCursor } = cutPage({
    rows: found.rows,
    page,
    window: writeWindow(window, filter.mark),
    end: found.end,
  });
  return {
    results: await withAnswers(deps, await withoutErased(deps, rows), found.answers),
    ...(asOf !== undefined && { isExact: asOf === null }),
    ...(asOf && { asOf }),
    ...(totals && { totals: { ...totals, isExact: totals.isExact && !asOf, ...(asOf && { asOf }) } }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** Returns the default time filter: no limit for a request with `from` or `to`, and otherwise the last seven days. */
function defaultFilter({ from, to }: ResultsRequest): TimeFilter {
  return from === undefined && to === undefined ? "last7Days" : "allTime";
}

/** Leaves out results that a replica still contains although they were deleted a moment ago. */
async function withoutErased(deps: ReadTools, rows: readonly ResultRow[]): Promise<readonly ResultRow[]> {
  if (!deps.replica.mayBeOlder || rows.length === 0) return rows;
  const ids = rows.map(({ id }) => id);
  const standing = new Set(await listStandingIds(deps.sql, ids));
  return rows.filter(({ id }) => standing.has(id));
}

/** Returns one result that is not deleted. Throws `result.not_found`. */
export async function getResult(deps: ManagementDependencies, caller: Caller, botId: string, resultId: string) {
  const rows = [await readResult(deps, caller, { botId, resultId })];
  const [result] = await withAnswers(deps, rows, await answersOf(deps.sql, rows));
  if (!result) throw new AppError("result.not_found");
  const conversation = await conversationOfResult(deps, caller, result.contactId);
  return { ...result, payments: await paymentsOf(deps, resultId), ...(conversation && { conversation }) };
}

/** Returns the payments of a result, in the API's format. */
async function paymentsOf({ sql }: Pick<ManagementDependencies, "sql">, resultId: string) {
  const rows = await listPayments(sql, resultId);
  return rows.map(({ isTest, isLinked, amount: units, ...row }) => ({
    ...row,
    ...(isLinked && { isLinked: true as const }),
    amount: wholeUnits({ units, currency: row.currency }),
    mode: isTest ? ("test" as const) : ("live" as const),
  }));
}

/** Writes the fields of a result that people may set. Requires the right to delete the result. */
export async function noteResult(
  deps: ManagementDependencies,
  caller: Caller,
  place: { readonly botId: string; readonly resultId: string },
  given: WrittenFields,
) {
  await requireBot(deps, caller, place.botId, "write", { evenArchived: true });
  const written = writtenColumns(given);
  const issues = written.flatMap((column) => column.issues);
  if (issues.length > 0) throw invalidInput(issues);
  const row = isId(place.resultId) ? await updateWrittenFields(deps.sql, place, written) : undefined;
  if (!row) throw new AppError("result.not_found");
  const [result] = await withAnswers(deps, [row], await answersOf(deps.sql, [row]));
  if (!result) throw new AppError("result.not_found");
  return result;
}

/**
 * Returns these results with their answers, as lists of results show them. Leaves out results that a replica still
 * contains although they were deleted.
 */
export async function showResults(deps: ReadTools, rows: readonly ResultRow[]) {
  const answers = await deps.replica.read((sql) => answersOf(sql, rows));
  return withAnswers(deps, await withoutErased(deps, rows), answers);
}

/** Returns a result's log entries, in order. */
export async function listResultLogs(deps: ManagementDependencies, caller: Caller, botId: string, resultId: string) {
  await readResult(deps, caller, { botId, resultId });
  return listLogs(deps.sql, resultId);
}

async function readResult(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<ResultRow> {
  await requireBot(deps, caller, botId, "read");
  const result = isId(resultId) ? await findResult(deps.sql, { botId, resultId }) : undefined;
  if (!result) throw new AppError("result.not_found");
  return result;
}

async function answersOf(sql: Sql, rows: readonly ResultRow[]): Promise<AnswerRow[]> {
  return rows.length === 0
    ? []
    : await listAnswers(
        sql,
        rows.map(({ id }) => id),
      );
}

async function withAnswers(deps: ReadTools, rows: readonly ResultRow[], answers: readonly AnswerRow[]) {
  const storedFiles = await storedFilesOf(deps, answers);
  const shown = answers.map((answer) => ({ ...answer, storedFileUrls: storedFiles(answer) }));
  const byResult = Map.groupBy(shown, ({ resultId }) => resultId);
  const ratings = Map.groupBy(await shownRatings(deps.sql, rows), ({ resultId }) => resultId);
  return rows.map((row) => ({
    ...row,
    answers: byResult.get(row.id) ?? [],
    ratings: (ratings.get(row.id) ?? []).map(({ resultId: _, ...rating }) => rating),
  }));
}

/**
 * Returns the ratings of these results. Includes the ratings that belong to another bot's results, but that these
 * results show because that bot links to their bot.
 */
async function shownRatings(sql: Sql, rows: readonly ResultRow[]) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return [...(await listRatings(sql, ids)), ...(await listLinkedRatings(sql, ids))];
}
