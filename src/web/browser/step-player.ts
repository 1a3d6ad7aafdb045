import type { Typing } from "../conversation/settings.ts";
import type { ClientAction, Message, Step } from "../conversation/step.ts";
import { type Entry, hostOf } from "../conversation/transcript.ts";
import { typingMs } from "../conversation/typing.ts";
import type { ActionTools } from "./actions/action.ts";
import { runAction } from "./actions/index.ts";
import type { View } from "./view.ts";

export type Player = {
  /**
   * Shows a step's bubbles one after the other, with what is to be done between them; the first `known` are there already.
   * Gives the reply of an action that the flow waits for.
   */
  play(step: Step, known: number): Promise<{ readonly message: Message } | undefined>;
  /** Does what a flow asks of the browser. */
  perform(action: ClientAction): Promise<Message>;
};

type PlayerContext = {
  readonly view: View;
  readonly typing: Typing;
  readonly tools: ActionTools;
  readonly isMotionReduced: boolean;
};

export function createPlayer(context: PlayerContext): Player {
  return { play: (step, known) => play(context, step, known), perform: (action) => perform(context, action) };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function play(
  context: PlayerContext,
  step: Step,
  known: number,
): Promise<{ readonly message: Message } | undefined> {
  const actions = [...step.actions];
  let reply: { readonly message: Message } | undefined;
  const runWhile = async (isNext: (action: ClientAction) => boolean): Promise<void> => {
    while (actions[0] && isNext(actions[0])) {
      const action = actions.shift();
      // A call from outside is heard elsewhere: it takes the chat on by itself.
      if (!action || action.type === "listenForWebhook") continue;
      const message = await perform(context, action);
      if (action.expectsDedicatedReply === true) reply = { message };
    }
  };
  await runWhile((action) => action.lastBubbleBlockId === undefined);
  for (const [index, bubble] of step.messages.entries()) {
    if (index >= known)
      await show(context, { kind: "bubble", bubble, ...hostOf(step) }, { isLast: index + 1 === step.messages.length });
    await runWhile((action) => action.lastBubbleBlockId === bubble.id);
  }
  await runWhile(() => true);
  return reply;
}

type ShownBubble = Extract<Entry, { kind: "bubble" }>;

async function show(context: PlayerContext, entry: ShownBubble, { isLast }: { isLast: boolean }): Promise<void> {
  const { view, typing, isMotionReduced } = context;
  const isFirst = view.shown().entries.length === 0 && typing.isDisabledOnFirstMessage;
  const ms = isFirst || isMotionReduced ? 0 : typingMs(entry.bubble, typing);
  if (ms > 0) {
    view.show({ isTyping: true });
    await sleep(ms);
  }
  view.show({ isTyping: false, entries: [...view.shown().entries, entry] });
  if (!isLast && !isMotionReduced && typing.betweenBubblesMs > 0) await sleep(typing.betweenBubblesMs);
}

async function perform({ view, tools }: PlayerContext, action: ClientAction): Promise<Message> {
  const isAwaited = action.expectsDedicatedReply === true;
  if (isAwaited) view.show({ isTyping: true });
  try {
    return await runAction(action, tools);
  } catch (error) {
    tools.log(`The action ${action.type} failed in the visitor's browser`, error);
    return null;
  } finally {
    if (isAwaited) view.show({ isTyping: false });
  }
}
