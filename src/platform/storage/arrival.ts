import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { newId } from "../ids.ts";

/** An uploaded file: its path, its length, and the SHA-256 of its content. */
export type Arrival = { readonly path: string; readonly bytes: number; readonly hash: string };

/**
 * Streams a body to a separate file and counts its bytes. Returns "too large" if the body exceeds `maxBytes`. Throws
 * `upload.interrupted`, or the AppError of the body, if the body is incomplete, and `storage.unavailable` if the disk
 * fails. In all these cases, the file is deleted.
 */
export async function receiveFile(
  body: AsyncIterable<Uint8Array>,
  { folder, maxBytes }: { folder: string; maxBytes: number },
): Promise<Arrival | "too large"> {
  const path = join(folder, newId());
  const handle = await onDisk(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  });
  let arrival: Arrival | undefined;
  try {
    arrival = await write(body, { handle, path, maxBytes });
    return arrival ?? "too large";
  } finally {
    await handle.close();
    if (!arrival) await rm(path, { force: true });
  }
}

/** Returns the first bytes of an uploaded file. */
export async function headOf({ path }: Arrival, bytes: number): Promise<Uint8Array> {
  return onDisk(() => Bun.file(path).slice(0, bytes).bytes());
}

/** Deletes an uploaded file, unless it was already moved to the storage. */
export async function discard({ path }: Arrival): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Deletes files of processes that ended during an upload: at most `limit` files that were not written to for
 * `olderThanMs`. A running upload writes to its file continually. Returns the number of deleted files.
 */
export async function removeOldArrivals(
  folder: string,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<number> {
  const names = await opendir(folder).catch(() => []);
  let removed = 0;
  for await (const { name } of names) {
    const path = join(folder, name);
    const changedAt = await stat(path).then(
      (found) => (found.isFile() ? found.mtimeMs : Number.POSITIVE_INFINITY),
      () => Number.POSITIVE_INFINITY,
    );
    if (changedAt >= Date.now() - olderThanMs) continue;
    await rm(path, { force: true });
    removed++;
    if (removed === limit) break;
  }
  return removed;
}

async function write(
  body: AsyncIterable<Uint8Array>,
  { handle, path, maxBytes }: { handle: FileHandle; path: string; maxBytes: number },
): Promise<Arrival | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    hash.update(chunk);
    await onDisk(() => handle.writeFile(chunk));
  }
  return { path, bytes, hash: hash.digest("hex") };
}

/** Yields the chunks of the body. Throws `upload.interrupted` if the client interrupts the body. */
async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // If the consumer stops reading, the body's generator is ended together with this generator.
    yield* body;
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("upload.interrupted", { cause: error });
  }
}

/** Converts errors of the disk to `storage.unavailable`. */
async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("storage.unavailable", { cause: error });
  }
}
