import { at } from "../conversation/read.ts";
import { readApiError } from "../conversation/refusal.ts";
import type { PendingMessage } from "../conversation/step.ts";
import type { Uploaded, UploadOptions } from "./upload.ts";

/** Why a request fails, while it is being retried. */
export type Trouble = "offline" | "busy";

/** Thrown when the server rejects a request for good, or when the retries have failed. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;
  readonly data: unknown;

  constructor(code: string, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A request of the page, which may be sent several times. */
export type PageRequest = {
  readonly url: string;
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** The number of consecutive failures. */
  attempt: number;
};

/** Shows a step while it is being streamed, and returns its response. Throws if the connection is lost. */
export type OnStream = (response: Response, request: PageRequest) => Promise<Response>;

/** Returns a thrown `Refused`. Rethrows any other error, which is a bug. */
export function asRefused(error: unknown): Refused {
  if (!(error instanceof Refused)) throw error;
  return error;
}

export type Transport = ReturnType<typeof createTransport>;

export type OnceOptions = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
};

/** Statuses below 500 for which the same request is retried. */
const retryableStatuses = [408, 425, 429];
const maxPauseMs = 20_000;
/** The longest delay that the service can request. */
const maxRetryAfterMs = 600_000;
/** Longer than the server's longest response time. */
const timeoutMs = 280_000;
/** How often a request with status 500 is retried. The cause may be a node that is stopping, or a bug. */
const maxServerErrorRetries = 3;

type OnTrouble = (trouble: Trouble | undefined) => void;
type Endpoint = { base: string; publicId: string; framedBy?: string | undefined; word?: string | undefined };

/**
 * Communicates with the service at `base`, which is empty for the page's own origin. A failed request is retried with
 * the same key until it succeeds or is rejected. After status 500, it is retried only a few times. `onTrouble` is
 * called with the reason for a failure, and with undefined when the retries end.
 */
export function createTransport({ base, publicId, framedBy, word }: Endpoint, onTrouble: OnTrouble) {
  let endPause = (): void => {};
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        removeEventListener("online", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      addEventListener("online", end);
      endPause = end;
    });
  const headers = {
    "Content-Type": "application/json",
    ...(framedBy && { "X-Parley-Iframe-Referrer-Origin": framedBy }),
    ...(word && { "X-Parley-Page": word }),
  };
  const post = (path: string, body: object, key: string, onStream?: OnStream): Promise<unknown> => {
    const accept = onStream && { Accept: "application/json, text/event-stream" };
    const own = { ...headers, ...accept, "Idempotency-Key": key };
    return sendWithRetries({ url: base + path, method: "POST", headers: own, body: JSON.stringify(body) }, onStream);
  };

  const sendWithRetries = async (sent: Omit<PageRequest, "attempt">, onStream?: OnStream): Promise<unknown> => {
    for (const request = { ...sent, attempt: 0 }; ; request.attempt++) {
      const outcome = await sendOnce(request, onStream);
      const { attempt } = request;
      if ("value" in outcome) {
        if (attempt > 0) onTrouble(undefined);
        return outcome.value;
      }
      const { error, trouble, isError, afterMs } = outcome;
      const isOver = !trouble || (isError && attempt >= maxServerErrorRetries);
      onTrouble(isOver ? undefined : trouble);
      if (isOver) throw error;
      await pause(afterMs ?? Math.min(maxPauseMs, 500 * 2 ** attempt * (0.75 + Math.random() / 2)));
    }
  };
  return {
    post,
    /**
     * Starts a chat. Requests with the same key start only one chat. With `onStream`, the step may be shown while it is
     * running.
     */
    start: (body: object, key: string, onStream?: OnStream) =>
      post(`/api/v1/bots/${encodeURIComponent(publicId)}/startChat`, body, key, onStream),
    /**
     * Sends a message, or requests another answer to the last message. Repeated requests with the same key count once.
     */
    say: (sessionId: string, { message, key, afterRevision, isAgain }: PendingMessage, onStream?: OnStream) =>
      post(
        `/api/v1/sessions/${sessionId}/${isAgain ? "tryAgain" : "continueChat"}`,
        { ...(!isAgain && { message }), afterRevision },
        key,
        onStream,
      ),
    /** Undoes the last answer. Repeated requests with the same key undo it only once. */
    goBack: (sessionId: string, key: string, afterRevision: number | undefined) =>
      post(`/api/v1/sessions/${sessionId}/goBack`, { afterRevision }, key),
    /** Reads a session's history. */
    read: async (sessionId: string) =>
      at(await sendWithRetries({ url: `${base}/api/v1/sessions/${sessionId}`, headers }), "session"),
    /** Sends a request about a session without retries, and returns its response. */
    once: (sessionId: string, act: string, init: OnceOptions) =>
      fetch(`${base}/api/v1/sessions/${sessionId}/${act}`, { ...init, headers: { ...headers, ...init.headers } }),
    /**
     * Logs an error of the browser for the bot's author. The chat does not wait for the request, and a lost log entry
     * must not affect the visitor.
     */
    log(sessionId: string, description: string, details: string): void {
      const body = JSON.stringify({ clientLogs: [{ status: "error", description, details: details.slice(0, 900) }] });
      fetch(`${base}/api/v1/sessions/${sessionId}/clientLogs`, { method: "POST", headers, body }).catch(() => {});
    },
    /**
     * Uploads a form's files, and returns the form with the files' URLs, or the reason why the files were not stored.
     */
    async storeFiles(form: FormData, options: Omit<UploadOptions, "base" | "headers">): Promise<Uploaded> {
      const { uploadFiles } = await import("./upload.ts");
      return uploadFiles(form, { ...options, base, headers });
    },
    /** Ends the pause before the next retry. */
    retryNow: () => endPause(),
  };
}

/** The outcome of one attempt. `trouble` is set if a retry may succeed, and says why this attempt failed. */
type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: Refused;
      readonly trouble?: Trouble;
      readonly isError?: boolean;
      readonly afterMs?: number | undefined;
    };

async function sendOnce(request: PageRequest, onStream?: OnStream): Promise<Outcome> {
  try {
    let response = await fetch(request.url, { ...request, signal: AbortSignal.timeout(timeoutMs) });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && onStream) response = await onStream(response, request);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return { value: body };
    const { code, message } = readApiError(body);
    const error = new Refused(code || String(response.status), message, at(body, "data"));
    const isRetryable =
      response.ok || response.status >= 500 || code === "session.busy" || retryableStatuses.includes(response.status);
    if (!isRetryable) return { error };
    const retryAfterMs = Number(response.headers.get("retry-after")) * 1000;
    const afterMs = retryAfterMs > 0 ? Math.min(maxRetryAfterMs, retryAfterMs) : undefined;
    return { error, trouble: "busy", isError: response.status === 500, afterMs };
  } catch (error) {
    // There was no response, or the connection was lost during a stream.
    return { error: new Refused("network", error instanceof Error ? error.message : ""), trouble: "offline" };
  }
}
