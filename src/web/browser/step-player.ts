import { typingMs } from "../../core/interpreter/schemas/typing.ts";
import { listAt } from "../conversation/read.ts";
import { plainText } from "../conversation/rich-text.ts";
import type { Bubble, ClientAction, Message, Step } from "../conversation/step.ts";
import { bubbleEntry, type Entry } from "../conversation/transcript.ts";
import type { ActionTools } from "./actions/action.ts";
import { wait } from "./actions/wait.ts";
import type { Chat } from "./chat-state.ts";

type Reply = { readonly message: Message };

/**
 * Shows a step's bubbles one by one, and runs each action at its position between them. The first `shownCount` bubbles
 * are already shown. If the flow waits for an action, returns the reply of the action.
 */
export async function playStep(chat: Chat, step: Step, shownCount: number): Promise<Reply | undefined> {
  const actions = [...step.actions];
  let reply: Reply | undefined;
  const runActionsWhile = async (isNext: (action: ClientAction) => boolean): Promise<void> => {
    while (actions[0] && isNext(actions[0])) {
      const action = actions.shift();
      // External calls are skipped, because `exchange.ts` waits for them.
      if (!action || action.type === "listenForWebhook") continue;
      const message = await perform(chat, action);
      if (action.expectsDedicatedReply === true) reply = { message };
    }
  };
  await runActionsWhile((action) => action.lastBubbleBlockId === undefined);
  for (const [index, bubble] of step.messages.entries()) {
    if (index >= shownCount)
      await show(chat, bubbleEntry(step, bubble), { isLast: index + 1 === step.messages.length });
    await runActionsWhile((action) => action.lastBubbleBlockId === bubble.id);
  }
  await runActionsWhile(() => true);
  return reply;
}

type ShownBubble = Extract<Entry, { kind: "bubble" }>;

async function show(chat: Chat, entry: ShownBubble, { isLast }: { isLast: boolean }): Promise<void> {
  const { session, view, isMotionReduced } = chat;
  const { typing } = chat.settings;
  const isFirst = view.state().entries.length === 0 && typing.isDisabledOnFirstMessage;
  const ms = isFirst || isMotionReduced ? 0 : typingMs(textOf(entry.bubble), typing);
  if (ms > 0) {
    view.update({ isTyping: true });
    await pause(chat, ms);
  }
  if (chat.session !== session) return;
  view.update({ isTyping: false, entries: [...view.state().entries, entry] });
  if (!isLast && !isMotionReduced && typing.betweenBubblesMs > 0) await pause(chat, typing.betweenBubblesMs);
}

function textOf({ type, content }: Bubble): string | undefined {
  return type === "text" ? plainText(listAt(content, "richText")) : undefined;
}

function pause(chat: Chat, ms: number): Promise<void> {
  return new Promise((resolve) => {
    chat.skipTyping = resolve;
    setTimeout(resolve, ms);
  });
}

/** Runs one action in the browser. If the action fails, the error is logged and the reply is empty. */
export async function perform({ view, tools }: Chat, action: ClientAction): Promise<Message> {
  const isAwaited = action.expectsDedicatedReply === true;
  if (isAwaited) view.update({ isTyping: true });
  try {
    return await runAction(action, tools);
  } catch (error) {
    tools.log(`The action ${action.type} failed in the visitor's browser`, error);
    return null;
  } finally {
    if (isAwaited) view.update({ isTyping: false });
  }
}

/** Runs an action. An unknown action of a newer release has no effect and an empty reply. */
async function runAction(action: ClientAction, tools: ActionTools): Promise<Message> {
  if (action.type === "wait") return wait(action, tools);
  const { rare } = await import("./actions/rare.ts");
  const run = await rare.get(action.type)?.();
  return run ? run(action, tools) : null;
}
