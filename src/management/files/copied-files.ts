import { AppError } from "../../errors.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId, newId } from "../../platform/ids.ts";
import { discard, receiveFile } from "../../platform/storage/arrival.ts";
import {
  type CopiedFile,
  findFilesOnlyThere,
  findFilesToCopy,
  findNamedFiles,
  findRoom,
  handOverFiles,
} from "./copied-files.sql.ts";
import type { FileDependencies } from "./dependencies.ts";
import { insertWorkspaceFile, markWorkspaceFileStored, removeWorkspaceFile } from "./workspace-files.sql.ts";

/** The number of copied files, and a function that deletes the copies again. */
export type Copies = { readonly count: number; undo(): Promise<void> };

type Destination = { readonly workspaceId: string; readonly userId: string };

/**
 * Copies authors' files to another workspace before bots are moved to it: the files that the bots' drafts and
 * publications refer to. The flows still contain the original addresses, which show the copy if the original is
 * deleted. Skips files whose content is not in the storage. Deletes all copies again after a failure. Throws
 * `workspace_file.no_room` if the workspace has too little room.
 */
export async function copyNamedFiles(
  deps: FileDependencies,
  { botIds, ...destination }: Destination & { readonly botIds: readonly string[] },
): Promise<Copies> {
  const { sql } = deps;
  const { workspaceId } = destination;
  const ids = (await findNamedFiles(sql, { botIds, workspaceId })).filter(isId);
  const files = ids.length === 0 ? [] : await findFilesToCopy(sql, { ids, workspaceId });
  if (files.length === 0) return { count: 0, undo: async () => {} };
  const neededBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const room = await findRoom(sql, workspaceId);
  if (neededBytes > room.bytes || files.length > room.files) throw noRoom(neededBytes, room.bytes);
  const copied: string[] = [];
  const undo = async () => {
    for (const id of copied) await removeWorkspaceFile(sql, { workspaceId, id });
  };
  try {
    for (const file of files) {
      const id = await copyFile(deps, file, destination);
      if (id === "no room") throw noRoom(neededBytes, room.bytes);
      if (id !== undefined) copied.push(id);
    }
  } catch (error) {
    await undo();
    throw error;
  }
  return { count: copied.length, undo };
}

/** Moves files of workspaces that are about to be erased to other workspaces whose bots refer to them. */
export async function keepFilesNamedElsewhere(sql: Sql, workspaceIds: readonly string[]): Promise<void> {
  const files = await findFilesOnlyThere(sql, workspaceIds);
  // Runs only if there are such files, because the search for bots that refer to them reads the flows of the whole
  // instance.
  if (files.length > 0) await handOverFiles(sql, { files, workspaceIds });
}

/**
 * Copies a file and returns the id of the copy. Returns `no room` if the workspace is at its limit, and undefined if
 * the content is not in the storage.
 */
async function copyFile(
  { sql, storage }: FileDependencies,
  file: CopiedFile,
  { workspaceId, userId }: Destination,
): Promise<string | "no room" | undefined> {
  const content = await storage.read(file.id, undefined);
  if (!content) return undefined;
  const id = newId();
  if (!(await insertWorkspaceFile(sql, { ...file, id, workspaceId, uploadedBy: userId }))) return "no room";
  try {
    const body = content instanceof Blob ? content.stream() : content;
    const arrival = await receiveFile(body, {
      folder: storage.arrivals,
      maxBytes: file.bytes,
    });
    if (arrival === "too large") throw new AppError("request.too_large");
    try {
      await storage.keep(id, { path: arrival.path, type: file.type });
    } finally {
      await discard(arrival);
    }
  } catch (error) {
    await removeWorkspaceFile(sql, { workspaceId, id, isUnfinished: true });
    throw error;
  }
  await markWorkspaceFileStored(sql, id);
  return id;
}

function noRoom(neededBytes: number, freeBytes: number): AppError {
  return new AppError("workspace_file.no_room", { data: { neededBytes, freeBytes: Math.max(0, freeBytes) } });
}
