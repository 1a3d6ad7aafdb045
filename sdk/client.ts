import { errorOf, ParleyError } from "./error.ts";
import { Operations } from "./generated.ts";
import type { CallInput, CallOptions, Operation } from "./operation.ts";
import { isEvents, readStep, type Told } from "./told.ts";

export type ClientOptions = {
  /** The address of the service, such as `https://bots.example.com`. */
  readonly baseUrl: string;
  /** The address that serves chats (`CHAT_URL` of the service), if it differs from `baseUrl`. */
  readonly chatUrl?: string | undefined;
  /** An API token, `parley_…`. Chats require no token. Never use a token in a browser. */
  readonly token?: string | undefined;
  /** The maximum number of retries per call. Only calls that are safe to repeat are retried. Defaults to 4. */
  readonly retries?: number | undefined;
  /** Headers that are sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The function that sends the requests. Defaults to the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/**
 * A client for a Parley service, with a method for each operation. A failed call throws `ParleyError`. Unknown
 * parameters and fields are rejected instead of ignored.
 *
 * A failed call is only retried if it is safe to repeat. Safe calls are `GET`, `PUT` and `DELETE`, and operations that
 * the service performs once per `Idempotency-Key`. The client generates this key. Other calls are only retried after
 * status 429, because a call that was rejected with 429 had no effect.
 */
export class ParleyClient extends Operations {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    super();
    this.#options = options;
  }

  protected async call<Answer>(operation: Operation, input: CallInput, options: CallOptions): Promise<Answer> {
    if (options.onTold) return this.#callAsItComes(operation, input, { ...options, onTold: options.onTold });
    const response = await this.open(operation, input, options);
    const answer: Answer = await response.json();
    return answer;
  }

  protected async open(operation: Operation, input: CallInput, options: CallOptions): Promise<Response> {
    const { url, init } = this.#request(operation, input, options);
    const { retries = 4, fetch: send = (address: string, request: RequestInit) => fetch(address, request) } =
      this.#options;
    for (let tried = 0; ; tried++) {
      const failed = await send(url, init).then(
        async (response) => (response.ok ? response : errorOf(response)),
        (cause: unknown) => noAnswer(cause, options.signal),
      );
      if (failed instanceof Response) return failed;
      if (tried >= retries || !mayTryAgain(operation, failed)) throw failed;
      await waitFor(delayMs(failed, tried), options.signal);
    }
  }

  /**
   * Calls a streaming operation. If the stream is interrupted, repeats the request with the same key and continues
   * after the last received event.
   */
  async #callAsItComes<Answer>(
    operation: Operation,
    input: CallInput,
    { onTold, ...options }: CallOptions & { readonly onTold: (told: Told) => void },
  ): Promise<Answer> {
    const { retries = 4 } = this.#options;
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    let after: string | undefined;
    for (let broken = 0; ; broken++) {
      const position = after === undefined ? {} : { "last-event-id": after };
      const headers = { ...options.headers, accept: "application/json, text/event-stream", ...position };
      const response = await this.open(operation, input, { ...options, idempotencyKey, headers });
      if (!isEvents(response)) {
        const answer: Answer = await response.json();
        return answer;
      }
      const read = await readStep<Answer>(response, onTold);
      if (read.kind === "answered") return read.answer;
      const failed = noAnswer(read.cause ?? "The connection was closed", options.signal);
      // A stream that made progress may be interrupted any number of times.
      if (read.lastId !== undefined) broken = 0;
      if (broken >= retries) throw failed;
      after = read.lastId ?? after;
      await waitFor(delayMs(failed, broken), options.signal);
    }
  }

  protected async *each<Entry>(
    page: (
      cursor: string | undefined,
    ) => Promise<{ readonly entries: readonly Entry[]; readonly next: string | undefined }>,
  ): AsyncGenerator<Entry, void, undefined> {
    let cursor: string | undefined;
    do {
      const { entries, next } = await page(cursor);
      yield* entries;
      cursor = next;
    } while (cursor !== undefined);
  }

  #request({ method, path, isChat, body, hasKey }: Operation, input: CallInput, options: CallOptions) {
    const { baseUrl, chatUrl = baseUrl, token, headers } = this.#options;
    const { body: content, ...rest } = input;
    const query = new Map(Object.entries(rest));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = query.get(name);
      query.delete(name);
      return encodeURIComponent(String(value));
    });
    const url = new URL(filled, isChat ? chatUrl : baseUrl);
    // Sends all input except the body and the path parameters as query parameters, so that the service reports unknown
    // names.
    for (const [name, value] of query) addQuery(url.searchParams, name, value);
    const sent = {
      prefer: "handling=strict",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body === "json" && { "content-type": "application/json" }),
      ...(hasKey && { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }),
      ...headers,
      ...options.headers,
    };
    const init: RequestInit = { method, headers: sent };
    if (options.signal) init.signal = options.signal;
    if (body === "json") init.body = JSON.stringify(content ?? {});
    if (body === "raw") Object.assign(init, { body: content });
    return { url: url.href, init };
  }
}

/** Adds a query parameter. A record is sent as one parameter for each of its keys, such as `variables.email`. */
function addQuery(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") search.append(name, String(value));
  else for (const [key, one] of Object.entries(value)) search.append(`${name}.${key}`, String(one));
}

/**
 * Returns the error for a call without a response. Throws the reason of the caller's signal if the caller aborted the
 * call.
 */
function noAnswer(cause: unknown, signal: AbortSignal | undefined): ParleyError {
  if (signal?.aborted) throw signal.reason;
  const message = `The service could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new ParleyError({ code: "network.failed", status: 0, message, requestId: undefined }, { cause });
}

/**
 * Whether a failed call may be retried. A call that was rejected with 429 had no effect. Any other call must be safe to
 * repeat, and its failure must be one that may be temporary.
 */
function mayTryAgain({ method, hasKey }: Operation, { status, retryAfterSeconds }: ParleyError): boolean {
  if (status === 429) return true;
  const isSafe = hasKey || method === "GET" || method === "PUT" || method === "DELETE";
  return isSafe && (status === 0 || status === 502 || status === 504 || retryAfterSeconds !== undefined);
}

/**
 * Returns the delay that the service requests, if any. Otherwise, returns a quarter of a second, doubled with each
 * attempt up to eight seconds, with a random deviation of up to 25 %.
 */
function delayMs({ retryAfterSeconds }: ParleyError, tried: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000;
  return Math.min(250 * 2 ** tried, 8_000) * (0.75 + Math.random() / 2);
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
