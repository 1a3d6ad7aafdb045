import type { VNode } from "preact";
import type { ClientAction, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** The context of an action. */
export type ActionTools = {
  readonly words: Words;
  /** The page's nonce for scripts; empty if it has none. */
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** The variables in the address of the chat's page, which any sender may have written. */
  readonly addressed: readonly string[];
  /** Shows a question to the visitor below the conversation. */
  ask(View: () => VNode): void;
  /** Shows a sentence or a link below the conversation. */
  note(text: string, link: string): void;
  /** Logs an error for the bot's author. */
  log(description: string, error: unknown): void;
};

/** Runs an action of a flow in the browser; returns the reply if the flow waits for one (null: an empty reply). */
export type RunAction = (action: ClientAction, tools: ActionTools) => Promise<Message>;
