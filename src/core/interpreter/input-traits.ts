/** Facts about an input beside its fields and its behaviour. */
export type InputTraits = {
  /** The type of the input, as a reply event writes it. */
  readonly inputType: string;
  /** Whether a message that was sent with the start may answer the input. Default: true. */
  readonly takesStartMessage?: boolean;
  /**
   * Whether the reply's writes to other variables than the answer's own are made before its reply event runs. Default:
   * false.
   */
  readonly writesBeforeReplyEvent?: boolean;
  /** Whether the input's answers are numbers, for measures that calculate with them. Default: false. */
  readonly hasNumbers?: boolean;
};

/** An input that existing clients support, with the messages before it. */
export type KnownInput = { readonly said?: string; readonly type: string; readonly options?: object };

/** A block's limits for the files that visitors upload to it. */
export type UploadRules = {
  readonly isPrivate: boolean;
  /** In megabytes; undefined if the block sets no limit. */
  readonly sizeLimit: number | undefined;
  /** Extensions, MIME types or kinds such as `image/*`; undefined if every type is taken. */
  readonly types: readonly string[] | undefined;
};

/**
 * The values of an answer that are counted separately. Words that are not in the flow are counted as the empty text.
 */
export type CountedValues = (answer: string) => readonly string[];
