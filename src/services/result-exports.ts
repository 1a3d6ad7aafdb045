import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { findBot } from "../store/bots.ts";
import type { Position } from "../store/database/position.ts";
import { searchResults } from "../store/result-search.ts";
import { type Caller, requireBot } from "./access.ts";
import { type FilterRequest, readFilter } from "./result-filters.ts";
import { csvLine, tableOf } from "./result-tables.ts";
import { showResults } from "./results.ts";
import { readNewWindow, type WindowRequest } from "./time-windows.ts";

export const exportFormats = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Results that are in memory at once. */
const pageSize = 200;

export type ExportRequest = WindowRequest &
  FilterRequest & { readonly format: ExportFormat; readonly isStartedOnly: boolean };

export type ResultExport = { readonly fileName: string; readonly chunks: AsyncGenerator<string> };

/**
 * All results of a bot that fit, as a file that is made while it is read: who reads slowly is waited for, and no more than a page of results is in
 * memory. Results that come meanwhile are not in it.
 */
export async function exportResults(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  request: ExportRequest,
): Promise<ResultExport> {
  await requireBot(deps, caller, botId, "read");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const window = await readNewWindow(deps, { ...request, timeFilter: request.timeFilter ?? "allTime" });
  const { filter, isOldestFirst } = readFilter(request);
  const name = (bot.publicId ?? botId).replaceAll(/[^A-Za-z0-9-]+/g, "-");
  const list = { botId, window, filter, isOldestFirst };
  return {
    fileName: `results-${name}-${new Date().toISOString().slice(0, 10)}.${request.format}`,
    chunks: request.format === "csv" ? csv(deps, bot, list) : ndjson(deps, list),
  };
}

type List = Parameters<typeof searchResults>[1];
type Bot = NonNullable<Awaited<ReturnType<typeof findBot>>>;

async function* csv(deps: Dependencies, bot: Bot, list: List): AsyncGenerator<string> {
  const columns = tableOf(bot);
  yield csvLine(columns.map(({ title }) => title));
  for await (const results of pages(deps, list)) {
    yield results.map((result) => csvLine(columns.map(({ cell }) => cell(result)))).join("");
  }
}

async function* ndjson(deps: Dependencies, list: List): AsyncGenerator<string> {
  for await (const results of pages(deps, list)) {
    yield results.map((result) => `${JSON.stringify(result)}\n`).join("");
  }
}

async function* pages(deps: Dependencies, list: List) {
  for (let after: Position | undefined; ; ) {
    const { rows, end } = await deps.replica.read((sql) => searchResults(sql, list, { after, limit: pageSize }));
    if (rows.length > 0) yield await showResults(deps, rows);
    after = rows.length === pageSize ? rows.at(-1) : end;
    if (!after) return;
  }
}
