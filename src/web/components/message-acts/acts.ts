import type { ComponentType } from "preact";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** The acts on single messages of one chat: loaded if its bot offers any. */
export type MessageActs = {
  readonly View: ComponentType<MessageActsProps>;
  readonly canCopy: boolean;
  /** Rates a model's answer; undefined if the bot takes no ratings. */
  readonly rate: ((entry: Entry, rating: Rating) => Promise<boolean>) | undefined;
  /** The rating that the visitor gave before. */
  ratingOf(entry: Entry): boolean | null;
  /** Whether each row shows the time of its message. */
  readonly areTimesShown: boolean;
  /** Whether the visitor may have this answer regenerated. */
  mayTryAgain(entry: Entry): boolean;
  tryAgain(): void;
  /** A message was drawn. */
  onShown(): void;
  /** Draws a line above the messages since the visitor last saw the chat; called once the chat is shown again. */
  divide(): void;
  /** Opens the visitor's last message again for changes; undefined if the visitor cannot go back. */
  readonly edit: (() => void) | undefined;
};

/** `isGood` null: the rating was removed. */
export type Rating = { readonly isGood: boolean | null; readonly words: string };

export type MessageActsProps = {
  readonly acts: MessageActs;
  readonly entry: Entry;
  /** Whether the message is the visitor's last answer. */
  readonly isLastAnswer: boolean;
  readonly words: Words;
};
