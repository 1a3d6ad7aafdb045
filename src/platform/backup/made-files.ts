import { StartError } from "../../config.ts";
import type { Storage } from "../storage/storage.ts";

/** A file storage that records the files that a restore stores. */
export type MadeFiles = {
  readonly storage: Storage | undefined;
  /** Removes only the files that the restore has stored. */
  remove(): Promise<void>;
};

/**
 * Records the files that a restore stores. An existing file is never overwritten, because a failed restore could not
 * undo that. Its content must be identical, because the content of an id never changes.
 */
export function createMadeFiles(storage: Storage | undefined): MadeFiles {
  const made: string[] = [];
  if (!storage) return { storage, remove: async () => {} };
  return {
    storage: {
      ...storage,
      async keep(id, arrived) {
        const there = await storage.read(id, undefined);
        if (there === undefined) {
          made.push(id);
          await storage.keep(id, arrived);
          return;
        }
        if (!(await isSame(there, arrived.path))) {
          throw new StartError(`The storage has another file ${id}: remove it, or restore with another storage.`);
        }
      },
    },
    async remove() {
      for (const id of made) await storage.remove(id);
    },
  };
}

async function isSame(there: Blob | ReadableStream<Uint8Array>, path: string): Promise<boolean> {
  const [one, other] = await Promise.all([
    hashOf(there instanceof Blob ? there.stream() : there),
    hashOf(Bun.file(path).stream()),
  ]);
  return one === other;
}

async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}
