import errors from "./errors.json";

/**
 * Every error that a client can receive: its status, its message and, for many temporary errors, the seconds to wait
 * before a retry.
 */
export const errorCatalogue = errors satisfies Record<
  string,
  { status: number; message: string; retryAfterSeconds?: number }
>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Information for the client, sent as `data`. Validation errors contain `issues`. Never contains internal data. */
export type ErrorData = Readonly<Record<string, unknown>>;

type AppErrorOptions = {
  readonly data?: ErrorData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly cause?: unknown;
};

/**
 * Thrown for a client's mistake, or for a state of the service that concerns the client. The error is sent in the
 * common error format.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;
  /** Headers of the error's response. They override the catalogue's `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  /** `message` overrides the catalogue's message. */
  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.headers = options.headers ?? {};
  }
}
