import { AppError, errorCatalogue } from "../../errors.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";

export type FailedRequest = {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern instead of the address, because ids in addresses are secret. */
  readonly route: string;
};

type FailureLogs = Pick<ManagementDependencies, "log" | "outage">;

/** Returns an error response. All errors have the same shape: `{ code, status, message, requestId, data? }`. */
export function failureResponse(thrown: unknown, request: FailedRequest, deps: FailureLogs): Response {
  const error = noteFailure(thrown, request, deps);
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

/**
 * Returns the error for the response. A body that ended early because its sender disconnected is an incomplete request,
 * not a bug.
 */
export function unlessAborted({ signal }: Request, thrown: unknown): unknown {
  const isAborted = signal.aborted && thrown instanceof Error && thrown.name === "AbortError";
  return isAborted ? new AppError("request.incomplete") : thrown;
}

/**
 * Returns the error that the caller may see. Logs bugs and failures of the file storage with their cause, and an outage
 * of the database only once.
 */
export function noteFailure(thrown: unknown, request: FailedRequest, deps: FailureLogs): AppError {
  const error = asAppError(thrown);
  const { status } = errorCatalogue[error.code];
  if (status === 500) deps.log.error("a request failed", { ...request, cause: thrown });
  if (status === 503) deps.outage.refused(error.cause);
  if (error.code === "storage.unavailable")
    deps.log.error("the file storage failed", { ...request, cause: error.cause });
  return error;
}

function failureHeaders(error: AppError, status: number): Record<string, string> {
  const entry = errorCatalogue[error.code];
  const headers: Record<string, string> = {};
  if ("retryAfterSeconds" in entry) headers["Retry-After"] = String(entry.retryAfterSeconds);
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  return { ...headers, ...error.headers };
}
