import type { Google } from "./google/google.ts";
import type { ModelUse } from "./model-use.ts";
import type { StepPayments } from "./payments/payment-store.ts";
import type { Providers } from "./providers/provider-urls.ts";
import type { SuggestionContext } from "./providers/suggestion-parts.ts";
import type { Hops } from "./safe-fetch/hops.ts";
import type { SafeFetch } from "./safe-fetch/safe-fetch.ts";
import type { SafeStream } from "./safe-fetch/safe-fetch-stream.ts";
import type { StepSecrets } from "./secret-values.ts";
import type { StepCredentials } from "./step-credentials.ts";

/** The conversation of one step: the visitor's reply and the bot's response. */
export type SpokenStep = {
  readonly revision: number;
  readonly reply: unknown;
  readonly response: unknown;
  readonly createdAt: Date;
  /** The revision whose input this step asked again, if the visitor went back with this step. */
  readonly wentBackTo: number | null;
};

/** A bot that another links to. */
export type LinkedFlowPlace = {
  readonly fromBotId: string;
  readonly botId: string;
  readonly isLive: boolean;
  /** The user who previews; null for live chats, and for previews without a token. */
  readonly previewedBy: string | null;
};

/** Everything that an effect may use. */
export type EffectContext = SuggestionContext & {
  /** The address of a linked bot's flow; undefined if there is none. */
  findLinkedFlow(place: LinkedFlowPlace): Promise<string | undefined>;
  /**
   * The address at which another program can call the chat at this block; undefined for a preview without a token.
   * Absent: there are no such addresses.
   */
  addressOfBlock?(blockId: string): Promise<string | undefined>;
  /** The steps of the session so far, the newest first. */
  listSteps(): Promise<readonly SpokenStep[]>;
  readonly safeFetch: SafeFetch;
  /** Like `safeFetch`, for streamed responses. */
  readonly safeStream: SafeStream;
  /** The credentials for calls of providers. Absent: there are none. */
  readonly credentials?: StepCredentials;
  /**
   * The addresses of providers, and the counts of their calls. Absent: calls go to the providers' own addresses, and
   * are not counted.
   */
  readonly providers?: Providers;
  /** Budgets and counts of calls of models. Absent: they are not counted, and no budget bounds them. */
  readonly models?: ModelUse;
  /** Access tokens and titles of Google's accounts. */
  readonly google: Google;
  /** An earlier attempt at this step ended without a report of this effect, which may have been performed. */
  readonly isResumed?: boolean;
  /** The step's payments. Absent: there are none. */
  readonly payments?: StepPayments;
  /** The step's files. Absent: there are none. */
  readonly files?: StepFiles;
  readonly sessionId: string;
  /** The values of the tokens in the step's requests. Absent: there are none. */
  readonly secrets?: StepSecrets;
  /** The chain of chats that the step's calls belong to. */
  readonly hops: Hops;
  /** The user who previews; null for live chats, and for previews without a token. */
  readonly previewedBy: string | null;
  /** Stable for this effect of this step, even when the step is retried after a crash. */
  readonly idempotencyKey: string;
  /** The rest of the step's time for effects. No effect takes longer, even if its own limit is longer. */
  readonly timeLeftMs: number;
  /** The calls that the step may still make in addition to the first call of each model. */
  readonly extraModelCalls?: { left: number };
  /** False once the step's claim was lost: no further request may be sent for the step. */
  readonly mayGoOn?: () => boolean;
  /** Whether a sentence is new to this version's author, so that it is logged once. Absent: it is logged each time. */
  readonly isNews?: (sentence: string) => boolean;
  /** Called with the words of a model's answer as they arrive: exactly the words of the report, in their order. */
  readonly onText?: (words: string) => void;
  /** Called with the headers of an HTTP response, without the values of secrets. */
  readonly onHeaders?: (headers: readonly (readonly [name: string, value: string])[]) => void;
  /** When this signal is aborted, the call ends, and the text so far is the answer. */
  readonly stopped?: AbortSignal;
};

/** The files of a step's session. */
export type StepFiles = {
  /** The file at this address; undefined if it is not one of ours. */
  read(address: string, options: { maxBytes: number }): Promise<FoundFile | undefined>;
  /** Keeps a file that was made for the visitor, and returns its address. */
  keep(file: MadeFile): Promise<string>;
};

export type FoundFile =
  | { readonly bytes: Uint8Array; readonly type: string; readonly name: string }
  /** `problem` is the end of a sentence. */
  | { readonly problem: string };

export type MadeFile = {
  readonly blockId: string;
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};
