import type { Entry } from "../conversation/transcript.ts";
import type { Chat } from "./chat-state.ts";
import type { Trouble } from "./transport.ts";

/** Whether an entry is an answer that is still being sent. */
export function isUnsent(entry: Entry): boolean {
  return entry.kind === "answer" && entry.answer.isUnderWay === true;
}

/** Shows that requests fail; undefined removes the notice. */
export function showTrouble(chat: Chat, trouble: Trouble | undefined): void {
  const { words, view, transport } = chat;
  // Removes only a notice that this function has shown.
  if (trouble === undefined && chat.trouble === undefined) return;
  chat.trouble = trouble;
  const action = { label: words.tryAgain, run: transport.retryNow };
  view.update({ notice: trouble && { text: troubleText(chat, trouble), isError: true, action } });
}

function troubleText({ words, isArriving }: Chat, trouble: Trouble): string {
  if (trouble === "busy") return words.busy;
  // The service has received the message: its answer waits for the connection.
  if (isArriving) return words.answerWaits;
  return navigator.onLine ? words.retrying : words.offline;
}
