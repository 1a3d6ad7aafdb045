import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { shortId } from "../../platform/observing/log.ts";
import type { ByteRange } from "../../platform/storage/storage.ts";
import { checkStorage } from "../../platform/storage/storage-check.ts";
import type { Caller } from "../access/access.ts";
import { requireResult } from "../access/access.ts";
import type { FileDependencies } from "./dependencies.ts";
import { fileAddress, fileIdIn, fileNameOf } from "./file-addresses.ts";
import { type FileRow, findFile, listFiles } from "./files.sql.ts";

/** A stored file whose content is read on demand. */
export type OpenFile = {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Identifies the content, like an ETag. */
  readonly hash: string;
  /** Reads the content or a part of it. Throws `file.not_found` if the storage has lost the content. */
  read(range: ByteRange | undefined): Promise<Blob | ReadableStream<Uint8Array>>;
};

/**
 * Opens a public file, which is available to everyone with its address. Throws `file.not_found` for a private or
 * unknown file.
 */
export async function openPublicFile(deps: FileDependencies, fileName: string): Promise<OpenFile> {
  const file = await requireFile(deps, fileName);
  if (!file.isPublic) throw new AppError("file.not_found");
  return openFile(deps, file);
}

/**
 * Opens a public or private file. The caller must have checked the signature of the address. Throws `file.not_found`
 * for an unknown file.
 */
export async function openAnyFile(deps: FileDependencies, fileName: string): Promise<OpenFile> {
  return openFile(deps, await requireFile(deps, fileName));
}

/** Opens a public or private file of a result. Throws `file.not_found` if the result has no such file. */
export async function openResultFile(
  deps: FileDependencies,
  caller: Caller,
  { botId, resultId, fileName }: { botId: string; resultId: string; fileName: string },
): Promise<OpenFile> {
  await requireResult(deps, caller, { botId, resultId });
  const file = await requireFile(deps, fileName);
  if (file.resultId !== resultId) throw new AppError("file.not_found");
  return openFile(deps, file);
}

/** Checks that the storage works. The error describes the fault. The route requires the scope `admin`. */
export async function tryStorage(deps: FileDependencies): Promise<void> {
  await checkStorage(deps.storage);
}

/** Returns the files that visitors uploaded for a result, newest first. */
export async function listResultFiles(
  deps: FileDependencies,
  caller: Caller,
  { botId, resultId, requestOrigin }: { botId: string; resultId: string; requestOrigin: string },
) {
  await requireResult(deps, caller, { botId, resultId });
  const files = await listFiles(deps.sql, { resultId, limit: limits.uploads.listed });
  return files.map((file) => ({
    id: file.id,
    createdAt: file.createdAt.toISOString(),
    blockId: file.blockId,
    name: file.name,
    type: file.type,
    bytes: file.bytes ?? 0,
    isPublic: file.isPublic,
    url: fileAddress(deps.config, file, requestOrigin),
  }));
}

async function requireFile(deps: FileDependencies, fileName: string): Promise<FileRow> {
  const id = fileIdIn(fileName);
  const file = id === undefined ? undefined : await findFile(deps.sql, id);
  if (!file || file.storedAt === null || fileNameOf(file) !== fileName) throw new AppError("file.not_found");
  return file;
}

function openFile(deps: FileDependencies, { bytes, hash, ...file }: FileRow): OpenFile {
  return openStored(deps, { ...file, bytes: bytes ?? 0, hash: hash ?? "" });
}

/**
 * Returns a file whose content is read on demand. Reading throws `file.not_found` if the storage has lost the content.
 */
export function openStored(
  deps: FileDependencies,
  { id, name, type, bytes, hash }: Pick<OpenFile, "name" | "type" | "bytes" | "hash"> & { readonly id: string },
): OpenFile {
  return {
    name,
    type,
    bytes,
    hash,
    async read(range) {
      const content = await deps.storage.read(id, range);
      if (content) return content;
      deps.log.error("A file is missing from the storage", { file: shortId(id) });
      throw new AppError("file.not_found");
    },
  };
}
