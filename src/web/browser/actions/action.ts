import type { VNode } from "preact";
import type { ClientAction, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** The functions and data that an action can use. */
export type ActionTools = {
  readonly words: Words;
  /** The page's nonce for scripts; empty if the page has no nonce. */
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** The variables from the URL of the chat's page. Anyone who sends a link can choose their values. */
  readonly addressed: readonly string[];
  /** Shows a question to the visitor, below the conversation. */
  ask(View: () => VNode): void;
  /** Shows a message or a link below the conversation. */
  note(text: string, link: string): void;
  /** Logs an error for the bot's author. */
  log(description: string, error: unknown): void;
};

/**
 * Runs an action of a flow in the browser. Returns the reply if the flow waits for a reply, or null for an empty reply.
 */
export type RunAction = (action: ClientAction, tools: ActionTools) => Promise<Message>;
