/** Data types for effects that call models. Requests and outcomes are plain data without secrets. */

/** A call to a language model, including its retries. */
export type ModelEffect = {
  readonly kind: "model";
  /** The type of the credentials, which determines the server. */
  readonly credentialsType: string;
  readonly credentialsId: string;
  /** A URL that replaces the credentials' URL. Both URLs have the same origin. */
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  /** Present if OpenAI's Responses API is used. */
  readonly responses?: ModelResponses;
  /** The Dify app to call. The app receives the text of the only message. */
  readonly app?: ModelApp;
  readonly messages: readonly ModelMessage[];
  /** The schema of the answer. If present, the answer is JSON. */
  readonly output?: JsonSchema;
  readonly tools?: readonly ModelTool[];
  /** False for the last call of a tool loop, in which the model must answer. */
  readonly mayCallTools?: boolean;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /**
   * The bubble that will show the answer. The bubble depends only on the flow and never on the connected clients,
   * because it is part of the effect's key.
   */
  readonly show?: string;
  /** The models that are called in turn if there is no answer. */
  readonly fallbacks?: readonly ModelFallback[];
  /**
   * Whether the oldest message is dropped whenever a server responds with 400. Otherwise it is dropped only if the
   * server reports that the input is too long.
   */
  readonly isTrimmedWhenRefused?: boolean;
  /** The total time in ms for all attempts and the pauses between them. */
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
  /**
   * The conversation to continue. If absent, a new conversation is created, whose id is the `responseId` of the answer.
   */
  readonly conversationId?: string;
};

export type ModelResponses = {
  readonly instructions?: string;
  /** Whether the provider stores the response so that a later response can continue from it. */
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
  /** A user message. `parts`: the same content as a list in which some parts may be files. */
  | { readonly role: "user"; readonly content: string; readonly parts?: readonly ModelPart[] }
  /** A message of the model. `echo`: provider data from the same turn. */
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls?: readonly ModelCall[];
      readonly echo?: ModelEcho;
    }
  /** The result of a tool call in the preceding assistant message. */
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

export type ModelPart = { readonly text: string } | { readonly address: string };

/** A function that a model may call. */
export type ModelTool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: ToolSchema;
};

/** Any JSON schema (2020-12) for objects that `schemaProblem` accepts. */
export type ToolSchema = { readonly type: "object"; readonly [keyword: string]: unknown };

/** The schema of an object whose members have simple types. */
export type JsonSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchemaMember>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** The schema of a member. If the member is optional, its value in an answer may also be null. */
export type JsonSchemaMember = {
  readonly type: JsonType | readonly [JsonType, "null"];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  /** The type of the elements of a list. */
  readonly items?: { readonly type: "string" };
};

export type JsonType = "string" | "number" | "boolean" | "array";

/** A tool call that a model requests. */
export type ModelCall = {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them. Null if they exceed the length limit. */
  readonly arguments: string | null;
  readonly echo?: ModelEcho;
};

/**
 * Data that a provider requires back together with the results of tool calls, such as signed reasoning. The data is
 * stored unchanged and never interpreted. `from`: the server and model that sent the data. The data is returned only to
 * them.
 */
export type ModelEcho = { readonly from: string; readonly data: unknown };

export type ModelAnswer = {
  readonly text: string;
  /** The requested tool calls. Absent or empty unless the answer ended with `tools`. */
  readonly calls?: readonly ModelCall[];
  /**
   * `length`: the answer reached its length limit. `tools`: the model requires the results of its calls. `filtered`:
   * the provider withheld the rest. `cut`: the connection broke, so the rest is unknown. `stopped`: the visitor stopped
   * the answer.
   */
  readonly ended: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped";
  /** The reason why the answer was cut, if the provider reported one. */
  readonly failure?: ModelFailure;
  readonly tokens: ModelTokens;
  /** Data that the provider requires back. Present only if the answer ended with `tools`. */
  readonly echo?: ModelEcho;
  /** The id from which a later call can continue. */
  readonly responseId?: string;
};

export type ModelTokens = {
  readonly in: number;
  readonly cached: number;
  readonly out: number;
  /** Whether the numbers are partly estimated because the provider did not report all tokens. */
  readonly isEstimated: boolean;
};

/** The reasons why a model call fails. */
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

/** The reason why there is no answer, with the provider's message. Keys are removed from the message. */
export type ModelFailure = {
  readonly reason: (typeof failureReasons)[number];
  readonly status?: number;
  readonly details?: string;
};

/** Requests the conversion of text to speech. */
export type SpeechEffect = ModelPlace & {
  readonly kind: "speech";
  /** The block that requested the recording. */
  readonly blockId: string;
  readonly input: string;
  readonly voice: string;
  readonly instructions?: string;
};

/** Requests the transcription of a recording. */
export type TranscriptionEffect = ModelPlace & {
  readonly kind: "transcription";
  readonly address: string;
  readonly prompt?: string;
};

export type ModelPlace = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly model: string;
  readonly timeoutMs: number;
};
