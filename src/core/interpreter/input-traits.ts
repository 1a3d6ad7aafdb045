/** Facts of an input beside its fields and its behaviour. */
export type InputTraits = {
  /** The type of the input, as a reply event writes it. */
  readonly inputType: string;
  /** Whether a message that came with the start may answer it. Default: true. */
  readonly takesStartMessage?: boolean;
  /**
   * Whether the reply's writes beside the answer's own variable are made before its reply event runs. Default: false.
   */
  readonly writesBeforeReplyEvent?: boolean;
  /** Whether its answers are numbers, for measures that calculate with them. Default: false. */
  readonly hasNumbers?: boolean;
};

/** An input that existing clients know, with what is said before it. */
export type KnownInput = { readonly said?: string; readonly type: string; readonly options?: object };

/** A block's limits for the files that visitors upload to it. */
export type UploadRules = {
  readonly isPrivate: boolean;
  /** In megabytes; undefined if the block does not set it. */
  readonly sizeLimit: number | undefined;
  /** Extensions, MIME types or kinds such as `image/*`; undefined if every type is taken. */
  readonly types: readonly string[] | undefined;
};

/**
 * The values of an answer that are counted one by one. Words that are not in the flow are counted as the empty text.
 */
export type CountedValues = (answer: string) => readonly string[];
