import { type Answer, ApiFailure, call, request } from "../../api/index.ts";
import { allPages } from "../../api/pages.ts";
import { saveFile } from "../../page-parts/save-and-copy.ts";
import { type Filter, queryOf } from "./filter.ts";

export type ResultsPage = Answer<"GET /api/v1/bots/:botId/results">;
export type Utterances = Answer<"GET /api/v1/bots/:botId/results/:resultId/transcript">;

const pageSize = 50;

export function readPage(botId: string, filter: Filter, cursor?: string): Promise<ResultsPage> {
  return call("GET /api/v1/bots/:botId/results", {
    path: { botId },
    query: { limit: pageSize, withTotals: true, ...queryOf(filter), ...(cursor !== undefined && { cursor }) },
  });
}

/** Reads the numbers of a bot's published versions, newest first. */
export async function readVersionNumbers(botId: string): Promise<readonly number[]> {
  const publications = await allPages(
    (query) => call("GET /api/v1/bots/:botId/publications", { path: { botId }, query }),
    (answer) => answer.publications,
  );
  return publications.filter(({ isDraft }) => !isDraft).map(({ number }) => number);
}

/** Reads a result with its conversation, log and files. */
export async function readResult(botId: string, resultId: string) {
  const path = { botId, resultId };
  const [{ result }, said, { logs }, { files }] = await Promise.all([
    call("GET /api/v1/bots/:botId/results/:resultId", { path }),
    call("GET /api/v1/bots/:botId/results/:resultId/transcript", { path, query: { format: "rich" } }),
    call("GET /api/v1/bots/:botId/results/:resultId/logs", { path }),
    call("GET /api/v1/bots/:botId/results/:resultId/files", { path }),
  ]);
  return { result, said, logs, files };
}
export type WholeResult = Awaited<ReturnType<typeof readResult>>;

/**
 * Deletes the given results, or all results of a bot, and returns their number. Very many results are deleted in
 * several requests.
 */
export async function deleteResults(botId: string, resultIds: readonly string[] | "all"): Promise<number> {
  let count = 0;
  for (;;) {
    const body = resultIds === "all" ? { all: true } : { resultIds: [...resultIds] };
    const { deletedCount, isComplete } = await call("DELETE /api/v1/bots/:botId/results", { path: { botId }, body });
    count += deletedCount;
    if (isComplete) return count;
  }
}

export const exportFormats = { csv: "CSV", xlsx: "Excel", ndjson: "NDJSON" } as const;
export type ExportFormat = keyof typeof exportFormats;

/** Exports the matching results and saves them as a file. */
export async function exportResults(
  botId: string,
  filter: Filter,
  { format, allowPartial }: { readonly format: ExportFormat; readonly allowPartial?: true },
): Promise<void> {
  // Excel reads a CSV file as UTF-8 only if the file starts with a byte order mark.
  const bom = format === "csv" ? "on" : "off";
  const query = { ...queryOf(filter), format, bom, ...(allowPartial && { allowPartial }) };
  const response = await request("GET /api/v1/bots/:botId/results/export", { path: { botId }, query });
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await response.blob(), name ?? `results.${format}`);
}

/**
 * Returns the time up to which the search index is complete, if an export was refused because the index is incomplete.
 */
export function notCountedSince(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || error.code !== "results.not_counted") return undefined;
  const { asOf }: { asOf?: unknown } = Object(error.data);
  return typeof asOf === "string" ? asOf : undefined;
}

/** Downloads a file that a visitor uploaded. A private file requires a sign-in. */
export async function openFile(botId: string, resultId: string, url: string): Promise<Blob> {
  const fileName = new URL(url, location.href).pathname.split("/").at(-1) ?? "";
  const path = { botId, resultId, fileName };
  const response = await request("GET /api/v1/bots/:botId/results/:resultId/files/:fileName", { path });
  return response.blob();
}

export async function downloadFile(
  botId: string,
  resultId: string,
  { url, name }: { url: string; name: string },
): Promise<void> {
  saveFile(await openFile(botId, resultId, url), name);
}
