/**
 * The messenger contact for whom a step runs, with the data at the time of the step. The interpreter loads no data
 * itself, so that a replay produces the same result.
 */
export type ChatContact = {
  readonly id: string;
  readonly connectionId: string;
  /** The identifier of the channel, such as `telegram`. */
  readonly channel: string;
  readonly connectionName: string;
  readonly name?: string;
  readonly username?: string;
  /** The phone number as reported by the provider, in digits without `+`. */
  readonly phone?: string;
  /** The language code reported by the provider, such as `de`. */
  readonly language?: string;
  /** The time zone of the connection. Defaults to UTC. */
  readonly timeZone?: string;
  /** The text of the deep link that started the chat. */
  readonly startPayload?: string;
};
