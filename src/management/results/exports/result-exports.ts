import { AppError } from "../../../errors.ts";
import { readClock } from "../../../platform/database/clock.sql.ts";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { type BotRow, findBot } from "../../bots/bots.sql.ts";
import { type IndexTools, indexedUntil, usesIndex, waitForIndex } from "../caught-up.ts";
import { type FilterRequest, readFilter } from "../result-filters.ts";
import { searchResults } from "../result-search.sql.ts";
import { type ReadTools, showResults } from "../results.ts";
import { readNewWindow, type WindowRequest } from "../time-windows.ts";
import { withNamings } from "../variable-names.ts";
import { type ExportedList, type ExportFormat, exportFormats } from "./result-exports.sql.ts";
import { sheetOf } from "./result-sheets.ts";
import { csvLine, tableOf } from "./result-tables.ts";

export { type ExportFormat, exportFormats };

export const switches = ["on", "off"] as const;
type Switch = (typeof switches)[number];

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/jsonl; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The number of results that are in memory together. */
const pageSize = 40;
/**
 * The number of results after which a concurrent garbage collection starts. The collection limits the growth of the
 * heap to 49, 66 and 58 MB for CSV, NDJSON and XLSX, at the same rate. Without the collection, the heap grows by up to
 * 61, 82 and 123 MB (`npm run bench -- exports --rows 150000`). With pages of 200 results, the heap grows by up to 163
 * MB.
 */
const collectAfter = 1_000;

export type ExportRequest = WindowRequest &
  FilterRequest & {
    readonly format: ExportFormat;
    readonly guard?: Switch | undefined;
    readonly bom?: Switch | undefined;
    readonly isStartedOnly: boolean;
    /**
     * Whether the export may lack results that are missing from the index of variables' values. Otherwise, it waits for
     * them.
     */
    readonly allowPartial?: boolean | undefined;
  };

export type ResultExport = {
  readonly fileName: string;
  readonly content: ReadableStream<Uint8Array>;
  /** For a partial export, the time up to which it is certain to contain all results. */
  readonly asOf: Date | null;
};

/**
 * Returns all matching results of a bot as a file. The file is created while it is read, with at most one page of
 * results in memory. In the default order, results that arrive meanwhile are not included. With a filter by a variable,
 * the export first waits for the index, unless it may be partial.
 */
export async function exportResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: ExportRequest,
): Promise<ResultExport> {
  const { bot, list, fileName } = await readExport(deps, caller, botId, request);
  const asOf = await awaitIndex(deps, list, await readClock(deps.sql));
  return { fileName, content: await writeResults(deps, { bot, list, format: request.format, asOf }), asOf };
}

/**
 * Waits for the index if the list uses it, and returns null. If the export may be partial, returns the time up to which
 * the index is certain to contain all results, and does not wait.
 */
export async function awaitIndex(tools: IndexTools, list: ExportedList, at: Date): Promise<Date | null> {
  if (!usesIndex(list)) return null;
  if (list.isPartialAllowed) return await indexedUntil(tools, { list, at });
  await waitForIndex(tools, { list, at });
  return null;
}

/** Returns the header of a partial export. A complete export has no such header. */
export function partialHeader(asOf: Date | null): Record<string, string> {
  return asOf ? { "Parley-As-Of": asOf.toISOString() } : {};
}

/**
 * Returns the bot, the list of results and the file name of an export. Requires the right to read the bot's results.
 */
export async function readExport(deps: ManagementDependencies, caller: Caller, botId: string, request: ExportRequest) {
  await requireBot(deps, caller, botId, "read");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const window = await readNewWindow(deps, { ...request, timeFilter: request.timeFilter ?? "allTime" });
  const { filter, isOldestFirst } = readFilter(request);
  const isUnguarded = request.guard === "off" && request.format === "csv";
  const hasBom = request.bom === "on" && request.format === "csv";
  const isPartialAllowed = request.allowPartial === true;
  const list: ExportedList = {
    ...{ botId, window, filter, isOldestFirst },
    ...(isUnguarded && { isUnguarded }),
    ...(hasBom && { hasBom }),
    ...(isPartialAllowed && { isPartialAllowed }),
  };
  // The file name contains only characters that every file system allows.
  const name = (bot.publicId ?? botId).replaceAll(/[^A-Za-z0-9-]+/g, "-");
  const day = new Date().toISOString().slice(0, 10);
  // Other people may also open a stored file, so its name warns them.
  return { bot, list, fileName: `results-${name}-${day}${isUnguarded ? "-unguarded" : ""}.${request.format}` };
}

export type ShownResults = Awaited<ReturnType<typeof showResults>>;
type Pages = AsyncGenerator<ShownResults>;

type Written = {
  readonly bot: BotRow;
  readonly list: ExportedList;
  readonly format: ExportFormat;
  /** Null unless the export is partial. */
  readonly asOf: Date | null;
  /** Called with the number of results that are about to be written. An error that it throws ends the file. */
  readonly onResults?: (count: number) => Promise<void>;
  /** Results that earlier attempts have read, and the position of the last of these results. */
  readonly earlier?: { readonly pages: AsyncIterable<ShownResults>; readonly after: Position };
  /** Called with each page that was read, and with the position of the next page; undefined for the last page. */
  readonly onPage?: (results: ShownResults, next: Position | undefined) => Promise<void>;
};

/**
 * Returns a stream of a list's results in the requested format. The results are read from the database while the stream
 * is read.
 */
export async function writeResults(deps: ReadTools, written: Written): Promise<ReadableStream<Uint8Array>> {
  const results = pages(deps, written);
  switch (written.format) {
    case "csv":
      return streamOf(csv(written, results));
    case "ndjson":
      return streamOf(ndjson(written, results));
    case "xlsx":
      return sheetOf(tableOf(written.bot), results);
  }
}

const byteOrderMark = "\ufeff";

async function* csv({ bot, list }: Written, pages: Pages): AsyncGenerator<string> {
  const columns = tableOf(bot);
  const line = (cells: readonly string[]) => csvLine(cells, { isGuarded: !list.isUnguarded });
  yield `${list.hasBom ? byteOrderMark : ""}${line(columns.map(({ title }) => title))}`;
  for await (const results of pages) {
    yield results.map((result) => line(columns.map(({ cell }) => cell(result)))).join("");
  }
}

async function* ndjson({ asOf }: Written, pages: Pages): AsyncGenerator<string> {
  if (asOf) yield `${JSON.stringify({ meta: { asOf } })}\n`;
  for await (const results of pages) {
    yield results.map((result) => `${JSON.stringify(result)}\n`).join("");
  }
}

async function* pages(deps: ReadTools, { list: wanted, onResults, earlier, onPage }: Written): Pages {
  if (earlier) yield* earlier.pages;
  const list = await deps.replica.read((sql) => withNamings(sql, wanted));
  let left = 0;
  for (let after: Position | undefined = earlier?.after; ; ) {
    const { rows, end } = await deps.replica.read((sql) => searchResults(sql, list, { after, limit: pageSize }));
    left += rows.length;
    if (left >= collectAfter) {
      left = 0;
      Bun.gc(false);
    }
    await onResults?.(rows.length);
    const results = rows.length > 0 ? await showResults(deps, rows) : [];
    after = rows.length === pageSize ? rows.at(-1) : end;
    await onPage?.(results, after);
    if (results.length > 0) yield results;
    if (!after) return;
  }
}

/**
 * Creates a stream that produces each chunk when the previous chunk was read. The stream ends if its reader
 * disconnects.
 */
function streamOf(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
