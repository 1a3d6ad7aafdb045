import type { FetchInit, RecordedFetch } from "../language/script.ts";
import type { CallEffect, CallReport, QrCodeEffect, QrCodeReport, SuggestionEffect, SuggestionReport } from "./call.ts";
import type { GmailEffect, GmailReport, SheetEffect, SheetReport } from "./google.ts";
import type {
  ModelAnswer,
  ModelEffect,
  ModelFailure,
  ModelTokens,
  SpeechEffect,
  TranscriptionEffect,
} from "./model.ts";

/**
 * A call to the world outside that a step waits for, as data. Each kind has one file in `src/effects`, which returns a
 * report.
 */
export type Effect =
  /** The conversation so far, as the `Transcript` preset prints it. Reads the session's steps. */
  | { readonly kind: "transcript"; readonly visitor: string | null; readonly messages: readonly unknown[] }
  /** The address at which another program can call this chat while it waits at a block. */
  | { readonly kind: "callbackAddress"; readonly blockId: string }
  /** A token that proves the visitor's identity to Zendesk. No request is sent. */
  | {
      readonly kind: "userToken";
      readonly credentialsId: string;
      readonly userId: string;
      readonly name: string;
      readonly email: string;
    }
  /** A call of `fetch` in the author's script, which gets the body as text with any status. */
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
      /** Credentials of the proxy that carries the request. */
      readonly proxyCredentialsId?: string;
    }
  /** The current flow of another bot of the workspace: the published flow for live chats, the draft for previews. */
  | { readonly kind: "linkedFlow"; readonly fromBotId: string; readonly botId: string; readonly isLive: boolean }
  | ModelEffect
  | SpeechEffect
  | TranscriptionEffect
  | CallEffect
  | SheetEffect
  | QrCodeEffect
  | SuggestionEffect
  | GmailEffect
  /** A payment that the visitor is about to make. `amount` is in the currency's smallest unit. */
  | {
      readonly kind: "payment";
      /**
       * The payment of this visit of the input, or of the previous visit: it is shown again, unless its amount differs.
       */
      readonly paymentId?: string;
      /**
       * `paymentId` was shown by a visit that is over: its money counts for this visit only if the charge is the same.
       */
      readonly isNewVisit?: true;
      readonly credentialsId: string;
      readonly currency: string;
      readonly amount: number;
      readonly description?: string;
      readonly receiptEmail?: string;
    }
  /**
   * Whether the provider has a payment of at least this amount in this currency; without them, of the payment's own
   * amount.
   */
  | { readonly kind: "paymentCheck"; readonly paymentId: string; readonly asked?: MoneyUnits }
  /** Cancels unpaid payments, so that they can no longer be made. */
  | { readonly kind: "paymentCancel"; readonly paymentIds: readonly string[] };

/** Money in the smallest unit of its currency. */
export type MoneyUnits = { readonly currency: string; readonly units: number };

/** The state of a payment at its provider. `open`: it waits for the visitor. */
export const paymentStatuses = ["open", "processing", "succeeded", "canceled"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** An earlier bubble, as it is in the step's response. */
export type SaidBubble = { readonly id: string; readonly type: string; readonly content: unknown };

/** The outcome of an effect. Failures are also reports, and so is an effect that this session may not perform. */
export type Report =
  | { readonly kind: "transcript"; readonly text: string }
  | { readonly kind: "callbackAddress"; readonly address: string }
  /** Null if the workspace does not have these credentials. */
  | { readonly kind: "userToken"; readonly token: string | null }
  | { readonly kind: "fetch"; readonly answer: RecordedFetch }
  /** The server's response, with any status. */
  | { readonly kind: "http"; readonly statusCode: number; readonly text: string }
  /** No response: `statusCode` is the kind of failure, and `error` is mapped instead of the data. */
  | { readonly kind: "http"; readonly statusCode: number; readonly error: Readonly<Record<string, string>> }
  /** `program` is null if there is no such bot. `resultId` is a new id, for links that do not merge results. */
  | { readonly kind: "linkedFlow"; readonly program: string | null; readonly resultId: string }
  /** The data that the visitor's client needs to make the payment. */
  | {
      readonly kind: "payment";
      readonly paymentIntentSecret: string;
      readonly publicKey: string;
      readonly paymentId?: string;
      /** The charged amount, if it differs from the requested one because an earlier payment could not be cancelled. */
      readonly charged?: MoneyUnits;
      /** The address of a page for this payment only. */
      readonly pageUrl?: string;
    }
  /** A preview without test keys: no provider takes it. */
  | { readonly kind: "payment"; readonly isSimulated: true }
  /**
   * The answer of the provider; `succeeded` only if at least the requested amount was paid. `paid`: the amount
   * received, if it is higher or does not count.
   */
  | { readonly kind: "paymentCheck"; readonly status: PaymentStatus; readonly paid?: MoneyUnits }
  /** `made`: one of the payments was made, or is being made. In this case the others may already be cancelled. */
  | { readonly kind: "paymentCancel"; readonly status: "canceled" | "made" }
  /**
   * `interrupted`: bubbles that processes sent before they died, before the call was made again. `notes` are sentences
   * for the author: where the call differed from the flow.
   */
  | {
      readonly kind: "model";
      readonly answer: ModelAnswer;
      readonly notes?: readonly string[];
      readonly interrupted?: readonly SaidBubble[];
    }
  /** `tokens`: the cost of the call although there is no answer. */
  | {
      readonly kind: "model";
      readonly failure: ModelFailure;
      readonly tokens?: ModelTokens;
      readonly notes?: readonly string[];
      readonly interrupted?: readonly SaidBubble[];
    }
  /** The address of the recording. */
  | { readonly kind: "speech"; readonly url: string }
  | { readonly kind: "speech"; readonly failure: ModelFailure }
  | { readonly kind: "transcription"; readonly text: string }
  | { readonly kind: "transcription"; readonly failure: ModelFailure }
  | CallReport
  | SheetReport
  | QrCodeReport
  | SuggestionReport
  | GmailReport
  /** `isAway`: a service gave no answer that counts, but may give one soon. */
  | { readonly kind: "refused"; readonly reason: string; readonly isAway?: true };
