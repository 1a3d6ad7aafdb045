/**
 * The contact of a messenger for whom a step is taken, as of that step: the interpreter reads nothing, and a replay
 * must come out equal.
 */
export type ChatContact = {
  readonly id: string;
  readonly connectionId: string;
  /** The channel's word, such as `telegram`. */
  readonly channel: string;
  readonly connectionName: string;
  readonly name?: string;
  readonly username?: string;
  /** Digits as the provider gives them, without `+`. */
  readonly phone?: string;
  /** As the provider says it, such as `de`. */
  readonly language?: string;
  /** The text that a deep link carried, on a start. */
  readonly startPayload?: string;
};
