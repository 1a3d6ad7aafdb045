/** The events of an embedded chat and their details. The name of each dispatched event has the prefix `parley-`. */
export type ChatEvents = {
  /** The chat was started or resumed. */
  readonly init: { readonly sessionId: string | null; readonly resultId: string | null };
  /** The bot asks a question. */
  readonly input: { readonly blockId: string; readonly type: string };
  /** The visitor's answer was accepted. */
  readonly answer: { readonly message: string; readonly blockId: string };
  /** The bot sends a message. */
  readonly message: { readonly blockId: string; readonly type: string; readonly text: string };
  /** The chat has ended: the bot asks no further question. */
  readonly end: Record<string, never>;
  readonly open: Record<string, never>;
  readonly close: Record<string, never>;
};
