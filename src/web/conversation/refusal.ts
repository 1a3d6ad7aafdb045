import { filledTextAt, numberAt, textAt } from "./read.ts";
import type { PageSettings } from "./settings.ts";
import type { Input } from "./step.ts";
import type { Words } from "./words.ts";

/** The facts that decide the text of a refusal: the input that is asked again, and the author's messages. */
export type RefusalContext = {
  readonly input: Input;
  readonly settings: Pick<PageSettings, "systemMessages">;
  readonly words: Words;
};

/**
 * Why a reply was refused. `fromService` is a code of `refusalOf` or the service's sentence: the author's if the input
 * or the bot has one, otherwise one in English, which the page replaces by its own words.
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
 * Why the page itself refuses a reply: the author's sentence for this input; otherwise the author's sentence for the
 * whole bot, followed by the problem in the page's words; otherwise only these words.
 */
export function ownRefusalText(
  fromPage: string,
  { input, settings: { systemMessages } }: Pick<RefusalContext, "input" | "settings">,
): string {
  const { invalidMessage } = systemMessages;
  const own = filledTextAt(input, "options", "retryMessageContent");
  return own ?? (invalidMessage ? `${invalidMessage} ${fromPage}` : fromPage);
}

/** The parts of an API error that pages use. */
export type ApiError = ReturnType<typeof readApiError>;

/** Reads the body of an error; `code` is empty if the body does not come from this service. */
export function readApiError(body: unknown) {
  return {
    code: textAt(body, "code") ?? "",
    /** English, for programmers; the author's own sentence if the bot is closed. */
    message: textAt(body, "message") ?? "",
    maxBytes: numberAt(body, "data", "maxBytes"),
  };
}
