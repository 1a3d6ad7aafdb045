import type { Told } from "./told.ts";

/** How an operation is called. */
export type Operation = {
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  /** Whether it is where chats are. */
  readonly isChat: boolean;
  /** Whether it does once what is asked several times under one `Idempotency-Key`. */
  readonly hasKey: boolean;
  readonly body?: "json" | "raw";
};

/** Path and query by their names, and `body`. */
export type CallInput = Readonly<Record<string, unknown>>;

export type CallOptions = {
  /** Ends the call, and its retries. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Names the request: sent again under the same key, it is answered as the first time and done once. Made unless said.
   */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called with what the step tells before its end, such as a model's words as they come: by `startChat`,
   * `startPreview` and `continueChat`.
   */
  readonly onTold?: ((told: Told) => void) | undefined;
};
