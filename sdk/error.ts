import type { ErrorBody } from "./generated.ts";

/**
 * Thrown when a call failed. Contains the error of the service. The code is `network.failed` if there was no response,
 * and `response.unreadable` if the response is not an error of Parley.
 */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  /** A stable code for programs, such as `bot.not_found`. The service's documentation lists all codes. */
  readonly code: ErrorBody["code"] | "network.failed" | "response.unreadable";
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number;
  /** The id of the request in the logs of the service. Undefined if the call returned no id. */
  readonly requestId: string | undefined;
  /** Additional information, such as the `issues` of a failed validation. */
  readonly data: ErrorBody["data"];
  /** The seconds after which the same request may succeed. Undefined if the response contains no such time. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    { code, status, message, requestId, data, retryAfterSeconds }: ErrorFacts,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type ErrorFacts = {
  readonly code: ParleyError["code"];
  readonly status: number;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly data?: ErrorBody["data"];
  readonly retryAfterSeconds?: number | undefined;
};

/** Creates a `ParleyError` from the response of a failed call. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const facts = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
  const text = await response.text().catch(() => "");
  const body = parsed(text);
  if (body) return new ParleyError({ ...facts, ...body, requestId: body.requestId });
  return new ParleyError({
    ...facts,
    code: "response.unreadable",
    message: `The answer with status ${status} is not one of Parley: is the address right?`,
  });
}

function parsed(text: string): ErrorBody | undefined {
  try {
    const body: ErrorBody | undefined = JSON.parse(text);
    return typeof body?.code === "string" && typeof body.message === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}
