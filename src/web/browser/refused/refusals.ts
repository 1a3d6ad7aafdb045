import type { Message } from "../../conversation/step.ts";
import type { Entry } from "../../conversation/transcript.ts";
import "../../conversation/rare-words.ts";
import type { Chat } from "../chat-state.ts";
import { isUnsent } from "../notices.ts";
import type { Refused } from "../transport.ts";
import { notEarly } from "../view.ts";

/** A refused message, and how to send it again. */
type Attempt = {
  readonly message: Message;
  /** The entries shown before it was sent. */
  readonly entries: readonly Entry[];
  retry(): void;
};

/**
 * Shows the input again with the typed text, or a button that sends the same message again, so that no typed text is
 * lost.
 */
export function showRefused(chat: Chat, error: Refused, { message, entries, retry }: Attempt): void {
  const { view, words } = chat;
  view.update({ isTyping: false, ...notEarly });
  chat.earlyForm = undefined;
  if (error.code.startsWith("session.") || error.code === "workspace.suspended") {
    chat.memory.forget();
    showOver(chat, error.code === "session.expired" ? words.expired : words.over);
    return;
  }
  const text = errorText(chat, error);
  const input = chat.steps.at(-1)?.input;
  if (input) {
    view.update({ entries, input, error: text, draft: message?.type === "text" ? message.text : undefined });
    return;
  }
  view.update({ notice: { text, isError: true, action: { label: words.tryAgain, run: retry } } });
}

/** The chat could not be started. */
export function showNotStarted(chat: Chat, error: Refused): void {
  // The page builds the whole request except the bot's public id: an invalid request means that there is no such bot.
  const text = error.code === "request.invalid" ? chat.words.notFoundTitle : errorText(chat, error);
  const notice = { text, isError: true };
  const entries = chat.view.state().entries.filter((entry) => !isUnsent(entry));
  chat.view.update({ entries, input: undefined, isTyping: false, notice });
}

/** The chat is over, but did not reach its end; if the bot allows it, a button starts another. */
export function showOver(chat: Chat, text: string): void {
  const action = chat.settings.mayStartAgain ? { label: chat.words.startAgain, run: chat.startAgain } : undefined;
  chat.view.update({ ...notEarly, isEnded: false, notice: { text, isError: true, action } });
}

/** An error of the API in the page's words; if the page has none for it, the error's own message. */
export function errorText({ words }: Chat, { code, message }: Refused): string {
  switch (code) {
    case "bot.closed":
    case "workspace.suspended":
      return words.botClosed;
    case "origin.not_allowed":
      return words.notAllowedHere;
    case "bot.not_found":
      return words.notFoundTitle;
    default:
      return message || words.failed;
  }
}
