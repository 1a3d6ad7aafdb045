import type { Chat, Run } from "../run.ts";

/** An act of a visitor, a provider, an author or the machine on a chat. */
export type Act = {
  readonly name: string;
  /** The description of the act, as a sentence. */
  readonly means: string;
  /** The weight with which it is drawn. */
  readonly often: number;
  /** Whether the act is possible now. */
  readonly when: (run: Run, chat: Chat, pick: number) => boolean;
  /** Runs the act in the service and in the model, and compares both. `pick` chooses among its variants. */
  readonly run: (run: Run, chat: Chat, pick: number) => Promise<void>;
};

/** The entry of a list at the index that a number picks. */
export function picked<Entry>(list: readonly [Entry, ...Entry[]], pick: number): Entry {
  return list[pick % list.length] ?? list[0];
}
