/** The bytes from `first` to `last`, both included. */
export type ByteRange = { readonly first: number; readonly last: number };

/**
 * Where visitors' files lie, each named by its id. Every call that fails for whatever reason
 * throws `storage.unavailable`, with the storage's own words as its cause.
 */
export type Storage = {
  /** Where a file is gathered before it is kept: on the way to the storage, and empty after it. */
  readonly arrivals: string;
  /** Keeps what was gathered, whole or not at all. The gathered file is not needed afterwards. */
  keep(id: string, arrived: { readonly path: string; readonly type: string }): Promise<void>;
  /** The content or a part of it, read as the caller goes; undefined when there is none. */
  read(id: string, range: ByteRange | undefined): Promise<Blob | ReadableStream<Uint8Array> | undefined>;
  /** Lets go of the content. Succeeds when there is none. */
  remove(id: string): Promise<void>;
};
