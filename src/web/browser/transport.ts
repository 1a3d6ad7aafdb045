import { at, numberAt } from "../conversation/read.ts";
import { readApiError } from "../conversation/refusal.ts";
import type { Message } from "../conversation/step.ts";
import type { Uploaded, UploadOptions } from "./upload.ts";

/** What keeps a request from getting through, while it is tried again. */
export type Trouble = "offline" | "busy";

/** The server refused a request, and would refuse it again. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What was thrown, where it is a refusal; whatever else is a bug. */
export function asRefused(error: unknown): Refused {
  if (!(error instanceof Refused)) throw error;
  return error;
}

export type Transport = {
  /** Starts a chat. The same key starts it once, however often it is sent. */
  start(body: object, key: string): Promise<unknown>;
  /** Says something. The same key says it once, however often it is sent. */
  say(sessionId: string, message: Message, key: string): Promise<unknown>;
  /** What was said in a session. */
  read(sessionId: string): Promise<unknown>;
  /** Tells the bot's author what went wrong in the browser. Nothing waits for it, and it may get lost. */
  log(sessionId: string, description: string, details: string): void;
  /** The form with its files stored at the service. */
  storeFiles(form: FormData, options: Omit<UploadOptions, "base">): Promise<Uploaded>;
  /** Tries again at once what waits to be tried again. */
  retryNow(): void;
};

/** Statuses that say: the same request later. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const longestPauseMs = 20_000;
/** Longer than the server ever takes. */
const patienceMs = 280_000;
/** An error of the server's own is tried so often: it may be a node that is going down, or a bug. */
const triesAfterError = 3;

/**
 * Talks to the service at `base` (empty: where the page is from). What does not get through is tried again, with the same key,
 * until it does or is refused; `onTrouble` hears of it, and of its end.
 */
export function createTransport(
  { base, publicId, framedBy }: { base: string; publicId: string; framedBy: string | undefined },
  onTrouble: (trouble: Trouble | undefined) => void,
): Transport {
  let wake = (): void => {};
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        removeEventListener("online", finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      addEventListener("online", finish);
      wake = finish;
    });
  const headers = {
    "Content-Type": "application/json",
    ...(framedBy && { "X-Parley-Iframe-Referrer-Origin": framedBy }),
  };
  const post = (path: string, body: object, key: string): Promise<unknown> =>
    surely({
      url: base + path,
      init: { method: "POST", headers: { ...headers, "Idempotency-Key": key }, body: JSON.stringify(body) },
    });

  const surely = async ({ url, init }: { url: string; init: RequestInit }): Promise<unknown> => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await once(url, init);
      if (outcome.kind === "answered") {
        if (attempt > 0) onTrouble(undefined);
        return outcome.value;
      }
      if (outcome.kind === "refused" || (outcome.isError && attempt >= triesAfterError)) {
        onTrouble(undefined);
        throw outcome.error;
      }
      onTrouble(outcome.trouble);
      await pause(outcome.afterMs ?? Math.min(longestPauseMs, 500 * 2 ** attempt * (0.75 + Math.random() / 2)));
    }
  };
  return {
    start: (body, key) => post(`/api/v1/bots/${encodeURIComponent(publicId)}/startChat`, body, key),
    say: (sessionId, message, key) => post(`/api/v1/sessions/${sessionId}/continueChat`, { message }, key),
    async read(sessionId) {
      return at(await surely({ url: `${base}/api/v1/sessions/${sessionId}`, init: { headers } }), "session");
    },
    log(sessionId, description, details) {
      const body = JSON.stringify({ clientLogs: [{ status: "error", description, details: details.slice(0, 900) }] });
      // A log that does not arrive is no trouble of the visitor's.
      fetch(`${base}/api/v1/sessions/${sessionId}/clientLogs`, { method: "POST", headers, body }).catch(() => {});
    },
    async storeFiles(form, options) {
      const { uploadFiles } = await import("./upload.ts");
      return uploadFiles(form, { ...options, base });
    },
    retryNow: () => wake(),
  };
}

type Outcome =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "refused"; readonly error: Refused }
  | {
      readonly kind: "again";
      readonly trouble: Trouble;
      readonly isError: boolean;
      readonly error: Refused;
      readonly afterMs: number | undefined;
    };

async function once(url: string, init: RequestInit): Promise<Outcome> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return { kind: "answered", value: body };
    const { code, message } = readApiError(body);
    const error = new Refused(code || String(response.status), message);
    const isPassing = response.ok || passing.has(response.status);
    if (!isPassing) return { kind: "refused", error };
    const seconds = numberAt({ after: response.headers.get("retry-after") }, "after");
    const afterMs = seconds === undefined ? undefined : Math.min(longestPauseMs, seconds * 1000);
    return { kind: "again", trouble: "busy", isError: response.status === 500, error, afterMs };
  } catch (error) {
    // The only thing that fetch throws for is that nothing came back.
    const unheard = new Refused("network", error instanceof Error ? error.message : "");
    return { kind: "again", trouble: "offline", isError: false, error: unheard, afterMs: undefined };
  }
}
