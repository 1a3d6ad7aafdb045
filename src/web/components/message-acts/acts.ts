import type { ComponentType } from "preact";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** The actions on single messages of a chat. They are loaded if the bot offers any action. */
export type MessageActs = {
  readonly View: ComponentType<MessageActsProps>;
  readonly canCopy: boolean;
  /** Rates a model's answer; undefined if the bot accepts no ratings. */
  readonly rate: ((entry: Entry, rating: Rating) => Promise<boolean>) | undefined;
  /** Returns the visitor's earlier rating; null if there is none. */
  ratingOf(entry: Entry): boolean | null;
  /** Whether each row shows the time of its message. */
  readonly areTimesShown: boolean;
  /** Whether the visitor may have this answer regenerated. */
  mayTryAgain(entry: Entry): boolean;
  tryAgain(): void;
  /** Called when a message has been drawn. */
  onShown(): void;
  /**
   * Draws a line above the messages that are new since the visitor last saw the chat. Called when the chat is shown
   * again.
   */
  divide(): void;
  /** Reopens the visitor's last message for changes; undefined if the visitor cannot go back. */
  readonly edit: (() => void) | undefined;
};

/** A rating. If `isGood` is null, the rating was removed. */
export type Rating = { readonly isGood: boolean | null; readonly words: string };

export type MessageActsProps = {
  readonly acts: MessageActs;
  readonly entry: Entry;
  /** Whether the message is the visitor's last answer. */
  readonly isLastAnswer: boolean;
  readonly words: Words;
};
