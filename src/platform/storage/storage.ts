/** The bytes from `first` to `last`, both included. */
export type ByteRange = { readonly first: number; readonly last: number };

/**
 * Stores visitors' files, each named by its id. Every call that fails throws `storage.unavailable`, with the storage's
 * own words as its cause.
 */
export type Storage = {
  /** The folder that uploads are streamed to before they are stored. */
  readonly arrivals: string;
  /**
   * Stores an arrived file, completely or not at all, within a time limit where one is needed. The arrived file is not
   * needed afterwards.
   */
  keep(
    id: string,
    arrived: { readonly path: string; readonly type: string; readonly timeoutMs?: number },
  ): Promise<void>;
  /** The content or a part of it, read at the caller's pace; undefined if there is no content. */
  read(id: string, range: ByteRange | undefined): Promise<Blob | ReadableStream<Uint8Array> | undefined>;
  /** Deletes the content. Also succeeds if there is none. */
  remove(id: string): Promise<void>;
};

/**
 * The name of a file in the storage: spread over 1,024 folders by the end of the id, since ids of the same time begin
 * alike.
 */
export function storedName(id: string): string {
  return `${id.slice(-2)}/${id}`;
}
