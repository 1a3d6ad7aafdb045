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

/** A rejected message, and the functions with which the page continues. */
type Unsent = PendingMessage & {
  /** The question that the page showed. */
  readonly asked: Input | undefined;
  say(chat: Chat, message: Message, afterRevision: number): Promise<void>;
  resumeLastStep(chat: Chat): Promise<void>;
};

/**
 * Reloads the chat from the service after a message was rejected. If the message's question is still open, sends the
 * message again. If the session has expired or no longer exists, shows that the chat is over.
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
  // The page itself reports the outcome of an action, a payment or an event of an embedded page. The visitor did not
  // write these messages.
  const isSaid = asked && asked.type !== "payment input" && message?.type !== "command" && !isAgain;
  const isShown = await showAgain(chat, {
    ...notEarly,
    draft: isSaid && takesText(asked) && message?.type === "text" ? message.text : undefined,
    notice: (isSaid || isAgain) && revision === undefined ? { text, isError: true } : undefined,
  });
  if (!isShown) return;
  // If the chat has ended, the visitor cannot answer, so the notice is removed.
  if (chat.view.state().isEnded && !isAgain) chat.view.update({ notice: undefined });
  chat.isBusy = true;
  return revision === undefined ? resumeLastStep(chat) : say(chat, message, revision);
}

/**
 * Reloads the chat from the service, because it may have continued in another tab. Returns false if the session has not
 * started or cannot be read.
 */
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
