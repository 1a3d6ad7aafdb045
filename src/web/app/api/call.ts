import { ApiFailure, failureOf } from "./failure.ts";
// Git ignores this file: `npm run client` and `npm test` write it.
import type { Operations } from "./operations.d.ts";

/** The method and path of an operation, as in the OpenAPI document. */
export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = Operations[Name]["answer"];

type Optional<Part, Value> = Part extends "path" | "query" | "body"
  ? [Value] extends [undefined]
    ? { readonly [Key in Part]?: undefined }
    : Record<string, never> extends Value
      ? { readonly [Key in Part]?: Value }
      : { readonly [Key in Part]: Value }
  : never;

/** The input of an operation. A part (path, query or body) whose members are all optional is optional itself. */
export type Input<Name extends OperationName> = Optional<"path", Operations[Name]["path"]> &
  Optional<"query", Operations[Name]["query"]> &
  Optional<"body", Operations[Name]["body"]> &
  CallOptions;

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Additional headers, for example `Idempotency-Key` or `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the request continues after the page is closed. */
  readonly keepalive?: boolean | undefined;
};

type Parts = CallOptions & {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
};

/**
 * Calls an operation by its method and path, for example `call("GET /api/v1/bots/:botId", { path: { botId } })`. Throws
 * an `ApiFailure` when the service refuses the call or cannot be reached. Notifies the listeners of `onSignedOut` when
 * the sign-in is no longer valid.
 */
export async function call<Name extends OperationName>(
  name: Name,
  ...[input]: Record<string, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
): Promise<Answer<Name>> {
  const response = await request(name, input ?? {});
  if (response.status === 204) return undefined;
  // The connection may break during the response, or a proxy may respond instead of the service.
  const answer: Answer<Name> = await response.json().catch((cause: unknown) => notReached(cause, input?.signal));
  return answer;
}

/** Like `call`, but returns the raw response, also with the status 304. */
export async function request(
  name: string,
  { path, query, body, signal, headers, keepalive }: Parts,
): Promise<Response> {
  const [method = "GET", template = ""] = name.split(" ");
  const response = await fetch(addressOf(template, { path, query }), {
    method,
    credentials: "same-origin",
    headers: {
      // Other origins cannot send this header without permission. The service accepts the session cookie only together
      // with this header.
      "Parley-App": "1",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  }).catch((cause: unknown) => notReached(cause, signal));
  if (response.ok || response.status === 304) return response;
  throw noteFailure(await failureOf(response));
}

function notReached(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw cause;
  throw new ApiFailure({ status: 0, code: "network.offline", message: "The service cannot be reached." });
}

/** Notifies the listeners of `onSignedOut` if the failure has the status 401. Returns the failure. */
export function noteFailure(failure: ApiFailure): ApiFailure {
  if (failure.status === 401) for (const listen of signedOutListeners) listen(failure);
  return failure;
}

const signedOutListeners = new Set<(failure: ApiFailure) => void>();

/**
 * Calls the listener for every call that fails with the status 401, because nobody is signed in. Returns a function
 * that removes the listener.
 */
export function onSignedOut(listen: (failure: ApiFailure) => void): () => void {
  signedOutListeners.add(listen);
  return () => signedOutListeners.delete(listen);
}

/** Returns the path with its parameters and its query filled in. */
export function addressOf(template: string, { path, query }: Pick<Parts, "path" | "query">): string {
  const values = new Map<string, unknown>(Object.entries(path ?? {}));
  const filled = template.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(values.get(key) ?? "")));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.append(key, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
