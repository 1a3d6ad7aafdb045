import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Arrival, discard, headOf, receiveFile } from "../../platform/storage/arrival.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import { requireUnused } from "../access/flow-users.ts";
import type { FileDependencies } from "./dependencies.ts";
import { fileIdIn, fileNameOf } from "./file-addresses.ts";
import { allowedContent, contentOf } from "./file-content.ts";
import { type OpenFile, openStored } from "./files.ts";
import { cleanFileName } from "./upload-rules.ts";
import {
  findShownFile,
  findWorkspaceFile,
  insertWorkspaceFile,
  listWorkspaceFiles as listRows,
  markWorkspaceFileStored,
  removeWorkspaceFile,
  type WorkspaceFileRow,
} from "./workspace-files.sql.ts";

/** An author's file in the API's format. Everyone with its address can open it. */
export type WorkspaceFileView = Omit<WorkspaceFileRow, "extension"> & { readonly url: string };

export type AuthorsUpload = {
  readonly workspaceId: string;
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The header Content-Length; null if it is absent. */
  readonly contentLength: number | null;
  readonly address: string | undefined;
  /** The origin to which the request was sent. It is used if the settings contain no origin. */
  readonly requestOrigin: string;
};

const megabyte = 1024 * 1024;

/** Returns a workspace's files, newest first. Requires ADMIN or MEMBER. */
export async function listWorkspaceFiles(
  deps: FileDependencies,
  caller: Caller,
  { workspaceId, requestOrigin, ...request }: { workspaceId: string; requestOrigin: string } & PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("workspace-files", request, [workspaceId]);
  const found = await listRows(deps.sql, { workspaceId, ...page.part });
  const { rows, ...rest } = cutPage({ rows: found, page });
  return { files: rows.map((row) => viewOf(deps, row, requestOrigin)), ...rest };
}

/**
 * Stores a file under a new address. The content determines its type: the announced type and the extension of the name
 * are ignored. A file never changes, so other content is stored as another file.
 */
export async function uploadWorkspaceFile(
  deps: FileDependencies,
  caller: Caller,
  upload: AuthorsUpload,
): Promise<WorkspaceFileView> {
  const { workspaceId, body, contentLength, address } = upload;
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  caller.place.end();
  const maxBytes = deps.config.UPLOAD_MAX_MB * megabyte;
  if (body === null || contentLength === 0) throw new AppError("upload.empty");
  if (contentLength !== null && contentLength > maxBytes) throw tooLarge(maxBytes);
  return deps.uploadsUnderWay.run({ session: caller.userId, bot: workspaceId, address }, async () => {
    const arrival = await receiveFile(body, { folder: deps.storage.arrivals, maxBytes });
    if (arrival === "too large") throw tooLarge(maxBytes);
    try {
      if (arrival.bytes === 0) throw new AppError("upload.empty");
      return viewOf(deps, await store(deps, arrival, { ...upload, uploadedBy: caller.userId }), upload.requestOrigin);
    } finally {
      await discard(arrival);
    }
  });
}

/**
 * Removes a file immediately and permanently. Bots that refer to the file show a copy from another workspace, or
 * nothing. Throws `workspace_file.in_use` if a published bot refers to the file, unless `isForced` is set.
 */
export async function deleteWorkspaceFile(
  deps: FileDependencies,
  caller: Caller,
  { workspaceId, fileId }: { workspaceId: string; fileId: string },
  { isForced }: { isForced: boolean },
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const file = isId(fileId) ? await findWorkspaceFile(deps.sql, { workspaceId, id: fileId }) : undefined;
  if (!file) throw new AppError("file.not_found");
  if (!isForced) await requireFileUnused(deps, file);
  if (!(await removeWorkspaceFile(deps.sql, { workspaceId, id: file.id }))) throw new AppError("file.not_found");
}

/**
 * Throws `workspace_file.in_use` if a published bot refers to the file or to its original. The flows of bots that were
 * moved together with a copy of a file refer to the original.
 */
async function requireFileUnused(
  { sql }: FileDependencies,
  { workspaceId, id, copiedFrom, extension }: WorkspaceFileRow & { readonly copiedFrom: string | null },
): Promise<void> {
  for (const named of [id, ...(copiedFrom === null ? [] : [copiedFrom])]) {
    const text = `/workspace-files/${fileNameOf({ id: named, extension })}`;
    await requireUnused(sql, { workspaceId, text }, "workspace_file.in_use");
  }
}

/** Opens a file for everyone with its address. Throws `file.not_found`. */
export async function openWorkspaceFile(deps: FileDependencies, fileName: string): Promise<OpenFile> {
  const id = fileIdIn(fileName);
  const file = id === undefined ? undefined : await findShownFile(deps.sql, id);
  // A copy is shown under the address of the original file.
  if (id === undefined || !file || fileNameOf({ ...file, id }) !== fileName) throw new AppError("file.not_found");
  return openStored(deps, file);
}

async function store(
  deps: FileDependencies,
  arrival: Arrival,
  { workspaceId, name, uploadedBy }: Pick<AuthorsUpload, "workspaceId" | "name"> & { readonly uploadedBy: string },
): Promise<WorkspaceFileRow> {
  const { path, bytes, hash } = arrival;
  const content = contentOf(await headOf(arrival, limits.authorFiles.headBytes));
  if (!content) {
    throw new AppError("upload.type_not_allowed", {
      message: `The content is not one of the allowed types: ${allowedContent}.`,
    });
  }
  const id = newId();
  const file = { id, workspaceId, name: cleanFileName(name), ...content, bytes, hash, uploadedBy };
  if (!(await insertWorkspaceFile(deps.sql, file))) {
    const data = { most: limits.authorFiles.perWorkspace, mostBytes: limits.authorFiles.bytesPerWorkspace };
    throw new AppError("workspace_file.too_many", { data });
  }
  try {
    await deps.storage.keep(id, { path, type: content.type });
  } catch (error) {
    await removeWorkspaceFile(deps.sql, { workspaceId, id, isUnfinished: true });
    throw error;
  }
  const stored = await markWorkspaceFileStored(deps.sql, id);
  if (stored) return stored;
  // The workspace was deleted meanwhile.
  await removeWorkspaceFile(deps.sql, { workspaceId, id, isUnfinished: true });
  throw new AppError("workspace.not_found");
}

function viewOf(
  { config }: Pick<FileDependencies, "config">,
  { extension, ...file }: WorkspaceFileRow,
  requestOrigin: string,
): WorkspaceFileView {
  const chat = (config.CHAT_URL ?? config.PUBLIC_URL ?? requestOrigin).replace(/\/$/, "");
  return { ...file, url: `${chat}/api/workspace-files/${fileNameOf({ id: file.id, extension })}` };
}

function tooLarge(maxBytes: number): AppError {
  const message = `File size exceeds the ${maxBytes / megabyte}MB limit`;
  return new AppError("request.too_large", { data: { maxBytes }, message });
}
