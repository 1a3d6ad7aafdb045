/** Data types for calls to services. Requests and outcomes are plain data without secrets. */

/** A call to a service. The credentials determine the server and the signature of the call. */
export type CallEffect = {
  readonly kind: "call";
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly request: CallRequest;
  /** The maximum number of retries after a failed attempt. */
  readonly retries: number;
  /** The total time in ms for all attempts and the pauses between them. */
  readonly timeoutMs: number;
  /** Whether the effect's key is sent as an `Idempotency-Key` header. Only some services support this header. */
  readonly isKeyed?: true;
};

export type CallRequest = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The percent-encoded path below the service's base URL, with a leading slash: see `segment`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The request body, which is sent as JSON. */
  readonly body?: unknown;
};

/** Encodes a text as a single path segment. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The reasons why a call has no response or no usable response. */
export const callFailureReasons = [
  "credentials",
  "address",
  "busy",
  "time",
  "unreachable",
  "unreadable",
  "status",
  "refused",
  "budget",
  "file",
] as const;

/** The reason why a call failed. `details` is a sentence without secrets. */
export type CallFailure = {
  readonly reason: (typeof callFailureReasons)[number];
  readonly status?: number;
  readonly details?: string;
};

/** Requests a QR code, which is drawn and stored as a file. */
export type QrCodeEffect = { readonly kind: "qrCode"; readonly blockId: string; readonly data: string };

export type QrCodeReport =
  | { readonly kind: "qrCode"; readonly url: string }
  | { readonly kind: "qrCode"; readonly failure: CallFailure };

/**
 * The outcome of a call: a response with any status, or a failure. `headers` contains the headers that the kind of
 * credentials lists, in lower case.
 */
export type CallReport =
  | {
      readonly kind: "call";
      readonly status: number;
      readonly text: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The service's message in an error response, without secrets. */
      readonly sentence?: string;
    }
  | { readonly kind: "call"; readonly failure: CallFailure };

/** Describes how an input loads suggestions for the visitor's text from a service. */
export type SuggestionSource = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  /** Whether the block uses the parts of a chosen suggestion. */
  readonly takesParts: boolean;
  ask(words: string): CallRequest;
  /** Returns the suggestions in the service's response, which was parsed as JSON. */
  read(answer: unknown): readonly Suggestion[];
};

/** A suggestion. `parts` contains the service's values for the suggestion by name. */
export type Suggestion = { readonly text: string; readonly parts: SuggestionParts };
export type SuggestionParts = Readonly<Record<string, string>>;

/**
 * Requests the parts of the suggestion that a visitor chose. `token` was signed by this instance and sent back by the
 * client.
 */
export type SuggestionEffect = {
  readonly kind: "suggestion";
  readonly blockId: string;
  readonly text: string;
  readonly token: string;
};

/** The parts of a suggestion. `parts` is null if the token is invalid, or belongs to another chat, block or text. */
export type SuggestionReport = { readonly kind: "suggestion"; readonly parts: SuggestionParts | null };
