/**
 * The contact of a messenger for whom a step is taken, at the time of the step: the interpreter reads no data itself,
 * so that a replay gives the same result.
 */
export type ChatContact = {
  readonly id: string;
  readonly connectionId: string;
  /** The channel's word, such as `telegram`. */
  readonly channel: string;
  readonly connectionName: string;
  readonly name?: string;
  readonly username?: string;
  /** Digits as the provider reports them, without `+`. */
  readonly phone?: string;
  /** The language as the provider reports it, such as `de`. */
  readonly language?: string;
  /** The text that a deep link carried, on a start. */
  readonly startPayload?: string;
};
