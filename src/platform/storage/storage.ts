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
   * Stores an arrived file, whole or not at all, within a time where it needs one. The arrived file is not needed
   * afterwards.
   */
  keep(
    id: string,
    arrived: { readonly path: string; readonly type: string; readonly timeoutMs?: number },
  ): Promise<void>;
  /** The content or a part of it, read as the caller goes; undefined when there is none. */
  read(id: string, range: ByteRange | undefined): Promise<Blob | ReadableStream<Uint8Array> | undefined>;
  /** Deletes the content. Succeeds when there is none. */
  remove(id: string): Promise<void>;
};

/** The name of a file in the storage: spread over 1,024 folders by the id's end, since ids of one time begin alike. */
export function storedName(id: string): string {
  return `${id.slice(-2)}/${id}`;
}
