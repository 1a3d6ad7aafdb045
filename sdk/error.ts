import type { ErrorBody } from "./generated.ts";

/** Why a call failed: what the service answered, or `network.failed` where no answer came. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  /** Stable, made for programs: `bot.not_found`. The service's documentation has all of them. */
  readonly code: ErrorBody["code"] | "network.failed" | "response.unreadable";
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Finds the request in the logs of the service; undefined where no answer came. */
  readonly requestId: string | undefined;
  /** Facts, such as `issues` of a failed validation. */
  readonly data: ErrorBody["data"];
  /** After how many seconds the same request may succeed; undefined where it will not. */
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

/** The error that a response tells of. */
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
