import type { Chat, Run } from "../run.ts";

/** Something that a visitor, a provider, an author or the machine does to a chat. */
export type Act = {
  readonly name: string;
  /** Its meaning, as a sentence. */
  readonly means: string;
  /** How often it is drawn, beside others. */
  readonly often: number;
  /** Whether it can be done now. */
  readonly when: (run: Run, chat: Chat, pick: number) => boolean;
  /**
   * Does it, lets the model do the same, and holds what is seen to what the model says. `pick` chooses among its ways.
   */
  readonly run: (run: Run, chat: Chat, pick: number) => Promise<void>;
};

/** The entry of a list that a number picks. */
export function picked<Entry>(list: readonly [Entry, ...Entry[]], pick: number): Entry {
  return list[pick % list.length] ?? list[0];
}
