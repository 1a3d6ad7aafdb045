import errors from "./errors.json";

/**
 * Every error that a caller can receive: its status, its sentence, and how many seconds to wait before trying again
 * (absent: the same request will fail the same way).
 */
export const errorCatalogue = errors satisfies Record<
  string,
  { status: number; message: string; retryAfterSeconds?: number }
>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Facts for the caller, sent as `data`; `issues` on validation. Never contains internal data. */
export type ErrorData = Readonly<Record<string, unknown>>;

type AppErrorOptions = {
  readonly data?: ErrorData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly cause?: unknown;
};

/** A caller's mistake or a state of the service that concerns the caller: it becomes the one error shape. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;
  /** Headers of the error's response. They replace the catalogue's `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  /** `message` replaces the catalogue's sentence, for text of a bot. */
  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.headers = options.headers ?? {};
  }
}
