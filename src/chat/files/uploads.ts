import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Origins, requireOrigin } from "../../management/access/origins.ts";
import { requireRoom } from "../../management/files/days/upload-days.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import { fileAddress } from "../../management/files/file-addresses.ts";
import { insertFile, type NewFile } from "../../management/files/files.sql.ts";
import { cleanFileName, cleanType, storedExtension, uploadRulesOf } from "../../management/files/upload-rules.ts";
import { isId, newId, shardOf } from "../../platform/ids.ts";
import { requirePublic } from "../reads/session-cache.ts";
import { findSession, type Session } from "../reads/sessions.sql.ts";
import { waitingBlock } from "../reads/waiting-block.ts";

/**
 * The maximum number of attempts to insert a file under the session's next number. An attempt fails if a concurrent
 * upload uses the number first.
 */
const maxNumberAttempts = 20;

export type UploadRequest = {
  readonly sessionId: string;
  readonly fileName: string;
  readonly fileType: string | undefined;
  /** The size in bytes. */
  readonly fileSize: number | undefined;
  readonly origins: Origins;
  /** The origin of the request, which is used if the settings configure no origin. */
  readonly requestOrigin: string;
};

const megabyte = 1024 * 1024;

/**
 * Returns a URL to which one file can be uploaded, and the URL of the file. The block at which the session waits
 * decides which files are allowed. Throws an `AppError` if the session cannot accept files, if the block does not allow
 * the file, or if there is no room.
 */
export async function askForUpload(deps: FileDependencies, request: UploadRequest) {
  const session = await requireSession(deps, request);
  const { frame, block } = await waitingBlock(deps.sql, session);
  const type = cleanType(request.fileType);
  const rules = uploadRulesOf(block?.content, type);
  if (!block || !rules) throw new AppError("upload.not_expected");
  const name = cleanFileName(request.fileName);
  const extension = storedExtension({ type, name }, rules.types);
  if (extension === undefined) {
    throw new AppError("upload.type_not_allowed", {
      message: `File type ${request.fileType ? type : name} not allowed`,
      data: { allowedTypes: rules.types ?? [] },
    });
  }
  const maxFileSize = rules.sizeLimit ?? deps.config.UPLOAD_MAX_MB;
  const maxBytes = Math.floor(maxFileSize * megabyte);
  if (request.fileSize !== undefined && request.fileSize > maxBytes) {
    throw new AppError("upload.size_not_allowed", {
      message: `File size exceeds the ${maxFileSize}MB limit`,
      data: { maxBytes },
    });
  }
  const { resultId } = frame;
  const file = {
    id: newId(shardOf(session.id)),
    sessionId: session.id,
    botId: resultId === session.resultId ? session.botId : frame.botId,
    resultId,
    blockId: block.id,
    name,
    extension,
    type,
    isPublic: resultId === null || !rules.isPrivate,
    maxBytes: request.fileSize ?? maxBytes,
  };
  await requireRoom(deps, file, request.fileSize ?? 0);
  await insertNumbered(deps, {
    ...file,
    addressSeconds: limits.uploads.addressSeconds,
    most: { files: limits.uploads.filesPerSession, bytes: limits.uploads.bytesPerSession },
  });
  const chatUrl = deps.config.CHAT_URL ?? deps.config.PUBLIC_URL ?? request.requestOrigin;
  return {
    presignedUrl: `${chatUrl.replace(/\/$/, "")}/api/uploads/${await deps.uploads.tokenFor(file.id)}`,
    fileUrl: fileAddress(deps.config, file, request.requestOrigin),
    // The content is sent by PUT, without form fields.
    formData: {},
    ...(request.fileType !== undefined && { fileType: request.fileType }),
    // The limit in megabytes.
    maxFileSize,
  };
}

async function requireSession(deps: FileDependencies, { sessionId, origins }: UploadRequest): Promise<Session> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  requirePublic(session);
  requireOrigin(deps, origins, session.allowedOrigins);
  if (session.isEnded) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  if (session.isSuspended) throw new AppError("workspace.suspended");
  // In an anonymous preview, no user is responsible for the file.
  if (session.isAnonymous) throw new AppError("upload.not_in_preview");
  return session;
}

/**
 * Inserts a file under the session's next number. Throws `upload.too_many` if the session has too many files or bytes,
 * and `session.busy` if all attempts fail.
 */
export async function insertNumbered(deps: FileDependencies, file: NewFile): Promise<void> {
  for (let attempt = 0; attempt < maxNumberAttempts; attempt++) {
    const outcome = await insertFile(deps.sql, file);
    if (outcome === "made") return;
    if (outcome === "full") throw new AppError("upload.too_many");
  }
  throw new AppError("session.busy");
}
