import { loadInput } from "../../components/inputs/index.ts";
import type { Step } from "../../conversation/step.ts";
import { type Entry, entriesOf } from "../../conversation/transcript.ts";
import { addStep, adopt, type Chat } from "../chat-state.ts";
import { showOver } from "../refused/refusals.ts";
import { type Awaited, awaitStep } from "./awaited-step.ts";

/** The functions with which the page continues after a step has arrived. */
type Next = {
  acceptAnswers(chat: Chat): void;
  receive(chat: Chat, step: Step, place: { before: Step | undefined; entries: readonly Entry[] }): Promise<void>;
};

/**
 * Continues with the step that an external call causes, or with a step that was still running when the page was drawn.
 */
export async function goOnWhenAwaited(chat: Chat, next: Next): Promise<void> {
  const { view } = chat;
  const awaited = await awaitStep(chat);
  if (!awaited) return;
  if (awaited.kind === "over") {
    showOver(chat, chat.words.over);
    return;
  }
  if (awaited.kind === "question") {
    adopt(chat, awaited.session);
    const input = chat.steps.at(-1)?.input;
    await loadInput(input);
    view.update({ input, pause: undefined });
    return next.acceptAnswers(chat);
  }
  return showAwaited(chat, awaited, next);
}

/**
 * Shows the next step that arrives without an answer of this page, unless the visitor answers the open question first.
 */
export async function goOnUnasked(chat: Chat, next: Next): Promise<void> {
  const last = chat.steps.at(-1);
  const isOpen = (): boolean => chat.steps.at(-1) === last && !chat.isBusy;
  while (isOpen()) {
    const awaited = await awaitStep(chat, isOpen);
    if (!isOpen() || !awaited || awaited.kind === "over") return;
    if (awaited.kind === "question") continue;
    chat.isBusy = true;
    return showAwaited(chat, awaited, next);
  }
}

/** Shows a step that was not caused by a message of this page. */
async function showAwaited(chat: Chat, awaited: Extract<Awaited, { kind: "step" }>, next: Next): Promise<void> {
  const { view } = chat;
  const { step, before, revision } = awaited;
  addStep(chat, step, revision);
  // A page that was drawn while the step was running does not contain the visitor's answer.
  const { entries } = view.state();
  const answers = entriesOf(step, before).filter(({ kind }) => kind === "answer");
  view.update({ entries: [...entries, ...answers], input: undefined, pause: undefined, error: undefined });
  return next.receive(chat, step, { before, entries });
}
