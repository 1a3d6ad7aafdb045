import { FormatRegistry, Type } from "@sinclair/typebox";
import { limits } from "./index.ts";

/**
 * With the longest pauses, this number of event retries takes a month, and this number of delivery attempts takes four
 * days.
 */
const mostPauses = 30;
const mostAttempts = 30;

/** The settings for retries of outbound events, mails, and calls to services. */
export const retrySettings = {
  EVENT_RETRY_SECONDS: Type.String({
    default: limits.events.retrySeconds.join(","),
    format: "pauses",
    description:
      "Comma-separated pauses in seconds after failed attempts to deliver an outbound event. After the last pause, and after three days at the latest, the event fails permanently. A receiver can request a longer pause with `Retry-After`.",
    expected: `1 to ${mostPauses} whole numbers from 1 to ${limits.events.retryAfterSeconds}, separated by commas`,
  }),
  DELIVERY_ATTEMPTS: Type.Integer({
    default: limits.mails.attempts,
    minimum: 1,
    maximum: mostAttempts,
    description:
      "Maximum number of attempts to deliver an e-mail, or a call of a service whose response the flow does not use. The pauses between attempts increase from 10 seconds to 4 hours: 12 attempts take six to twelve hours.",
    expected: `a whole number from 1 to ${mostAttempts}`,
  }),
};

FormatRegistry.Set("pauses", (text) => {
  const pauses = text.split(",").map((entry) => entry.trim());
  const isPause = (entry: string): boolean =>
    /^[1-9]\d{0,6}$/.test(entry) && Number(entry) <= limits.events.retryAfterSeconds;
  return pauses.length <= mostPauses && pauses.every(isPause);
});

/** Parses a setting with pauses in seconds. */
export function readPauses(text: string): readonly number[] {
  return text.split(",").map(Number);
}
