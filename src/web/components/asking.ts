import { createContext } from "preact";

/**
 * Asks the service about the open chat, once and without retries, for features that are not essential; undefined before
 * the chat has started.
 */
export type Ask = (
  act: string,
  init: { readonly method: string; readonly body: string; readonly signal: AbortSignal },
) => Promise<Response> | undefined;

/** The chat around an input; undefined without a script. */
export const AskContext = createContext<Ask | undefined>(undefined);
