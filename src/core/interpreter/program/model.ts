/** The language of effects that ask models: requests and outcomes as plain data without secrets. */

/** A call of a language model, with its retries. */
export type ModelEffect = {
  readonly kind: "model";
  /** The type of the credentials, which determines the server. */
  readonly credentialsType: string;
  readonly credentialsId: string;
  /** Another address at the origin of the credentials. */
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  /** Whether to use OpenAI's Responses API; absent: the API of the provider's chats. */
  readonly responses?: ModelResponses;
  /** For Dify, which gets the text of the only message. */
  readonly app?: ModelApp;
  readonly messages: readonly ModelMessage[];
  /** The schema of the answer, which makes the answer JSON. */
  readonly output?: JsonSchema;
  readonly tools?: readonly ModelTool[];
  /** False for the last call of a loop over tools, which must give an answer. */
  readonly mayCallTools?: boolean;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /**
   * The bubble that will show this text. The bubble depends only on the flow, never on the clients that listen: it is
   * part of the effect's key.
   */
  readonly show?: string;
  /** The models that are asked in turn if there is no answer. */
  readonly fallbacks?: readonly ModelFallback[];
  /**
   * Whether the oldest message is dropped whenever a server refuses with 400, and not only when it reports too much
   * input.
   */
  readonly isTrimmedWhenRefused?: boolean;
  /** With all tries and the pauses between them. */
  readonly timeoutMs: number;
};

export type ModelFallback = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly model: string;
};

export type ModelApp = {
  /** The user for whom the provider stores the conversation. */
  readonly user: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Absent: a new conversation, whose id is the `responseId` of the answer. */
  readonly conversationId?: string;
};

export type ModelResponses = {
  readonly instructions?: string;
  /** Whether the provider stores the response, so that a later response may continue from it. */
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
  /** `echo`: from the same turn. */
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls?: readonly ModelCall[];
      readonly echo?: ModelEcho;
    }
  /** The result of a call that the assistant's message before it holds. */
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

export type ModelPart = { readonly text: string } | { readonly address: string };

/** A function that a model may call. */
export type ModelTool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: ToolSchema;
};

/** Any JSON schema of objects (2020-12) that `schemaProblem` accepts. */
export type ToolSchema = { readonly type: "object"; readonly [keyword: string]: unknown };

/** The schema of an object with members of simple types. */
export type JsonSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchemaMember>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** A member has one type; in an answer it may also be null if it is optional. */
export type JsonSchemaMember = {
  readonly type: JsonType | readonly [JsonType, "null"];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  /** For a list. */
  readonly items?: { readonly type: "string" };
};

export type JsonType = "string" | "number" | "boolean" | "array";

/** A tool call that a model asks for. */
export type ModelCall = {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them; null if they exceed the length limit. */
  readonly arguments: string | null;
  readonly echo?: ModelEcho;
};

/**
 * Data that a provider requires back with the results of the calls that it asked for, such as signed reasoning: stored
 * unchanged, and never read here. `from`: the server and model that gave the data; it is returned only to them.
 */
export type ModelEcho = { readonly from: string; readonly data: unknown };

export type ModelAnswer = {
  readonly text: string;
  /** Empty, except for answers that ended with `tools`. */
  readonly calls?: readonly ModelCall[];
  /**
   * `length`: the answer reached its length limit. `tools`: the model waits for the results of its calls. `filtered`:
   * the provider withheld the rest. `cut`: the connection broke, so the rest is unknown. `stopped`: the visitor stopped
   * it.
   */
  readonly ended: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped";
  /** Why the answer was cut, if the provider has reported a reason during it. */
  readonly failure?: ModelFailure;
  readonly tokens: ModelTokens;
  /** Only of answers that ended with `tools`. */
  readonly echo?: ModelEcho;
  /** The id from which a later call continues. */
  readonly responseId?: string;
};

export type ModelTokens = {
  readonly in: number;
  readonly cached: number;
  readonly out: number;
  /** The provider did not report all tokens. */
  readonly isEstimated: boolean;
};

/** The kinds of failures of a model. */
export const failureReasons = [
  "credentials",
  "address",
  "key",
  "credit",
  "model",
  "requests",
  "overloaded",
  "too long",
  "spent",
  "withheld",
  "unreachable",
  "time",
  "refused",
  "unreadable",
  "empty",
  "busy",
  "budget",
  "file",
] as const;

/** Why there is no answer, with the provider's message, without keys. */
export type ModelFailure = {
  readonly reason: (typeof failureReasons)[number];
  readonly status?: number;
  readonly details?: string;
};

/** A text to be spoken. */
export type SpeechEffect = ModelPlace & {
  readonly kind: "speech";
  /** The origin of the recording. */
  readonly blockId: string;
  readonly input: string;
  readonly voice: string;
  readonly instructions?: string;
};

/** A recording to be transcribed. */
export type TranscriptionEffect = ModelPlace & {
  readonly kind: "transcription";
  readonly address: string;
  readonly prompt?: string;
};

/** The model to call, and its server. */
export type ModelPlace = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  readonly timeoutMs: number;
};
