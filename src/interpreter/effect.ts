import type { FetchInit, RecordedFetch } from "./script.ts";

/** What a step needs from the world before it goes on, as data. Each kind has one file in `src/effects`, which gives a report. */
export type Effect =
  /** The conversation so far, as the `Transcript` preset prints it. Reads the session's steps. */
  | { readonly kind: "transcript"; readonly visitor: string | null; readonly messages: readonly unknown[] }
  /** A call of `fetch` in the author's script, which gets the body as text, whatever the status. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
  /** The request of an HTTP block. Its timeout includes retries and the pauses between them. */
  | {
      readonly kind: "http";
      readonly url: string;
      readonly method: string;
      /** Names are unique, ignoring case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body?: string;
      readonly timeoutMs: number;
      /** How often a failed try is repeated. */
      readonly retries: number;
    }
  /** The current flow of another bot of the workspace: the published one for live chats, the draft for previews. */
  | { readonly kind: "linkedFlow"; readonly fromBotId: string; readonly botId: string; readonly isLive: boolean }
  /** An answer of a language model. */
  | {
      readonly kind: "model";
      /** Of the credentials, which says whose server it is. */
      readonly credentialsType: string;
      readonly credentialsId: string;
      /** Another address at the origin of the credentials. */
      readonly baseUrl?: string;
      readonly apiVersion?: string;
      readonly model: string;
      readonly messages: readonly ModelMessage[];
      readonly temperature?: number;
      readonly maxTokens?: number;
      /** With all tries and the pauses between them. */
      readonly timeoutMs: number;
    }
  /** A payment that the visitor is about to make. `amount` is in the currency's smallest unit. */
  | {
      readonly kind: "payment";
      readonly credentialsId: string;
      readonly currency: string;
      readonly amount: number;
      readonly description?: string;
      readonly receiptEmail?: string;
    };

/** The outcome of an effect. Failures are reports, too, and so is an effect that this session may not perform. */
export type Report =
  | { readonly kind: "transcript"; readonly text: string }
  | { readonly kind: "fetch"; readonly answer: RecordedFetch }
  /** The server's response, whatever its status. */
  | { readonly kind: "http"; readonly statusCode: number; readonly text: string }
  /** No response: `statusCode` says what kind of failure it was, and `error` is mapped in place of the data. */
  | { readonly kind: "http"; readonly statusCode: number; readonly error: Readonly<Record<string, string>> }
  /** `program` is null where there is no such bot. `resultId` is new, for links that do not merge results. */
  | { readonly kind: "linkedFlow"; readonly program: string | null; readonly resultId: string }
  /** What the visitor's client needs to make the payment. */
  | { readonly kind: "payment"; readonly paymentIntentSecret: string; readonly publicKey: string }
  | { readonly kind: "model"; readonly answer: ModelAnswer }
  | { readonly kind: "model"; readonly failure: ModelFailure }
  | { readonly kind: "refused"; readonly reason: string };

export type ModelMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

export type ModelAnswer = {
  readonly text: string;
  /** `length`: at the most that it may have. `filtered`: its provider withheld the rest. `cut`: nobody knows what was still to come. */
  readonly ended: "stop" | "length" | "filtered" | "cut";
  /** `isEstimated`: the provider did not tell all of them. */
  readonly tokens: {
    readonly in: number;
    readonly cached: number;
    readonly out: number;
    readonly isEstimated: boolean;
  };
};

/** Why there is no answer, and what the provider said of it, without keys. */
export type ModelFailure = {
  readonly reason:
    | "credentials"
    | "address"
    | "key"
    | "credit"
    | "model"
    | "requests"
    | "overloaded"
    | "too long"
    | "withheld"
    | "unreachable"
    | "time"
    | "refused"
    | "unreadable"
    | "empty";
  readonly status?: number;
  readonly details?: string;
};
