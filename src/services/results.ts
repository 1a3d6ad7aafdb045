import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";
import {
  findResult,
  findWindow,
  listAnswers,
  listLogs,
  listResults as listResultRows,
  type ResultRow,
  type TimeFilter,
  type Window,
} from "../store/results.ts";
import { type Caller, requireBot } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";
import { storedFilesOf } from "./file-addresses.ts";
import { invalidInput } from "./invalid-input.ts";

export { timeFilters } from "../store/results.ts";

export type ResultsRequest = PageRequest & {
  readonly timeFilter?: TimeFilter | undefined;
  readonly timeZone?: string | undefined;
  /** Leaves out visitors who have not answered. */
  readonly isStartedOnly: boolean;
};

/**
 * A bot's results, newest first, whether their visitors answered or not unless told otherwise. The window of time is fixed by the first page and
 * travels in the cursor, so that "today" does not move between pages.
 */
export async function listResults(deps: Dependencies, caller: Caller, botId: string, request: ResultsRequest) {
  await requireBot(deps, caller, botId, "read");
  const timeZone = readTimeZone(request.timeZone);
  const page = readPage("results", {
    cursor: request.cursor,
    limit: request.limit ?? limits.lists.resultsDefaultPageSize,
  });
  const window = page.after
    ? readWindow(page.after.window)
    : await findWindow(deps.sql, { timeFilter: request.timeFilter ?? "last7Days", timeZone });
  const { isStartedOnly } = request;
  const found = await listResultRows(deps.sql, {
    botId,
    window,
    after: page.after,
    limit: page.size + 1,
    isStartedOnly,
  });
  const { rows, ...rest } = cutPage({ rows: found, page, window: writeWindow(window) });
  return { results: await withAnswers(deps, rows), ...rest };
}

/** One result that is not deleted. */
export async function getResult(deps: Dependencies, caller: Caller, botId: string, resultId: string) {
  const [result] = await withAnswers(deps, [await requireResult(deps, caller, { botId, resultId })]);
  if (!result) throw new AppError("result.not_found");
  return result;
}

/** A result's log entries, in order. */
export async function listResultLogs(deps: Dependencies, caller: Caller, botId: string, resultId: string) {
  await requireResult(deps, caller, { botId, resultId });
  return listLogs(deps.sql, resultId);
}

export async function requireResult(
  deps: Dependencies,
  caller: Caller,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<ResultRow> {
  await requireBot(deps, caller, botId, "read");
  const result = isId(resultId) ? await findResult(deps.sql, { botId, resultId }) : undefined;
  if (!result) throw new AppError("result.not_found");
  return result;
}

async function withAnswers(deps: Dependencies, rows: readonly ResultRow[]) {
  const ids = rows.map(({ id }) => id);
  const answers = ids.length === 0 ? [] : await listAnswers(deps.sql, ids);
  const storedFiles = await storedFilesOf(deps, answers);
  const shown = answers.map((answer) => ({ ...answer, storedFileUrls: storedFiles(answer) }));
  const answersOf = Map.groupBy(shown, ({ resultId }) => resultId);
  return rows.map((row) => ({ ...row, answers: answersOf.get(row.id) ?? [] }));
}

/** IANA names only: JavaScript and PostgreSQL read other names of time zones differently. */
function readTimeZone(timeZone = "UTC"): string {
  if (/^[A-Za-z]/.test(timeZone) && isTimeZone(timeZone)) return timeZone;
  throw invalidInput([
    { path: "timeZone", message: 'must be a time zone of the IANA database, such as "Europe/Paris"' },
  ]);
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

function writeWindow({ from, to }: Window): string {
  return `${from?.getTime() ?? ""},${to?.getTime() ?? ""}`;
}

function readWindow(text: string | undefined): Window {
  const [, from, to] = /^(-?\d{0,14}),(-?\d{0,14})$/.exec(text ?? "") ?? [];
  if (from === undefined || to === undefined) throw new AppError("cursor.invalid");
  return { from: readTime(from), to: readTime(to) };
}

function readTime(text: string): Date | null {
  return text === "" ? null : new Date(Number(text));
}
