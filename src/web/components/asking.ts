import { createContext } from "preact";

/**
 * Sends a request about the open chat without retries, for features that are not essential. Returns undefined before
 * the chat has started.
 */
export type Ask = (
  act: string,
  init: { readonly method: string; readonly body: string; readonly signal: AbortSignal },
) => Promise<Response> | undefined;

/** Sends requests about the chat of an input; undefined without a script. */
export const AskContext = createContext<Ask | undefined>(undefined);
