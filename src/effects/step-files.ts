/** The files of a step's session. */
export type StepFiles = {
  /** What lies at this address: undefined where it is none of our files'. */
  read(address: string, options: { maxBytes: number }): Promise<FoundFile | undefined>;
  /** Keeps a file that was made for the visitor, and gives its address. */
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
