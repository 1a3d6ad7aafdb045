import type { FetchInit, RecordedFetch } from "./script.ts";

/**
 * What a block wants done in the world, as data. The service performs it and comes back with a report. Kinds are added
 * with the blocks that need them; each has one file in `src/effects`.
 */
export type Effect =
  /** The conversation so far, as the `Transcript` preset prints it. Reads the session's steps. */
  | { readonly kind: "transcript"; readonly visitor: string | null; readonly messages: readonly unknown[] }
  /** A call that a script of the author makes: the script gets the body as text, whatever the status. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
  /** The call of an HTTP block. Retries and their pauses count into its time. */
  | {
      readonly kind: "http";
      readonly url: string;
      readonly method: string;
      /** Each name once, whatever its case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body?: string;
      readonly timeoutMs: number;
      /** Tries after the first, where the first may pass. */
      readonly retries: number;
    }
  /** The flow of another bot of the same workspace, as it is current now: published for live chats, the draft for previews. */
  | { readonly kind: "linkedFlow"; readonly fromBotId: string; readonly botId: string; readonly isLive: boolean }
  /** A payment that the visitor is about to make. `amount` is in the currency's smallest unit. */
  | {
      readonly kind: "payment";
      readonly credentialsId: string;
      readonly currency: string;
      readonly amount: number;
      readonly description?: string;
      readonly receiptEmail?: string;
    };

/** What came of an effect. A failed call is a report too, and so is an effect that this session may not have. */
export type Report =
  | { readonly kind: "transcript"; readonly text: string }
  | { readonly kind: "fetch"; readonly answer: RecordedFetch }
  /** The answer of the called server, whatever its status. */
  | { readonly kind: "http"; readonly statusCode: number; readonly text: string }
  /** There was none: the status says what kind of failure that was, and `error` stands for the data. */
  | { readonly kind: "http"; readonly statusCode: number; readonly error: Readonly<Record<string, string>> }
  /** Null where there is no such bot. `resultId` is a fresh one, for links that do not merge results. */
  | { readonly kind: "linkedFlow"; readonly program: string | null; readonly resultId: string }
  /** What the visitor's client needs to have the payment made. */
  | { readonly kind: "payment"; readonly paymentIntentSecret: string; readonly publicKey: string }
  | { readonly kind: "refused"; readonly reason: string };
