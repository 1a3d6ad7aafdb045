import type { Address, FailureClass, SendVerdict } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import type { Head, SendError } from "./sendings.sql.ts";

/** The next action for a message after an attempt to send it. */
export type Next =
  | { readonly kind: "accepted"; readonly providerId: string }
  /** The message is retried unchanged. */
  | { readonly kind: "again"; readonly inMs: number; readonly error: SendError | null }
  /**
   * The message is retried in a simpler form: with the file instead of its URL, with a link, or with numbered choices.
   */
  | { readonly kind: "simpler"; readonly as: "file" | "link" | "numbers"; readonly error: SendError }
  /** The message is retried at another address. */
  | { readonly kind: "moved"; readonly to: Address }
  /** The connection pauses its sending. `isRefused`: the provider refuses everything from the connection. */
  | { readonly kind: "paused"; readonly forMs: number; readonly isRefused: boolean; readonly error: SendError | null }
  | { readonly kind: "failed"; readonly error: SendError; readonly dropsRest: boolean };

export type Attempted = Pick<Head, "ageMs" | "attempts" | "hasChoices" | "errorClass" | "isGroup"> & {
  readonly hasMedia: boolean;
  /** Whether the file can be uploaded instead, because the provider was to fetch it by its URL. */
  readonly mayUpload: boolean;
};

/**
 * Decides the next action for a message. `attempts` counts the previous attempts. `chance` is from 0 to 1 and spreads
 * the retries of messages that failed together.
 */
export function nextAfter(
  verdict: SendVerdict,
  sending: Attempted,
  { inDoubt, chance }: { readonly inDoubt: "resend" | "skip"; readonly chance: number },
): Next {
  const { attempts } = sending;
  const again = (error: SendError, inMs: number): Next =>
    isTooLate(sending) ? failed(error) : { kind: "again", inMs: Math.round(inMs), error };
  switch (verdict.kind) {
    case "accepted":
      return verdict;
    case "moved":
      return sending.errorClass === "moved" ? failed(errorOf("unreachable", "moved")) : verdict;
    case "doubt": {
      const error = { class: "doubt", code: "", detail: "It is unknown whether the message was sent" } as const;
      return inDoubt === "skip" ? failed(error) : again(error, backOffMs(attempts, chance));
    }
    case "retry": {
      const { scope } = verdict;
      // Limits the pause, because an excessive pause from the provider would disable the connection permanently.
      const afterMs = Math.min(limits.channels.longestRefusedMs, verdict.afterMs ?? backOffMs(attempts, chance));
      const error = errorOf("pace", "429");
      if (scope === "contact") return again(error, afterMs);
      return isTooLate(sending) ? failed(error) : { kind: "paused", forMs: afterMs, isRefused: false, error };
    }
    case "failed":
      return afterFailure(verdict, sending, { again, chance });
    default:
      return verdict satisfies never;
  }
}

function afterFailure(
  verdict: Extract<SendVerdict, { kind: "failed" }>,
  sending: Attempted,
  { again, chance }: { again(error: SendError, inMs: number): Next; chance: number },
): Next {
  const { class: of, code, detail } = verdict;
  const error = errorOf(of, code, detail);
  switch (of) {
    case "passing":
    case "pace":
      return again(error, backOffMs(sending.attempts, chance));
    case "pair":
      return again(error, Math.min(limits.channels.longestRefusedMs, 1_000 * 4 ** Math.min(sending.attempts, 6)));
    case "auth":
    case "account":
      // Pauses are not counted as failed attempts: the message fails only when it has expired.
      if (sending.ageMs > limits.channels.retryHours * 3_600_000) return failed(error);
      return { kind: "paused", forMs: limits.channels.refusedMs, isRefused: true, error };
    case "unreachable":
      return { kind: "failed", error, dropsRest: true };
    case "media":
      if (sending.mayUpload) return { kind: "simpler", as: "file", error };
      return sending.hasMedia ? { kind: "simpler", as: "link", error } : failed(error);
    case "content":
      return sending.hasChoices && sending.errorClass !== "content"
        ? { kind: "simpler", as: "numbers", error }
        : failed(error);
    case "window":
      return failed(error);
    default:
      return of satisfies never;
  }
}

/** Returns the delay of the next retry: exponential back-off with full jitter. */
export function backOffMs(attempts: number, chance: number): number {
  return Math.max(50, chance * Math.min(limits.channels.longestRetryMs, 1_000 * 2 ** Math.min(attempts, 20)));
}

/** Whether a message must not be retried again. */
function isTooLate({ attempts, ageMs }: Pick<Attempted, "attempts" | "ageMs">): boolean {
  return attempts + 1 >= limits.channels.retries || ageMs > limits.channels.retryHours * 3_600_000;
}

function failed(error: SendError): Next {
  return { kind: "failed", error, dropsRest: false };
}

function errorOf(of: FailureClass, code: string, detail = ""): SendError {
  return { class: of, code, detail: detail.slice(0, 300) };
}
