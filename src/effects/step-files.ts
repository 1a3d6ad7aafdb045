/** The files of a step's session. */
export type StepFiles = {
  /** The file at this address; undefined if it is not one of ours. */
  read(address: string, options: { maxBytes: number }): Promise<FoundFile | undefined>;
  /** Keeps a file that was made for the visitor, and returns its address. */
  keep(file: MadeFile): Promise<string>;
};

export type FoundFile =
  | { readonly bytes: Uint8Array; readonly type: string; readonly name: string }
  /** `problem` is the end of a sentence. */
  | { readonly problem: string };

export type MadeFile = {
  readonly blockId: string;
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};
