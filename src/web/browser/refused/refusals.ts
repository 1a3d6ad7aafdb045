import type { Message } from "../../conversation/step.ts";
import type { Entry } from "../../conversation/transcript.ts";
import "../../conversation/rare-words.ts";
import type { Chat } from "../chat-state.ts";
import { isUnsent } from "../notices.ts";
import type { Refused } from "../transport.ts";
import { notEarly } from "../view.ts";

/** A rejected message, and a function that sends it again. */
type Attempt = {
  readonly message: Message;
  /** The entries that were shown before the message was sent. */
  readonly entries: readonly Entry[];
  retry(): void;
};

/**
 * Shows why a message was rejected, with the input and the typed text, or with a button that sends the message again.
 * If the session can no longer be used, shows that the chat is over.
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

/** Shows that the chat could not be started. */
export function showNotStarted(chat: Chat, error: Refused): void {
  // The page builds the whole request except the bot's public id, so an invalid request means that the bot does not
  // exist.
  const text = error.code === "request.invalid" ? chat.words.notFoundTitle : errorText(chat, error);
  const notice = { text, isError: true };
  const entries = chat.view.state().entries.filter((entry) => !isUnsent(entry));
  chat.view.update({ entries, input: undefined, isTyping: false, notice });
}

/**
 * Shows that the chat is over although it has not reached its end. If the bot allows this, a button starts another
 * chat.
 */
export function showOver(chat: Chat, text: string): void {
  const action = chat.settings.mayStartAgain ? { label: chat.words.startAgain, run: chat.startAgain } : undefined;
  chat.view.update({ ...notEarly, isEnded: false, notice: { text, isError: true, action } });
}

/**
 * Returns the page's text for an API error. If the page has no text for the error, returns the error's own message or a
 * general text.
 */
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
