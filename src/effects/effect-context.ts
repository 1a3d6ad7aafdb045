import type { ModelUse } from "./model-use.ts";
import type { Hops } from "./safe-fetch/hops.ts";
import type { SafeFetch } from "./safe-fetch/safe-fetch.ts";
import type { SafeStream } from "./safe-fetch/safe-fetch-stream.ts";
import type { StepSecrets } from "./secret-values.ts";
import type { StepCredentials } from "./step-credentials.ts";
import type { StepFiles } from "./step-files.ts";

/** The conversation of one step: the visitor's reply and the response it got. */
export type SpokenStep = {
  readonly revision: number;
  readonly reply: unknown;
  readonly response: unknown;
  readonly createdAt: Date;
  /** Where the visitor went back with this step: the revision whose input it asks again. */
  readonly wentBackTo: number | null;
};

/** A bot that another one links to. */
export type LinkedFlowPlace = {
  readonly fromBotId: string;
  readonly botId: string;
  readonly isLive: boolean;
  /** The user who previews; null for live chats, and for previews without a token. */
  readonly previewedBy: string | null;
};

/** What an effect may use. */
export type EffectContext = {
  /** The address of a linked bot's flow; undefined where there is none. */
  findLinkedFlow(place: LinkedFlowPlace): Promise<string | undefined>;
  /** The steps of the session so far, the newest first. */
  listSteps(): Promise<readonly SpokenStep[]>;
  readonly safeFetch: SafeFetch;
  /** The same for answers that are read as they come. */
  readonly safeStream: SafeStream;
  /** What calls of models are made with. Absent: none. */
  readonly credentials?: StepCredentials;
  /** Where they are counted. Absent: nowhere, and no budget bounds them. */
  readonly models?: ModelUse;
  /** Its files. Absent: none. */
  readonly files?: StepFiles;
  readonly sessionId: string;
  /** What the tokens in its requests stand for. Absent: nothing. */
  readonly secrets?: StepSecrets;
  /** What its calls say of themselves. */
  readonly hops: Hops;
  /** The user who previews; null for live chats, and for previews without a token. */
  readonly previewedBy: string | null;
  /** Stable for this effect of this step, also when the step is retried after a crash. */
  readonly idempotencyKey: string;
  /** The rest of the step's time for effects: none takes longer, whatever its own limit. */
  readonly timeLeftMs: number;
  /** What its step may still do beside the first call of each model. */
  readonly extraModelCalls?: { left: number };
  /** False once the step's claim was lost: nothing more may be sent for it. */
  readonly mayGoOn?: () => boolean;
  /** Whether a sentence is news to the author of this bot's version: it is told once. Absent: each time. */
  readonly isNews?: (sentence: string) => boolean;
  /** Told the words of a model's answer as they come: those that its report will have, in their order. Absent: nobody is told. */
  readonly onText?: (words: string) => void;
  /** Told the headers of an HTTP answer, without the values of secrets. Absent: nobody is told. */
  readonly onHeaders?: (headers: readonly (readonly [name: string, value: string])[]) => void;
  /** A stop: the call ends, and what was said so far is the answer. */
  readonly stopped?: AbortSignal;
};
