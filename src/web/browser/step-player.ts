import { loadBubbles } from "../components/bubbles/index.ts";
import type { Typing } from "../conversation/settings.ts";
import type { ClientAction, Message, Step } from "../conversation/step.ts";
import { type Entry, hostOf } from "../conversation/transcript.ts";
import { typingMs } from "../conversation/typing.ts";
import type { ActionTools } from "./actions/action.ts";
import { runAction } from "./actions/index.ts";
import type { View } from "./view.ts";

export type Player = {
  /**
   * Shows a step's bubbles one by one and runs its actions at their places in between; the first `shownCount` bubbles are shown
   * already. Returns the reply of an action that the flow waits for.
   */
  play(step: Step, shownCount: number): Promise<{ readonly message: Message } | undefined>;
  /** Shows at once what the bot is typing. */
  skipTyping(): void;
  /** Runs one action in the browser. */
  perform(action: ClientAction): Promise<Message>;
};

type PlayerContext = {
  readonly view: View;
  readonly typing: Typing;
  readonly tools: ActionTools;
  readonly isMotionReduced: boolean;
  /** Ends the pause that the bot types in. */
  endPause: () => void;
};

export function createPlayer(options: Omit<PlayerContext, "endPause">): Player {
  const context: PlayerContext = { ...options, endPause: () => {} };
  return {
    play: (step, shownCount) => play(context, step, shownCount),
    skipTyping: () => context.endPause(),
    perform: (action) => perform(context, action),
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function play(
  context: PlayerContext,
  step: Step,
  shownCount: number,
): Promise<{ readonly message: Message } | undefined> {
  const actions = [...step.actions];
  let reply: { readonly message: Message } | undefined;
  const runActionsWhile = async (isNext: (action: ClientAction) => boolean): Promise<void> => {
    while (actions[0] && isNext(actions[0])) {
      const action = actions.shift();
      // `exchange.ts` polls for a call from outside.
      if (!action || action.type === "listenForWebhook") continue;
      const message = await perform(context, action);
      if (action.expectsDedicatedReply === true) reply = { message };
    }
  };
  await runActionsWhile((action) => action.lastBubbleBlockId === undefined);
  const loading = loadBubbles(step.messages);
  for (const [index, bubble] of step.messages.entries()) {
    await loading;
    if (index >= shownCount)
      await show(context, { kind: "bubble", bubble, ...hostOf(step) }, { isLast: index + 1 === step.messages.length });
    await runActionsWhile((action) => action.lastBubbleBlockId === bubble.id);
  }
  await runActionsWhile(() => true);
  return reply;
}

type ShownBubble = Extract<Entry, { kind: "bubble" }>;

async function show(context: PlayerContext, entry: ShownBubble, { isLast }: { isLast: boolean }): Promise<void> {
  const { view, typing, isMotionReduced } = context;
  const isFirst = view.state().entries.length === 0 && typing.isDisabledOnFirstMessage;
  const ms = isFirst || isMotionReduced ? 0 : typingMs(entry.bubble, typing);
  if (ms > 0) {
    view.update({ isTyping: true });
    await pause(context, ms);
  }
  view.update({ isTyping: false, entries: [...view.state().entries, entry] });
  if (!isLast && !isMotionReduced && typing.betweenBubblesMs > 0) await pause(context, typing.betweenBubblesMs);
}

function pause(context: PlayerContext, ms: number): Promise<void> {
  return new Promise((resolve) => {
    context.endPause = resolve;
    setTimeout(resolve, ms);
  });
}

async function perform({ view, tools }: PlayerContext, action: ClientAction): Promise<Message> {
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
