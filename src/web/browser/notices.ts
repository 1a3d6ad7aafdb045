import type { Message } from "../conversation/step.ts";
import type { Entry } from "../conversation/transcript.ts";
import { inWords } from "../conversation/words.ts";
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
  const text = refusalText(chat, error);
  const input = chat.steps.at(-1)?.input;
  if (input) {
    view.show({ entries, input, error: text, draft: message?.type === "text" ? message.text : undefined });
    return;
  }
  view.show({ notice: { text, isError: true, action: { label: words.tryAgain, run: sayAgain } } });
}

/** The chat did not come about. */
export function showNotStarted(chat: Chat, error: Refused): void {
  const notice = { text: refusalText(chat, error), isError: true };
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

function refusalText({ words }: Chat, error: Refused): string {
  return inWords(error.message, words) || words.failed;
}
