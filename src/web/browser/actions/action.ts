import type { VNode } from "preact";
import type { ClientAction, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** The functions and data that an action can use. */
export type ActionTools = {
  readonly words: Words;
  /** The page's nonce for scripts; empty if the page has no nonce. */
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** Values from the URLs of the chat's pages. Anyone who sends a link can choose these values. */
  readonly addressed: readonly string[];
  /** Shows a question to the visitor at the end of the conversation. */
  ask(View: () => VNode): void;
  /** Shows a link with this text at the end of the conversation. */
  note(text: string, link: string): void;
  /** Logs an error for the bot's author, if the session has started. */
  log(description: string, error: unknown): void;
};

/**
 * Runs an action of a flow in the browser. Resolves to the reply, which is sent only if the flow waits for one. Null is
 * an empty reply.
 */
export type RunAction = (action: ClientAction, tools: ActionTools) => Promise<Message>;
