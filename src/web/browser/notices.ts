import type { Entry } from "../conversation/transcript.ts";
import type { Chat } from "./chat-state.ts";
import type { Trouble } from "./transport.ts";

/** Whether an entry is an answer that is still being sent. */
export function isUnsent(entry: Entry): boolean {
  return entry.kind === "answer" && entry.answer.isUnderWay === true;
}

/** Shows that requests fail. Undefined removes the notice. */
export function showTrouble(chat: Chat, trouble: Trouble | undefined): void {
  const { words, view, transport } = chat;
  // A notice that does not come from a failed request is not removed.
  if (trouble === undefined && chat.trouble === undefined) return;
  chat.trouble = trouble;
  const action = { label: words.tryAgain, run: transport.retryNow };
  view.update({ notice: trouble && { text: troubleText(chat, trouble), isError: true, action } });
}

function troubleText({ words, isArriving }: Chat, trouble: Trouble): string {
  if (trouble === "busy") return words.busy;
  // The service has received the message, and the answer is delayed by the connection.
  if (isArriving) return words.answerWaits;
  return navigator.onLine ? words.retrying : words.offline;
}
