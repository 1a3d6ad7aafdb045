import type { Chat } from "../chat-state.ts";

/** Shows the additional features that a chat's bot offers, according to `settings.answers`. */
export async function showActs(chat: Chat): Promise<void> {
  const { canCopy, canTryAgain, isRated, areTimesShown, hasNewChat, hasEarlierChats } = chat.settings.answers;
  const [acts, others] = await Promise.all([
    canCopy || canTryAgain || isRated || areTimesShown ? import("./message-acts.ts") : undefined,
    hasNewChat || hasEarlierChats ? import("./other-chats.ts") : undefined,
    import("../../conversation/rare-words.ts"),
  ]);
  chat.view.update({ acts: acts?.actsOf(chat), others: others?.othersOf(chat) });
}
