import { type AppError, errorCatalogue } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { asAppError } from "../../services/failures.ts";

export type FailedRequest = {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, not the address: ids in addresses are secrets. */
  readonly route: string;
};

/** The one error shape, for anything that was thrown: `{ code, status, message, requestId, data? }`. */
export function failureResponse(thrown: unknown, request: FailedRequest, log: Log): Response {
  const error = noteFailure(thrown, request, log);
  const { status } = errorCatalogue[error.code];
  const body = {
    code: error.code,
    status,
    message: error.message,
    requestId: request.requestId,
    ...(error.data === undefined ? {} : { data: error.data }),
  };
  return Response.json(body, { status, headers: failureHeaders(error, status) });
}

/** The error that the caller may see. Errors that the caller cannot fix are logged with their cause. */
export function noteFailure(thrown: unknown, request: FailedRequest, log: Log): AppError {
  const error = asAppError(thrown);
  const { status } = errorCatalogue[error.code];
  if (status === 500) log.error("a request failed", { ...request, cause: thrown });
  if (error.code === "server.unavailable") log.warn("the database does not answer", { ...request, cause: error.cause });
  if (error.code === "storage.unavailable") log.error("the file storage failed", { ...request, cause: error.cause });
  return error;
}

function failureHeaders(error: AppError, status: number): Record<string, string> {
  const entry = errorCatalogue[error.code];
  const headers: Record<string, string> = {};
  if ("retryAfterSeconds" in entry) headers["Retry-After"] = String(entry.retryAfterSeconds);
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  return { ...headers, ...error.headers };
}
