import type { FoundFile, MadeFile, StepFiles } from "../../effects/effect-context.ts";
import { gather } from "../../effects/fetch-bytes.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import { fileAddress, fileIdIn, fileNameIn, ownOrigin } from "../../management/files/file-addresses.ts";
import { findFile, findOwnFiles, markAnswered } from "../../management/files/files.sql.ts";
import { storeArrival } from "../../management/files/upload-content.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import { discard, receiveFile } from "../../platform/storage/arrival.ts";
import { insertNumbered } from "./uploads.ts";

type Session = { readonly id: string; readonly botId: string; readonly resultId: string | null };

/**
 * Returns functions that read and store files for a step's session. They access visitors' uploads, and files that
 * effects created, of the session or its result.
 */
export function filesOfStep(deps: FileDependencies, session: Session): StepFiles {
  return {
    read: (address, bounds) => read(deps, session, { address, ...bounds }),
    keep: (file) => keep(deps, session, file),
  };
}

async function read(
  deps: FileDependencies,
  { id: sessionId, resultId }: Session,
  { address, maxBytes }: { address: string; maxBytes: number },
): Promise<FoundFile | undefined> {
  const fileName = fileNameIn(address);
  const id = fileName === undefined ? undefined : fileIdIn(fileName);
  if (id === undefined) return undefined;
  const own = await findOwnFiles(deps.sql, { ids: [id], sessionId, resultId });
  const file = own.length === 0 ? undefined : await findFile(deps.sql, id);
  // A URL of another site may contain a similar file name. Such a URL is requested like any other URL.
  if (!file) return undefined;
  if ((file.bytes ?? 0) > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
  const content = await deps.storage.read(id, undefined);
  const bytes = content && (await gather(content instanceof Blob ? content.stream() : content, maxBytes));
  return bytes ? { bytes, type: file.type, name: file.name } : { problem: "it is missing from the storage" };
}

async function keep(
  deps: FileDependencies,
  { id: sessionId, botId, resultId }: Session,
  { bytes, ...made }: MadeFile,
): Promise<string> {
  const id = newId(shardOf(sessionId));
  const file = { id, sessionId, botId, resultId, ...made, isPublic: true, maxBytes: bytes.byteLength };
  await insertNumbered(deps, {
    ...file,
    addressSeconds: limits.uploads.addressSeconds,
    most: { files: limits.uploads.filesPerSession, bytes: limits.uploads.bytesPerSession },
  });
  const row = await findFile(deps.sql, id);
  if (!row) throw new AppError("storage.unavailable");
  const arrival = await receiveFile(inOne(bytes), { folder: deps.storage.arrivals, maxBytes: bytes.byteLength });
  if (arrival === "too large") throw new AppError("storage.unavailable");
  try {
    await storeArrival(deps, row, arrival);
  } finally {
    await discard(arrival);
  }
  // No answer names the file. Without this mark, the file would be deleted after a day.
  if (resultId !== null) await markAnswered(deps.sql, id);
  return fileAddress(deps.config, file, ownOrigin(deps));
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
