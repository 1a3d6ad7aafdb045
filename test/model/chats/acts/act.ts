import type { Chat, Run } from "../run.ts";

/** An act of a visitor, a provider, an author or the machine on a chat. */
export type Act = {
  readonly name: string;
  /** The description of the act, as a sentence. */
  readonly means: string;
  /** The weight with which the act is drawn. */
  readonly often: number;
  /** Whether the act is possible now. */
  readonly when: (run: Run, chat: Chat, pick: number) => boolean;
  /** Runs the act in the service and in the model, and compares both. `pick` selects one of its variants. */
  readonly run: (run: Run, chat: Chat, pick: number) => Promise<void>;
};

/** Returns the list entry that a number selects. */
export function picked<Entry>(list: readonly [Entry, ...Entry[]], pick: number): Entry {
  return list[pick % list.length] ?? list[0];
}
