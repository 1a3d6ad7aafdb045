/** Thrown when a call is refused or the service cannot be reached. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number;
  /** The error code in the form `noun.reason`, for example `network.offline` if there was no response. */
  readonly code: string;
  readonly data: unknown;
  readonly requestId: string | undefined;
  /** The number of seconds to wait before a retry, if the service sends it. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, data, requestId, retryAfter }: FailureParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

export type FailureParts = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
};

export type Issue = {
  readonly path: string;
  readonly message: string;
  /** The position in a file, if known. The message then includes the position. */
  readonly place?: string;
};

/** Returns the problems that the service reported for the fields of the request. */
export function issuesOf(failure: ApiFailure): readonly Issue[] {
  const issues = isRecord(failure.data) ? failure.data["issues"] : undefined;
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

/**
 * Reads a failure from a response. If the response is not JSON, such as the error page of a proxy, the message contains
 * only the status.
 */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  const said = isRecord(body) ? body : {};
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiFailure({
    status: response.status,
    code: textOf(said["code"]) ?? `http.${response.status}`,
    message: textOf(said["message"]) ?? `The service responded with ${response.status}.`,
    data: said["data"],
    requestId: textOf(said["requestId"]) ?? response.headers.get("x-request-id") ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value["path"] === "string" && typeof value["message"] === "string";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
