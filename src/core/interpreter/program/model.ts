/** The language of effects that ask models: what is asked, and what came of it, as plain data without secrets. */

/** A call of a language model, with its further tries. */
export type ModelEffect = {
  readonly kind: "model";
  /** Of the credentials, which says whose server it is. */
  readonly credentialsType: string;
  readonly credentialsId: string;
  /** Another address at the origin of the credentials. */
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  /** OpenAI's language of responses; absent: that of its provider's chats. */
  readonly responses?: ModelResponses;
  readonly messages: readonly ModelMessage[];
  /** The shape of the answer, which is JSON then. */
  readonly output?: JsonSchema;
  readonly tools?: readonly ModelTool[];
  /** False for the last call of a loop over tools, which has to be an answer. */
  readonly mayCallTools?: boolean;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** The bubble that will show this text. It follows from the flow alone, never from who listens: it is part of the effect's key. */
  readonly show?: string;
  /** Who is asked in turn where there is no answer. */
  readonly fallbacks?: readonly ModelFallback[];
  /** Whether the oldest message is dropped for whatever a server refuses with 400, and not only where it says that there is too much. */
  readonly isTrimmedWhenRefused?: boolean;
  /** With all tries and the pauses between them. */
  readonly timeoutMs: number;
};

export type ModelFallback = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly model: string;
};

export type ModelResponses = {
  readonly instructions?: string;
  /** Whether the provider keeps the response, so that a later one may go on from it. */
  readonly isStored: boolean;
  readonly previousResponseId?: string;
  readonly fileSearch?: {
    readonly vectorStoreIds: readonly string[];
    readonly maxNumResults?: number;
    readonly scoreThreshold?: number;
  };
  readonly usesWebSearch?: boolean;
  readonly usesCodeInterpreter?: boolean;
};

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  /** `parts`: the same content, where some of it may be files. */
  | { readonly role: "user"; readonly content: string; readonly parts?: readonly ModelPart[] }
  /** `echo`: of the same turn. */
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls?: readonly ModelCall[];
      readonly echo?: ModelEcho;
    }
  /** What came of a call that the assistant's message before it holds. */
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

export type ModelPart = { readonly text: string } | { readonly address: string };

/** A function that a model may have run. */
export type ModelTool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: ToolSchema;
};

/** Any JSON schema of objects (2020-12) that `schemaProblem` has nothing against. */
export type ToolSchema = { readonly type: "object"; readonly [keyword: string]: unknown };

/** Of an object with members of simple types. */
export type JsonSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchemaMember>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** Of one type; in an answer also null, where it may be left out. */
export type JsonSchemaMember = {
  readonly type: JsonType | readonly [JsonType, "null"];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  /** Of a list. */
  readonly items?: { readonly type: "string" };
};

export type JsonType = "string" | "number" | "boolean" | "array";

/** A call that a model wants. */
export type ModelCall = {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; null where it is longer than arguments may be. */
  readonly arguments: string | null;
  readonly echo?: ModelEcho;
};

/**
 * What a provider wants back with what comes of the calls that it asked for, such as signed reasoning: as it came, and read by nobody here.
 * `from`: the server and model that gave it, who alone get it back.
 */
export type ModelEcho = { readonly from: string; readonly data: unknown };

export type ModelAnswer = {
  readonly text: string;
  /** Empty, but for answers that ended with `tools`. */
  readonly calls?: readonly ModelCall[];
  /**
   * `length`: at the most that it may have. `tools`: for what its calls come to. `filtered`: its provider withheld the rest. `cut`: nobody
   * knows what was still to come. `stopped`: the visitor had enough.
   */
  readonly ended: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped";
  readonly tokens: ModelTokens;
  /** Only of answers that ended with `tools`. */
  readonly echo?: ModelEcho;
  /** By which a later call goes on from this one. */
  readonly responseId?: string;
};

export type ModelTokens = {
  readonly in: number;
  readonly cached: number;
  readonly out: number;
  /** The provider did not tell all of them. */
  readonly isEstimated: boolean;
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
    | "spent"
    | "withheld"
    | "unreachable"
    | "time"
    | "refused"
    | "unreadable"
    | "empty"
    | "busy"
    | "budget"
    | "file";
  readonly status?: number;
  readonly details?: string;
};

/** A text that is spoken. */
export type SpeechEffect = ModelPlace & {
  readonly kind: "speech";
  /** Whose the recording is. */
  readonly blockId: string;
  readonly input: string;
  readonly voice: string;
  readonly instructions?: string;
};

/** A recording that is written down. */
export type TranscriptionEffect = ModelPlace & {
  readonly kind: "transcription";
  readonly address: string;
  readonly prompt?: string;
};

/** Which model is called, and where. */
export type ModelPlace = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  readonly timeoutMs: number;
};
