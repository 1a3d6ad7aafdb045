import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { StartError } from "../../config.ts";

/** Reads the entries of a backup in order. Reading throws a StartError if the backup is truncated or was changed. */
export function createEntries(archive: ReadableStream<Uint8Array>) {
  const reader = archive.pipeThrough(createTarDecoder({ strict: true })).getReader();
  let ahead: ParsedTarEntry | undefined;
  const peek = async (): Promise<ParsedTarEntry> => {
    if (ahead) return ahead;
    try {
      const { value } = await reader.read();
      if (value === undefined) throw new StartError("The backup is truncated: use another one.");
      ahead = value;
      return value;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(
        `The backup cannot be read to its end (${reason}), because it is truncated or was changed.`,
        {
          cause: error,
        },
      );
    }
  };
  return {
    /** Returns the next entry. Throws if the entry does not have this name. */
    async next(name: string): Promise<ParsedTarEntry> {
      const entry = await peek();
      if (entry.header.name !== name)
        throw new StartError(`The backup contains ${entry.header.name} instead of ${name}: use another one.`);
      ahead = undefined;
      return entry;
    },
    /**
     * Returns the next entry if its name begins with `folder`. Otherwise returns undefined, and the entry remains the
     * next entry.
     */
    async nextBelow(folder: string): Promise<ParsedTarEntry | undefined> {
      const entry = await peek();
      if (!entry.header.name.startsWith(folder)) return undefined;
      ahead = undefined;
      return entry;
    },
  };
}

export type Entries = ReturnType<typeof createEntries>;

export async function bytesOf({ body, header }: ParsedTarEntry, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (header.size > maxBytes)
    throw new StartError(
      `The backup contains ${header.name} with ${header.size} bytes, which is more than Parley writes: use another one.`,
    );
  try {
    return await new Response(body).bytes();
  } catch (error) {
    throw new StartError("The backup cannot be read to its end, because it is truncated or was changed.", {
      cause: error,
    });
  }
}

/** Yields the content of an entry. Throws a StartError if the content cannot be read to its end. */
export async function* contentOf({ body }: ParsedTarEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new StartError("The backup cannot be read to its end, because it is truncated or was changed.", {
      cause: error,
    });
  }
}
