import { errorOf, ParleyError } from "./error.ts";
import { Operations } from "./generated.ts";
import type { CallInput, CallOptions, Operation } from "./operation.ts";
import { isEvents, readStep, type Told } from "./told.ts";

export type ClientOptions = {
  /** The address of the service, such as `https://bots.example.com`. */
  readonly baseUrl: string;
  /** The address of chats, if it differs (`CHAT_URL` of the service). */
  readonly chatUrl?: string | undefined;
  /** An API token, `parley_…`. Chats require no token; do not use a token in browsers. */
  readonly token?: string | undefined;
  /** How often a failed call is retried if a retry is safe. Defaults to 4. */
  readonly retries?: number | undefined;
  /** Headers that are sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The function that sends the requests. Defaults to the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/**
 * A client for a Parley service, with a method for each operation. A failed call throws `ParleyError`. Names that the
 * service does not know are rejected instead of ignored.
 *
 * Unanswered calls are retried if this is safe: reads, and operations that the service performs once per
 * `Idempotency-Key`, which the client generates. Other calls are only retried if the service reports that the call had
 * no effect.
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

  /** Repeats a request whose stream was interrupted, with the same key and from the last received event. */
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
    // All input that is not part of the path is sent as query parameters, because the service reports unknown names.
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

/** A record is sent as one parameter for each of its keys, such as `variables.email`. */
function addQuery(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") search.append(name, String(value));
  else for (const [key, one] of Object.entries(value)) search.append(`${name}.${key}`, String(one));
}

/** An aborted request throws the reason of the caller's own signal. */
function noAnswer(cause: unknown, signal: AbortSignal | undefined): ParleyError {
  if (signal?.aborted) throw signal.reason;
  const message = `The service could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new ParleyError({ code: "network.failed", status: 0, message, requestId: undefined }, { cause });
}

/**
 * A temporary rejection had no effect. A call with a missing or unclear response may only be retried if the operation
 * is idempotent.
 */
function mayTryAgain({ method, hasKey }: Operation, { status, retryAfterSeconds }: ParleyError): boolean {
  if (status === 429) return true;
  const isSafe = hasKey || method === "GET" || method === "PUT" || method === "DELETE";
  return isSafe && (status === 0 || status === 502 || status === 504 || retryAfterSeconds !== undefined);
}

/**
 * Returns the delay that the service requests. Otherwise, the delay is a quarter of a second, doubled each time up to
 * eight seconds, with some jitter.
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
