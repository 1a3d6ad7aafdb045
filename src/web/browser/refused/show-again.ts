import type { ViewState } from "../../components/Chat.tsx";
import { loadKinds } from "../../components/load-kinds.ts";
import { readSession } from "../../conversation/step.ts";
import { conversationOf } from "../../conversation/transcript.ts";
import { adopt, type Chat, remember } from "../chat-state.ts";
import { asRefused, Refused } from "../transport.ts";
import { errorText, showOver } from "./refusals.ts";

/** Shows the chat as the service has it, with the reason why the last answer was not written once more. */
export async function showAsItIs(chat: Chat, error: Refused): Promise<void> {
  const isGone = error.code === "session.expired" || error.code === "session.not_found";
  if (isGone) showOver(chat, error.code === "session.expired" ? chat.words.expired : chat.words.over);
  else {
    const isMoved = error.code === "session.moved_on" || error.code === "session.nothing_to_repeat";
    await showAgain(chat, { notice: { text: isMoved ? chat.words.moved : errorText(chat, error), isError: true } });
  }
}

/** Shows the chat afresh, as the service has it: it may have gone on in another tab. */
export async function showAgain(chat: Chat, shown: Partial<ViewState>): Promise<void> {
  const { session, transport, view } = chat;
  if (!session) return;
  chat.isBusy = true;
  const snapshot = await transport.read(session.id).then(readSession).catch(asRefused);
  chat.isBusy = false;
  if (snapshot instanceof Refused) {
    view.update({ notice: { text: errorText(chat, snapshot), isError: true } });
    return;
  }
  adopt(chat, snapshot);
  remember(chat);
  await loadKinds(snapshot.steps);
  view.update({ ...conversationOf(snapshot.steps), error: undefined, isTyping: false, ...shown });
}
