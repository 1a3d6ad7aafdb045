/** Fixed properties of an input type. */
export type InputTraits = {
  /** The input type as it appears in a reply event. */
  readonly inputType: string;
  /** Whether a message sent with the start request may answer the input. Default: true. */
  readonly takesStartMessage?: boolean;
  /** Whether a reply sets variables other than the answer's variable before the reply event runs. Default: false. */
  readonly writesBeforeReplyEvent?: boolean;
  /** Whether the input's answers are numbers. Default: false. */
  readonly hasNumbers?: boolean;
};

/** An input that older clients and messengers support. `said`: the text to show before the input. */
export type KnownInput = { readonly said?: string; readonly type: string; readonly options?: object };

/** A block's rules for the files that visitors upload. */
export type UploadRules = {
  readonly isPrivate: boolean;
  /** The maximum file size in megabytes. Undefined if the block sets no limit. */
  readonly sizeLimit: number | undefined;
  /** Extensions, MIME types, or wildcards such as `image/*`. Undefined if all types are accepted. */
  readonly types: readonly string[] | undefined;
};

/**
 * Returns the values under which an answer is counted. Values that are not counted individually become the empty text.
 */
export type CountedValues = (answer: string) => readonly string[];
