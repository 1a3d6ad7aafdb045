import type { ClientAction, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** What an action may use. */
export type ActionTools = {
  readonly words: Words;
  /** The page's one-time word for scripts; empty where the page has none. */
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** Puts a sentence or a link under the conversation. */
  note(text: string, link: string): void;
  /** Tells the bot's author what went wrong. */
  log(description: string, error: unknown): void;
};

/** Does what a flow asks of the browser; gives the reply where the flow waits for one (null: a reply without words). */
export type RunAction = (action: ClientAction, tools: ActionTools) => Promise<Message>;
