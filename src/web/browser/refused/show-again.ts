import type { ViewState } from "../../components/Chat.tsx";
import { takesText } from "../../components/inputs/index.ts";
import { loadKinds } from "../../components/load-kinds.ts";
import { flagAt, numberAt } from "../../conversation/read.ts";
import { type Input, type Message, type PendingMessage, readSession } from "../../conversation/step.ts";
import { conversationOf } from "../../conversation/transcript.ts";
import { adopt, type Chat, remember } from "../chat-state.ts";
import { asRefused, Refused } from "../transport.ts";
import { notEarly } from "../view.ts";
import { errorText, showOver } from "./refusals.ts";

/** A message that was refused, and the page's next acts. */
type Unsent = PendingMessage & {
  /** The question that the page showed. */
  readonly asked: Input | undefined;
  say(chat: Chat, message: Message, afterRevision: number): Promise<void>;
  resumeLastStep(chat: Chat): Promise<void>;
};

/**
 * Shows the chat as the service has it, with the reason why a message did not count. It is sent again where the
 * question that the page showed is still open; else its words stay in the field.
 */
export async function showAsItIs(chat: Chat, error: Refused, unsent: Unsent): Promise<void> {
  const { code, data } = error;
  const { message, asked, isAgain, say, resumeLastStep } = unsent;
  if (code === "session.expired" || code === "session.not_found") {
    showOver(chat, code === "session.expired" ? chat.words.expired : chat.words.over);
    return;
  }
  chat.earlyForm = undefined;
  const revision = flagAt(data, "isStillAsked") && !isAgain ? numberAt(data, "revision") : undefined;
  const isMoved = code === "session.moved_on" || code === "session.nothing_to_repeat";
  const text = isMoved ? chat.words.moved : errorText(chat, error);
  // The page reports by itself what an action led to, a payment and an event of an embedded page.
  const isSaid = asked && asked.type !== "payment input" && message?.type !== "command" && !isAgain;
  const isShown = await showAgain(chat, {
    ...notEarly,
    draft: isSaid && takesText(asked) && message?.type === "text" ? message.text : undefined,
    notice: (isSaid || isAgain) && revision === undefined ? { text, isError: true } : undefined,
  });
  if (!isShown) return;
  // If nothing is asked any more, nobody can answer.
  if (chat.view.state().isEnded && !isAgain) chat.view.update({ notice: undefined });
  chat.isBusy = true;
  return revision === undefined ? resumeLastStep(chat) : say(chat, message, revision);
}

/** Shows the chat afresh, as the service has it: it may have gone on in another tab. False if it cannot be read. */
export async function showAgain(chat: Chat, shown: Partial<ViewState>): Promise<boolean> {
  const { session, transport, view } = chat;
  if (!session) return false;
  chat.isBusy = true;
  const snapshot = await transport.read(session.id).then(readSession).catch(asRefused);
  chat.isBusy = false;
  if (snapshot instanceof Refused) {
    view.update({ notice: { text: errorText(chat, snapshot), isError: true } });
    return false;
  }
  adopt(chat, snapshot);
  remember(chat);
  await loadKinds(snapshot.steps);
  view.update({ ...conversationOf(snapshot.steps), error: undefined, isTyping: false, ...shown });
  return true;
}
