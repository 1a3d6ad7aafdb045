import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { shortId } from "../../../platform/observing/log.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import type { OpenFile } from "../../files/files.ts";
import { endExports, findExport, insertExport, type ResultExportRow, selectExports } from "./result-exports.sql.ts";
import { type ExportRequest, exportTypes, readExport } from "./result-exports.ts";

export { exportStatuses } from "./result-exports.sql.ts";

export type ExportPlace = { readonly botId: string; readonly exportId: string };

/**
 * Requests an export that a job creates. Requires the right to read the bot's results. Throws `result_export.too_many`
 * if the workspace has the maximum number of unfinished exports.
 */
export async function requestExport(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: ExportRequest,
): Promise<ResultExportRow> {
  const { list, fileName } = await readExport(deps, caller, botId, request);
  const { userId } = caller;
  const most = limits.resultExports.waiting;
  const row = await insertExport(
    deps.sql,
    { id: newId(), botId, userId, format: request.format, fileName, list },
    { most },
  );
  if (!row) throw new AppError("result_export.too_many", { data: { most } });
  return row;
}

/** Returns a bot's exports that have not expired, newest first. */
export async function listExports(deps: ManagementDependencies, caller: Caller, botId: string, request: PageRequest) {
  await requireBot(deps, caller, botId, "read");
  const page = readPage("result-exports", request, [botId]);
  const found = await selectExports(deps.sql, { botId, ...page.part });
  const { rows: resultExports, ...rest } = cutPage({ rows: found, page });
  return { resultExports, ...rest };
}

export async function getExport(
  deps: ManagementDependencies,
  caller: Caller,
  place: ExportPlace,
): Promise<ResultExportRow> {
  await requireBot(deps, caller, place.botId, "read");
  return await requireExport(deps, place);
}

/**
 * Opens the file of an export. Requires the right to read the bot's results at the time of the download. Throws
 * `result_export.not_ready` unless the file is ready.
 */
export async function openExport(
  deps: ManagementDependencies,
  caller: Caller,
  place: ExportPlace,
): Promise<OpenFile & Pick<ResultExportRow, "asOf">> {
  const { id, status, fileName, format, bytes, asOf } = await getExport(deps, caller, place);
  if (status !== "ready") throw new AppError("result_export.not_ready", { data: { status } });
  return {
    asOf,
    name: fileName,
    type: exportTypes[format],
    bytes: bytes ?? 0,
    // An export's file is written only once, so its id identifies the content.
    hash: id,
    async read(range) {
      const content = await deps.storage.read(id, range);
      if (content) return content;
      deps.log.error("An export is missing from the storage", { file: shortId(id) });
      throw new AppError("result_export.not_found");
    },
  };
}

/**
 * Deletes an export: ends its job, or deletes its file. Allowed for the user who requested it, and for callers who may
 * delete results.
 */
export async function deleteExport(deps: ManagementDependencies, caller: Caller, place: ExportPlace): Promise<void> {
  const { mode } = await requireBot(deps, caller, place.botId, "read");
  const { userId } = await requireExport(deps, place);
  if (mode !== "write" && userId !== caller.userId) throw new AppError("workspace.forbidden");
  const ended = await endExports(deps.sql, { botIds: [place.botId], exportId: place.exportId });
  if (ended.length === 0) throw new AppError("result_export.not_found");
}

async function requireExport(deps: ManagementDependencies, place: ExportPlace): Promise<ResultExportRow> {
  const row = isId(place.exportId) ? await findExport(deps.sql, place) : undefined;
  if (!row) throw new AppError("result_export.not_found");
  return row;
}
