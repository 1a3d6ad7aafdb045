import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Writes a file that only its owner can read. The write is durable and atomic. Returns the file's length in bytes. */
export async function writeDurably(path: string, chunks: Chunks): Promise<number> {
  const unfinished = `${path}.unfinished`;
  // A file that remained after a crash might be readable by other users.
  await rm(unfinished, { force: true });
  try {
    const bytes = await write(unfinished, chunks);
    await rename(unfinished, path);
    await sync(dirname(path));
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function write(path: string, chunks: Chunks): Promise<number> {
  await using file = await open(path, "w", 0o600);
  let bytes = 0;
  for await (const chunk of chunks) {
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  await file.sync();
  return bytes;
}

/** Syncs a file or folder to disk. A rename is durable once its folder is synced. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
