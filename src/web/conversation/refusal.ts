import { fileSizeText } from "./files.ts";
import { filledTextAt, numberAt, textAt } from "./read.ts";
import type { PageSettings } from "./settings.ts";
import type { Input } from "./step.ts";
import type { Words } from "./words.ts";

/** What a refusal is judged by: the input that is asked again, and what the bot's author has said. */
export type RefusalContext = {
  readonly input: Input;
  readonly settings: Pick<PageSettings, "systemMessages">;
  readonly words: Words;
};

/**
 * Why a reply was refused: `told` is the service's sentence. Where neither the input nor the bot has a sentence of its author for
 * that, the service has said its own, in English, and the page says it in its language.
 */
export function refusalText(told: string, { input, settings, words }: RefusalContext): string {
  if (filledTextAt(input, "options", "retryMessageContent") !== undefined) return told;
  switch (input.type) {
    case "email input":
      return words.emailRefused;
    case "payment input":
      return words.payFailed;
    default:
      return settings.systemMessages.invalidMessage ? told : words.invalidMessage;
  }
}

/** An error of the API, as far as it decides what a page says. */
export type ApiError = {
  readonly code: string;
  /** In English, for programmers; in a bot's own words where it is closed. */
  readonly message: string;
  /** The largest file that would have been taken. */
  readonly maxBytes?: number | undefined;
};

/** Reads the body of an error; what is no error of ours has no code. */
export function readApiError(body: unknown): ApiError {
  return {
    code: textAt(body, "code") ?? "",
    message: textAt(body, "message") ?? "",
    maxBytes: numberAt(body, "data", "maxBytes"),
  };
}

/** Why a file was not taken, in the page's words. */
export function uploadErrorText({ code, maxBytes }: ApiError, name: string, words: Words): string {
  switch (code) {
    case "upload.type_not_allowed":
      return words.fileTypeRefused;
    case "upload.size_not_allowed":
    case "request.too_large":
      return maxBytes === undefined
        ? words.fileTooLarge
        : fileSizeText({ name, megabytes: maxBytes / 1024 / 1024 }, words);
    case "upload.too_many":
      return words.fileTooMany;
    case "upload.empty":
      return words.fileEmpty;
    default:
      return words.fileUploadError;
  }
}
