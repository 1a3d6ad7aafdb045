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

/** A saved step: the visitor's reply and the bot's response. */
export type SpokenStep = {
  readonly revision: number;
  readonly reply: unknown;
  readonly response: unknown;
  readonly createdAt: Date;
  /** If the visitor went back in this step: the revision whose input was shown again. */
  readonly wentBackTo: number | null;
};

/** A bot that another bot links to. */
export type LinkedFlowPlace = {
  readonly fromBotId: string;
  readonly botId: string;
  readonly isLive: boolean;
  /** The user who runs the preview. Null for live chats and anonymous previews. */
  readonly previewedBy: string | null;
};

/** The dependencies and data that effects can use. */
export type EffectContext = SuggestionContext & {
  /** Returns the hash of a linked bot's flow, or undefined if there is no such flow. */
  findLinkedFlow(place: LinkedFlowPlace): Promise<string | undefined>;
  /**
   * Returns the address at which another program can call the chat at this block, or undefined for an anonymous
   * preview. Absent if chats have no such addresses.
   */
  addressOfBlock?(blockId: string): Promise<string | undefined>;
  /**
   * Returns the session's steps, newest first, without steps that the visitor undid. At most
   * `limits.session.transcriptSteps` are read.
   */
  listSteps(): Promise<readonly SpokenStep[]>;
  readonly safeFetch: SafeFetch;
  readonly safeStream: SafeStream;
  /** The credentials for calls to providers. */
  readonly credentials?: StepCredentials;
  /** If absent, calls use the providers' own addresses, without metrics and limits. */
  readonly providers?: Providers;
  /** The budgets and metrics of model calls. If absent, calls are neither recorded nor limited. */
  readonly models?: ModelUse;
  readonly google: Google;
  /**
   * Whether an earlier request claimed the session but did not complete the step. The effect may then already have been
   * performed.
   */
  readonly isResumed?: boolean;
  /** If absent, payments are refused. */
  readonly payments?: StepPayments;
  /** If absent, no files of the chat can be read or stored. */
  readonly files?: StepFiles;
  readonly sessionId: string;
  /** The secrets that replace tokens in the step's requests. If absent, tokens are not replaced. */
  readonly secrets?: StepSecrets;
  /** The chain of chats that the step's calls belong to. */
  readonly hops: Hops;
  /** The user who runs the preview. Null for live chats and anonymous previews. */
  readonly previewedBy: string | null;
  /** A key for this effect of this step, which does not change when the step is retried after a crash. */
  readonly idempotencyKey: string;
  /** The remaining time in ms for the step's effects. No effect may take longer, even if its own limit is higher. */
  readonly timeLeftMs: number;
  /**
   * The number of retries and fallbacks of model calls that the step may still make. The first call of each effect is
   * always allowed.
   */
  readonly extraModelCalls?: { left: number };
  /** Returns false after the step's claim was lost. No further request may then be sent for the step. */
  readonly mayGoOn?: () => boolean;
  /**
   * Returns whether this process has not yet logged the sentence for this version of the bot. If absent, sentences are
   * logged every time.
   */
  readonly isNews?: (sentence: string) => boolean;
  /**
   * Called with the text of a model's answer as it arrives. Together, the calls receive exactly the text of the report,
   * in order.
   */
  readonly onText?: (words: string) => void;
  /** Called with the headers of an HTTP response. The values of secrets are removed. */
  readonly onHeaders?: (headers: readonly (readonly [name: string, value: string])[]) => void;
  /** Stops the call when aborted. The text received so far becomes the answer. */
  readonly stopped?: AbortSignal;
};

export type StepFiles = {
  /**
   * Returns the file at this address, or the reason why it cannot be used. Returns undefined if the file does not
   * belong to this chat.
   */
  read(address: string, options: { maxBytes: number }): Promise<FoundFile | undefined>;
  /** Stores a file that was created for the visitor and returns its address. */
  keep(file: MadeFile): Promise<string>;
};

export type FoundFile =
  | { readonly bytes: Uint8Array; readonly type: string; readonly name: string }
  /** The reason why a file cannot be used, phrased as the end of a sentence. */
  | { readonly problem: string };

export type MadeFile = {
  readonly blockId: string;
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};
