import type { Control } from "../components/ControlForm.tsx";
import { transcriptName, transcriptText } from "../components/transcript/transcript-text.ts";
import { textAt } from "../conversation/read.ts";
import { newKey } from "../conversation/step.ts";
import type { Chat } from "./chat-state.ts";
import { resumeLastStep } from "./exchange.ts";
import { errorText } from "./refused/refusals.ts";
import { showAgain } from "./refused/show-again.ts";
import { asRefused, Refused } from "./transport.ts";

/** Features that few bots offer. They are loaded at their first use. */
export const controls: Readonly<Record<Control, (chat: Chat, title: string) => void>> = {
  goBack,
  saveTranscript,
};

/**
 * Goes back to the last answer: reopens its input with the answer, so that the visitor can change it. If the chat has
 * continued in another tab, no answer is undone, and the current chat is shown. Ignored while the chat is busy.
 */
async function goBack(chat: Chat): Promise<void> {
  const { session, transport } = chat;
  if (!session || chat.isBusy) return;
  chat.isBusy = true;
  const response = await transport.goBack(session.id, newKey(), chat.revision).catch(asRefused);
  chat.isBusy = false;
  const isMoved = response instanceof Refused && response.code === "session.moved_on";
  if (response instanceof Refused && !isMoved) return showNoWayBack(chat, response);
  const notice = isMoved ? { text: chat.words.moved, isError: true } : undefined;
  const isShown = await showAgain(chat, { draft: textAt(response, "takenBack", "reply", "text"), notice });
  if (!isShown) return;
  chat.isBusy = true;
  // Resuming the step also continues the time limit of its question.
  return resumeLastStep(chat);
}

function showNoWayBack(chat: Chat, error: Refused): void {
  chat.view.update({ notice: { text: reasonOf(error, chat), isError: true } });
}

function reasonOf(error: Refused, chat: Chat): string {
  switch (error.code) {
    case "session.nothing_before":
    case "session.go_back_not_allowed":
      return chat.words.noWayBack;
    case "payment.made":
      return chat.words.payMade;
    case "payment.provider_failed":
      return chat.words.failed;
    default:
      return errorText(chat, error);
  }
}

/** Saves the conversation as a text file through the browser. */
function saveTranscript({ view, words }: Chat, title: string): void {
  const text = transcriptText(view.state().entries, { title, words, now: new Date() });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = transcriptName(title);
  link.click();
  URL.revokeObjectURL(link.href);
}
