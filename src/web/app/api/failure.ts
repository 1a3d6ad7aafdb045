/** The result of a call that was refused or did not get through. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** 0 if no answer came. */
  readonly status: number;
  /** `noun.reason`; `network.offline` if no answer came. */
  readonly code: string;
  readonly data: unknown;
  readonly requestId: string | undefined;
  /** The seconds after which to try again, where the service gives them. */
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
  /** The place in a file, if known: then the whole sentence names the place. */
  readonly place?: string;
};

/** The problems of a body's fields, as the service words them. */
export function issuesOf(failure: ApiFailure): readonly Issue[] {
  const issues = isRecord(failure.data) ? failure.data["issues"] : undefined;
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

/**
 * Reads a refusal from its response; the status describes a response that is not JSON of ours, such as a proxy's page.
 */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  const said = isRecord(body) ? body : {};
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiFailure({
    status: response.status,
    code: textOf(said["code"]) ?? `http.${response.status}`,
    message: textOf(said["message"]) ?? `The service answered with ${response.status}.`,
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
