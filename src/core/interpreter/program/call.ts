/** The language of calls of services: requests without a secret, and their outcomes, as plain data. */

/** A call of a service, under the credentials that determine its server and its signature. */
export type CallEffect = {
  readonly kind: "call";
  readonly credentialsType: string;
  readonly credentialsId: string;
  readonly request: CallRequest;
  /** How often a failed try is repeated. */
  readonly retries: number;
  /** With all tries and the pauses between them. */
  readonly timeoutMs: number;
  /** Whether the effect's key is sent as `Idempotency-Key`, for services that support such a key. */
  readonly isKeyed?: true;
};

export type CallRequest = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the address of the service, with a slash at its beginning, percent-encoded: see `segment`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
};

/** A text as a single segment of a path. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The kinds of failures of a call that has no answer, or no usable answer. */
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

/** Why there is no answer. `details` is a sentence, without keys. */
export type CallFailure = {
  readonly reason: (typeof callFailureReasons)[number];
  readonly status?: number;
  readonly details?: string;
};

/** A QR code that is drawn and kept as a file. */
export type QrCodeEffect = { readonly kind: "qrCode"; readonly blockId: string; readonly data: string };

export type QrCodeReport =
  | { readonly kind: "qrCode"; readonly url: string }
  | { readonly kind: "qrCode"; readonly failure: CallFailure };

/**
 * The outcome of a call: an answer with any status, or none. `headers` are the ones that the kind of credentials names,
 * in lower case.
 */
export type CallReport =
  | {
      readonly kind: "call";
      readonly status: number;
      readonly text: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The service's sentence in a failed answer, without keys. */
      readonly sentence?: string;
    }
  | { readonly kind: "call"; readonly failure: CallFailure };

/** How an input finds suggestions for a visitor's words at a service, as data: this module makes no calls. */
export type SuggestionSource = {
  readonly credentialsType: string;
  readonly credentialsId: string;
  /** Whether the block uses the parts of a chosen suggestion. */
  readonly takesParts: boolean;
  ask(words: string): CallRequest;
  /** The suggestions in the service's answer, which was read as JSON. */
  read(answer: unknown): readonly Suggestion[];
};

/** `parts` are the service's values for the suggestion, by their names. */
export type Suggestion = { readonly text: string; readonly parts: SuggestionParts };
export type SuggestionParts = Readonly<Record<string, string>>;

/**
 * The parts of the suggestion that a visitor has chosen. `token` is the client's only statement about them: this
 * instance has signed it.
 */
export type SuggestionEffect = {
  readonly kind: "suggestion";
  readonly blockId: string;
  readonly text: string;
  readonly token: string;
};

/** Null if the token is not ours, or belongs to another chat, block or text. */
export type SuggestionReport = { readonly kind: "suggestion"; readonly parts: SuggestionParts | null };
