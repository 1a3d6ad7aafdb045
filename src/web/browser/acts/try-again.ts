import type { Message, Reply } from "../../conversation/step.ts";
import { newKey } from "../../conversation/step.ts";
import type { Chat } from "../chat-state.ts";
import { exchange } from "../exchange.ts";

/** Sends the last message once more, for another answer in place of the last one. Loaded when a visitor asks for it. */
export async function tryAgain(chat: Chat): Promise<void> {
  const { view, steps, isBusy } = chat;
  const { reply, canTryAgain } = steps.at(-1) ?? {};
  if (isBusy || !canTryAgain || !reply) return;
  const { entries } = view.state();
  chat.steps = steps.slice(0, -1);
  view.update({
    entries: entries.slice(
      0,
      entries.findLastIndex(({ kind }) => kind === "answer"),
    ),
  });
  return exchange(chat, {
    message: messageOf(reply),
    key: newKey(),
    isAgain: true,
    afterRevision: chat.revision,
  });
}

/** The message that a history has as this. */
function messageOf({ type, text, replyId, files }: Reply): Message {
  if (type === "audio") return { type, url: text };
  const attachedFileUrls = files.length > 0 && { attachedFileUrls: files };
  return { type: "text", text, ...attachedFileUrls, ...(replyId !== undefined && { metadata: { replyId } }) };
}
