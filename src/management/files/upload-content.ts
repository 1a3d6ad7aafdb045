import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { openFilePart } from "../../platform/http/file-part.ts";
import { type Arrival, discard, receiveFile } from "../../platform/storage/arrival.ts";
import { takeRoomFor } from "./days/upload-days.ts";
import type { FileDependencies } from "./dependencies.ts";
import { type FileRow, findFile, lockFile, markStored, unlockFile } from "./files.sql.ts";
import { cleanType, unknownType } from "./upload-rules.ts";

export type UploadedContent = {
  readonly token: string;
  readonly contentType: string | null;
  /** The header Content-Length; null if it is absent. */
  readonly contentLength: number | null;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Whether the body is a form whose part `file` contains the content. */
  readonly isForm?: boolean;
  /** The client's address for the rate limits. */
  readonly address?: string | undefined;
};

/**
 * Stores the content of a file. The content is streamed to the disk and counted, and only a complete file is stored.
 * Sending the same content again succeeds without another write, so that a client can retry. Different content is
 * rejected, because a file never changes.
 */
export async function receiveUpload(deps: FileDependencies, upload: UploadedContent): Promise<{ bytes: number }> {
  const id = await deps.uploads.fileOf(upload.token);
  const file = await findFile(deps.sql, id);
  if (!file) throw new AppError("upload.address_invalid");
  if (file.isAddressExpired) throw new AppError("upload.address_expired");
  const { body, address, isForm = false } = upload;
  if (!isForm) requireType(file, upload.contentType);
  if (body === null || upload.contentLength === 0) throw new AppError("upload.empty");
  const maxLength = file.maxBytes + (isForm ? limits.uploads.otherPartsBytes : 0);
  if (upload.contentLength !== null && upload.contentLength > maxLength) throw tooLarge(file);
  const owners = { session: file.sessionId, bot: file.botId, address };
  return deps.uploadsUnderWay.run(owners, async () => {
    const content = isForm ? await contentOfForm(file, body, upload.contentType) : body;
    const arrival = await receiveFile(content, { folder: deps.storage.arrivals, maxBytes: file.maxBytes });
    try {
      if (arrival === "too large") throw tooLarge(file);
      if (arrival.bytes === 0) throw new AppError("upload.empty");
      await storeArrival(deps, file, arrival, () => takeRoomFor(deps, file, arrival.bytes));
      return { bytes: arrival.bytes };
    } finally {
      if (arrival !== "too large") await discard(arrival);
    }
  });
}

async function contentOfForm(
  file: FileRow,
  body: AsyncIterable<Uint8Array>,
  contentType: string | null,
): Promise<AsyncIterable<Uint8Array>> {
  const { type, content } = await openFilePart(body, contentType);
  // Programs that do not detect types send `unknownType`, which therefore counts as no type.
  requireType(file, cleanType(type) === unknownType ? null : type);
  return content;
}

/**
 * Transfers an uploaded file to the storage, once. Before the transfer, `count` counts the file for its day, and
 * returns a function that removes the file from the count. If the process dies in between, the file stays counted, and
 * is counted again when its client repeats the upload. The count may be too high, but the limit is never exceeded.
 */
export async function storeArrival(
  deps: FileDependencies,
  file: FileRow,
  { path, bytes, hash }: Arrival,
  count = async (): Promise<() => Promise<void>> => async () => {},
): Promise<void> {
  const { id, type } = file;
  if (!(await lockFile(deps.sql, { id, seconds: limits.uploads.storageLockSeconds }))) {
    const stored = await findFile(deps.sql, id);
    if (stored?.hash === hash) return;
    if (stored?.hash === null) throw new AppError("session.busy", { message: "This file is already being stored." });
    throw new AppError(stored ? "upload.conflict" : "upload.address_invalid");
  }
  let uncount = async (): Promise<void> => {};
  try {
    uncount = await count();
    await deps.storage.keep(id, { path, type });
  } catch (error) {
    await unlockFile(deps.sql, id);
    await uncount();
    throw error;
  }
  if (await markStored(deps.sql, { id, bytes, hash })) return;
  // The file was removed meanwhile, or its result or bot was moved to the bin. If unlocking fails, the lock expires
  // later.
  await unlockFile(deps.sql, id);
  await uncount();
  throw new AppError("upload.address_invalid");
}

/**
 * Throws `upload.type_not_allowed` if the given type differs from the announced type. Nothing is checked if one of the
 * two types is missing.
 */
function requireType(file: FileRow, contentType: string | null): void {
  const arrives = cleanType(contentType);
  if (file.type === unknownType || !contentType || arrives === file.type) return;
  throw new AppError("upload.type_not_allowed", {
    message: `File type ${arrives} not allowed`,
    data: { allowedTypes: [file.type] },
  });
}

function tooLarge(file: FileRow): AppError {
  return new AppError("request.too_large", {
    data: { maxBytes: file.maxBytes },
    message: `File size exceeds the ${Number((file.maxBytes / 1024 / 1024).toFixed(3))}MB limit`,
  });
}
