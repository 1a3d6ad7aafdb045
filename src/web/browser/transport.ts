import { at } from "../conversation/read.ts";
import { readApiError } from "../conversation/refusal.ts";
import type { Message } from "../conversation/step.ts";
import type { Uploaded, UploadOptions } from "./upload.ts";

/** Why a request does not get through, while it is retried. */
export type Trouble = "offline" | "busy";

/** The server refused a request; a retry would be refused, too. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns a thrown `Refused`; rethrows anything else, which is a bug. */
export function asRefused(error: unknown): Refused {
  if (!(error instanceof Refused)) throw error;
  return error;
}

export type Transport = {
  /** Starts a chat; once for each key, however often the request is sent. */
  start(body: object, key: string): Promise<unknown>;
  /** Sends a message; once for each key, however often the request is sent. */
  say(sessionId: string, message: Message, key: string): Promise<unknown>;
  /** Takes the last answer back; once for each key, however often the request is sent. */
  goBack(sessionId: string, key: string): Promise<unknown>;
  /** Reads a session's history. */
  read(sessionId: string): Promise<unknown>;
  /** Logs an error of the browser for the bot's author. Nothing waits for it, and it may get lost. */
  log(sessionId: string, description: string, details: string): void;
  /** Uploads a form's files, and returns the form with their addresses. */
  storeFiles(form: FormData, options: Omit<UploadOptions, "base">): Promise<Uploaded>;
  /** Ends the pause before the next retry. */
  retryNow(): void;
};

/** Statuses below 500 after which the same request is retried. */
const retryableStatuses = [408, 409, 425, 429];
const maxPauseMs = 20_000;
/** The longest wait that a service can ask for. */
const maxToldPauseMs = 600_000;
/** Longer than the server ever takes to respond. */
const timeoutMs = 280_000;
/** How often a 500 is retried: it may be a node that is going down, or a bug. */
const maxServerErrorRetries = 3;

/**
 * Talks to the service at `base` (empty: the page's own origin). A request that does not get through is retried with the same
 * key until it does or is refused; `onTrouble` is told why, and gets undefined when it is over.
 */
export function createTransport(
  { base, publicId, framedBy }: { base: string; publicId: string; framedBy: string | undefined },
  onTrouble: (trouble: Trouble | undefined) => void,
): Transport {
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
  };
  const post = (path: string, body: object, key: string): Promise<unknown> =>
    sendWithRetries({
      url: base + path,
      init: { method: "POST", headers: { ...headers, "Idempotency-Key": key }, body: JSON.stringify(body) },
    });

  const sendWithRetries = async ({ url, init }: { url: string; init: RequestInit }): Promise<unknown> => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendOnce(url, init);
      if (outcome.kind === "answered") {
        if (attempt > 0) onTrouble(undefined);
        return outcome.value;
      }
      if (outcome.kind === "refused" || (outcome.isError && attempt >= maxServerErrorRetries)) {
        onTrouble(undefined);
        throw outcome.error;
      }
      onTrouble(outcome.trouble);
      await pause(outcome.afterMs ?? Math.min(maxPauseMs, 500 * 2 ** attempt * (0.75 + Math.random() / 2)));
    }
  };
  return {
    start: (body, key) => post(`/api/v1/bots/${encodeURIComponent(publicId)}/startChat`, body, key),
    say: (sessionId, message, key) => post(`/api/v1/sessions/${sessionId}/continueChat`, { message }, key),
    goBack: (sessionId, key) => post(`/api/v1/sessions/${sessionId}/goBack`, {}, key),
    async read(sessionId) {
      return at(await sendWithRetries({ url: `${base}/api/v1/sessions/${sessionId}`, init: { headers } }), "session");
    },
    log(sessionId, description, details) {
      const body = JSON.stringify({ clientLogs: [{ status: "error", description, details: details.slice(0, 900) }] });
      // A lost log must not disturb the visitor.
      fetch(`${base}/api/v1/sessions/${sessionId}/clientLogs`, { method: "POST", headers, body }).catch(() => {});
    },
    async storeFiles(form, options) {
      const { uploadFiles } = await import("./upload.ts");
      return uploadFiles(form, { ...options, base });
    },
    retryNow: () => endPause(),
  };
}

type Outcome =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "refused"; readonly error: Refused }
  | {
      readonly kind: "retry";
      readonly trouble: Trouble;
      readonly isError: boolean;
      readonly error: Refused;
      readonly afterMs: number | undefined;
    };

async function sendOnce(url: string, init: RequestInit): Promise<Outcome> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return { kind: "answered", value: body };
    const { code, message } = readApiError(body);
    const error = new Refused(code || String(response.status), message);
    const isRetryable =
      code !== "session.nothing_before" &&
      (response.ok || response.status >= 500 || retryableStatuses.includes(response.status));
    if (!isRetryable) return { kind: "refused", error };
    const toldMs = Number(response.headers.get("retry-after")) * 1000;
    const afterMs = toldMs > 0 ? Math.min(maxToldPauseMs, toldMs) : undefined;
    return { kind: "retry", trouble: "busy", isError: response.status === 500, error, afterMs };
  } catch (error) {
    // fetch throws only where no response came back.
    const networkError = new Refused("network", error instanceof Error ? error.message : "");
    return { kind: "retry", trouble: "offline", isError: false, error: networkError, afterMs: undefined };
  }
}
