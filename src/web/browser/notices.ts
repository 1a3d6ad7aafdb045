import type { Message } from "../conversation/step.ts";
import type { Entry } from "../conversation/transcript.ts";
import type { Chat } from "./chat-state.ts";
import type { Refused, Trouble } from "./transport.ts";

/** What was refused, and how it is said once more. */
type Attempt = {
  readonly message: Message;
  /** What was shown before it was said. */
  readonly entries: readonly Entry[];
  sayAgain(): void;
};

/** Nothing that was typed is lost: the input is there again, or a button that says the same once more. */
export function showRefused(chat: Chat, error: Refused, { message, entries, sayAgain }: Attempt): void {
  const { view, words } = chat;
  view.show({ isTyping: false });
  if (error.code.startsWith("session.") || error.code === "workspace.suspended") {
    chat.memory.forget();
    showOver(chat, { text: error.code === "session.expired" ? words.expired : words.over, isError: true });
    return;
  }
  const text = errorText(chat, error);
  const input = chat.steps.at(-1)?.input;
  if (input) {
    view.show({ entries, input, error: text, draft: message?.type === "text" ? message.text : undefined });
    return;
  }
  view.show({ notice: { text, isError: true, action: { label: words.tryAgain, run: sayAgain } } });
}

/** The chat did not come about. */
export function showNotStarted(chat: Chat, error: Refused): void {
  // What is wrong with a start is the name of its bot: the rest of it is the page's own.
  const text = error.code === "request.invalid" ? chat.words.notFoundTitle : errorText(chat, error);
  const notice = { text, isError: true };
  chat.view.show({ input: undefined, isTyping: false, notice });
}

/** The chat has come to its end; another may be started. */
export function showOver(chat: Chat, { text, isError }: { text: string; isError: boolean }): void {
  const action = { label: chat.words.startAgain, run: chat.startAgain };
  chat.view.show({ notice: { text, isError, action } });
}

/** Requests do not get through at the moment; undefined: they do again. */
export function showTrouble(chat: Chat, trouble: Trouble | undefined): void {
  const { words } = chat;
  // Other notices are not the connection's to take away.
  if (trouble === undefined && chat.trouble === undefined) return;
  chat.trouble = trouble;
  const text = trouble === "offline" ? (navigator.onLine ? words.retrying : words.offline) : words.busy;
  const action = { label: words.tryAgain, run: chat.transport.retryNow };
  chat.view.show({ notice: trouble && { text, isError: true, action } });
}

/** An error of the API as visitors can make something of it: where they cannot, its message is all that there is. */
function errorText({ words }: Chat, { code, message }: Refused): string {
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
