import type { ComponentType } from "preact";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** The acts on single messages of one chat: loaded where its bot has some. */
export type MessageActs = {
  readonly View: ComponentType<MessageActsProps>;
  readonly canCopy: boolean;
  /** Rates a model's answer; undefined if the bot takes no ratings. */
  readonly rate: ((entry: Entry, rating: Rating) => Promise<boolean>) | undefined;
  /** The rating that the visitor gave before. */
  ratingOf(entry: Entry): boolean | null;
  /** Whether each row has the time at which its message was said. */
  readonly areTimesShown: boolean;
  /** Whether the visitor may have this answer written once more. */
  mayTryAgain(entry: Entry): boolean;
  tryAgain(): void;
  /** A message was drawn. */
  onShown(): void;
  /** Draws a line above what came since the visitor saw the chat; called once it is shown again. */
  divide(): void;
  /** Has the visitor's last message open again, to be changed; undefined if they cannot go back. */
  readonly edit: (() => void) | undefined;
};

/** `isGood` null: taken back. */
export type Rating = { readonly isGood: boolean | null; readonly words: string };

export type MessageActsProps = {
  readonly acts: MessageActs;
  readonly entry: Entry;
  /** Whether it is the visitor's last answer. */
  readonly isLastAnswer: boolean;
  readonly words: Words;
};
