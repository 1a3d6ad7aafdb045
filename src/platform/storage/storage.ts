/** The bytes from `first` to `last`, inclusive. */
export type ByteRange = { readonly first: number; readonly last: number };

/** Stores files by id. Every failing call throws `storage.unavailable`, with the storage's message as its cause. */
export type Storage = {
  /** The folder to which uploads are streamed before they are stored. */
  readonly arrivals: string;
  /**
   * Stores an uploaded file, either completely or not at all, with an optional time limit. The uploaded file is no
   * longer needed afterwards.
   */
  keep(
    id: string,
    arrived: { readonly path: string; readonly type: string; readonly timeoutMs?: number },
  ): Promise<void>;
  /** Returns the content or a range of it. Returns undefined if the file does not exist. */
  read(id: string, range: ByteRange | undefined): Promise<Blob | ReadableStream<Uint8Array> | undefined>;
  /** Deletes the content. Also succeeds if the file does not exist. */
  remove(id: string): Promise<void>;
};

/**
 * Returns the name of a file in the storage. Files are distributed over 1,024 folders by the last characters of the id,
 * because ids from the same time have the same first characters.
 */
export function storedName(id: string): string {
  return `${id.slice(-2)}/${id}`;
}
