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

/** Work outside of the interpreter for which a step waits. Effects are plain data. */
export type Effect =
  /** Requests the conversation so far, in the format of the `Transcript` preset. */
  | { readonly kind: "transcript"; readonly visitor: string | null; readonly messages: readonly unknown[] }
  /** Requests the address at which another program can call this chat while the chat waits at a block. */
  | { readonly kind: "callbackAddress"; readonly blockId: string }
  /** Requests a token that identifies the visitor to Zendesk. No HTTP request is sent. */
  | {
      readonly kind: "userToken";
      readonly credentialsId: string;
      readonly userId: string;
      readonly name: string;
      readonly email: string;
    }
  /** A `fetch` call in the author's script. The script receives the body as text, regardless of the status. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
  /** The request of an HTTP block. `timeoutMs` includes retries and the pauses between them. */
  | {
      readonly kind: "http";
      readonly url: string;
      readonly method: string;
      /** Header names are unique, ignoring case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body?: string;
      readonly timeoutMs: number;
      /** The maximum number of retries after a failed attempt. */
      readonly retries: number;
      /** The credentials of the proxy that forwards the request. */
      readonly proxyCredentialsId?: string;
    }
  /** Loads the flow of another bot in the workspace: the published flow for live chats, or the draft for previews. */
  | { readonly kind: "linkedFlow"; readonly fromBotId: string; readonly botId: string; readonly isLive: boolean }
  | ModelEffect
  | SpeechEffect
  | TranscriptionEffect
  | CallEffect
  | SheetEffect
  | QrCodeEffect
  | SuggestionEffect
  | GmailEffect
  /**
   * Prepares a payment that the visitor is about to make. `amount` is in the provider's units of the currency: see
   * `Charge`.
   */
  | {
      readonly kind: "payment";
      /** The payment that the input showed last. The payment is reused if possible. */
      readonly paymentId?: string;
      /**
       * Whether `paymentId` was shown in an earlier visit of the block, which has ended. Money paid in that visit is
       * accepted only if the charge is the same.
       */
      readonly isNewVisit?: true;
      readonly credentialsId: string;
      readonly currency: string;
      readonly amount: number;
      readonly description?: string;
      readonly receiptEmail?: string;
    }
  /** Checks whether the provider has received at least `asked` or, if `asked` is absent, the amount of the payment. */
  | { readonly kind: "paymentCheck"; readonly paymentId: string; readonly asked?: MoneyUnits }
  /** Cancels unpaid payments so that they can no longer be made. */
  | { readonly kind: "paymentCancel"; readonly paymentIds: readonly string[] };

/** An amount in the provider's units of its currency: see `Charge`. */
export type MoneyUnits = { readonly currency: string; readonly units: number };

/** The state of a payment at its provider. `open`: the visitor has not paid yet. */
export const paymentStatuses = ["open", "processing", "succeeded", "canceled"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** A bubble as it appears in a step's response. */
export type SaidBubble = { readonly id: string; readonly type: string; readonly content: unknown };

/** The outcome of an effect. Includes failures and effects that the session may not perform. */
export type Report =
  | { readonly kind: "transcript"; readonly text: string }
  | { readonly kind: "callbackAddress"; readonly address: string }
  /** The token for Zendesk. Null if the credentials do not exist or are unreadable. */
  | { readonly kind: "userToken"; readonly token: string | null }
  | { readonly kind: "fetch"; readonly answer: RecordedFetch }
  /** The server's response with any status. */
  | { readonly kind: "http"; readonly statusCode: number; readonly text: string }
  /**
   * The failure of a request without a response. `statusCode` is a status that describes the failure, and `error` is
   * mapped instead of the data.
   */
  | { readonly kind: "http"; readonly statusCode: number; readonly error: Readonly<Record<string, string>> }
  /**
   * The linked flow. `program` is null if there is no such bot. `resultId` is a new id for links that do not merge
   * results.
   */
  | { readonly kind: "linkedFlow"; readonly program: string | null; readonly resultId: string }
  /** The data that the visitor's client needs for the payment. */
  | {
      readonly kind: "payment";
      readonly paymentIntentSecret: string;
      readonly publicKey: string;
      readonly paymentId?: string;
      /**
       * The charged amount if it differs from the requested amount because an earlier payment could not be cancelled.
       */
      readonly charged?: MoneyUnits;
      /** The URL of a page for this payment only. */
      readonly pageUrl?: string;
    }
  /** A simulated payment in a preview without test keys. No provider is involved. */
  | { readonly kind: "payment"; readonly isSimulated: true }
  /**
   * The provider's report. `succeeded` requires that at least the requested amount was paid. `paid` is the received
   * amount if it differs from the requested amount.
   */
  | { readonly kind: "paymentCheck"; readonly status: PaymentStatus; readonly paid?: MoneyUnits }
  /**
   * The outcome of a cancellation. `made`: at least one payment was made or is being processed. The other payments may
   * already be cancelled.
   */
  | { readonly kind: "paymentCancel"; readonly status: "canceled" | "made" }
  /**
   * The answer of a model. `interrupted`: bubbles with the text of earlier attempts whose processes ended. `notes` are
   * sentences for the author about differences between the call and the flow.
   */
  | {
      readonly kind: "model";
      readonly answer: ModelAnswer;
      readonly notes?: readonly string[];
      readonly interrupted?: readonly SaidBubble[];
    }
  /** A failed model call. `tokens`: the tokens that the call used although there is no answer. */
  | {
      readonly kind: "model";
      readonly failure: ModelFailure;
      readonly tokens?: ModelTokens;
      readonly notes?: readonly string[];
      readonly interrupted?: readonly SaidBubble[];
    }
  /** The address of a recording. */
  | { readonly kind: "speech"; readonly url: string }
  | { readonly kind: "speech"; readonly failure: ModelFailure }
  | { readonly kind: "transcription"; readonly text: string }
  | { readonly kind: "transcription"; readonly failure: ModelFailure }
  | CallReport
  | SheetReport
  | QrCodeReport
  | SuggestionReport
  | GmailReport
  /** An effect that was not performed. `isAway`: whether the effect may succeed later. */
  | { readonly kind: "refused"; readonly reason: string; readonly isAway?: true };
