import { filledTextAt, numberAt, textAt } from "./read.ts";
import type { PageSettings } from "./settings.ts";
import type { Input } from "./step.ts";
import type { Words } from "./words.ts";

/** The facts that determine the text of a rejection. */
export type RefusalContext = {
  readonly input: Input;
  readonly settings: Pick<PageSettings, "systemMessages">;
  readonly words: Words;
};

/**
 * Returns why a reply was rejected. `fromService` is a code of `refusalOf` or the service's message. An author's
 * message for the input is returned unchanged. Where the service's message is in English, a text in the page's language
 * is returned instead.
 */
export function refusalText(fromService: string, { input, settings, words }: RefusalContext): string {
  if (fromService === "payment.processing") return words.payProcessing;
  if (fromService === "payment.checking") return words.payChecking;
  if (filledTextAt(input, "options", "retryMessageContent") !== undefined) return fromService;
  switch (input.type) {
    case "email input":
      return words.emailRefused;
    case "payment input":
      return words.payFailed;
    default:
      return settings.systemMessages.invalidMessage ? fromService : words.invalidMessage;
  }
}

/**
 * Returns why the page itself rejects a reply. The author's message for this input is preferred. Otherwise, the problem
 * is described in the page's language, after the author's message for the whole bot, if any.
 */
export function ownRefusalText(
  fromPage: string,
  { input, settings: { systemMessages } }: Pick<RefusalContext, "input" | "settings">,
): string {
  const { invalidMessage } = systemMessages;
  const own = filledTextAt(input, "options", "retryMessageContent");
  return own ?? (invalidMessage ? `${invalidMessage} ${fromPage}` : fromPage);
}

/** The parts of an API error that pages need. */
export type ApiError = ReturnType<typeof readApiError>;

/** Reads the body of an error. `code` is empty if the body does not come from this service. */
export function readApiError(body: unknown) {
  return {
    code: textAt(body, "code") ?? "",
    /** The message is in English and for developers. If the bot is closed, it is the author's own message. */
    message: textAt(body, "message") ?? "",
    maxBytes: numberAt(body, "data", "maxBytes"),
  };
}
