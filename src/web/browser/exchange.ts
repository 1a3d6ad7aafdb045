import { inputKind, loadInput } from "../components/inputs/index.ts";
import type { Uploading } from "../components/uploading.ts";
import {
  type Input,
  isOver,
  type Message,
  pauseOf,
  readSession,
  readStep,
  replyOf,
  type Step,
} from "../conversation/step.ts";
import { answerOf, type Entry, guestOf, refusalOf } from "../conversation/transcript.ts";
import { addStep, type Chat, remember, type Said } from "./chat-state.ts";
import { showOver, showRefused } from "./notices.ts";
import { sleep } from "./step-player.ts";
import { asRefused, Refused } from "./transport.ts";

/** Answers the open input with its form. A second form before the next input comes to nothing. */
export function send(chat: Chat, form: FormData): void {
  const { view, words } = chat;
  const { input } = view.shown();
  if (!input || form.get("block") !== input.id) return;
  if (chat.isBusy) {
    // The chat is only just starting: what was answered already is kept for it.
    if (chat.isStarting) chat.early = form;
    return;
  }
  if ([...form].some(([, value]) => typeof value !== "string" && value.name !== "")) {
    storeFiles(chat, form, input);
    return;
  }
  const read = inputKind(input).read(form, input, words);
  if (read.kind === "wrong") view.show({ error: read.error });
  else say(chat, read.message);
}

/** Files go first: the answer names where they are. */
async function storeFiles(chat: Chat, form: FormData, input: Input): Promise<void> {
  const { session, view, words } = chat;
  if (!session) return;
  chat.isBusy = true;
  view.show({ error: undefined, refusal: undefined });
  const onProgress = (uploading: Uploading): void => view.show({ uploading });
  const stored = await chat.transport.storeFiles(form, { sessionId: session.id, input, words, onProgress });
  chat.isBusy = false;
  view.show({ uploading: undefined });
  if (stored.kind === "stored") send(chat, stored.form);
  if (stored.kind === "wrong") view.show({ error: stored.error });
}

/** Says something new and plays what comes of it. */
export function say(chat: Chat, message: Message): Promise<void> {
  return exchange(chat, { message, key: crypto.randomUUID() });
}

/** Says something, or the same again under its key, and plays what comes of it. */
export async function exchange(chat: Chat, said: Said): Promise<void> {
  const { session, view } = chat;
  if (!session) return;
  const { message, key } = said;
  chat.isBusy = true;
  const before = chat.steps.at(-1);
  const { entries } = view.shown();
  const answer = before?.input && answerOf(replyOf(message), before.input);
  remember(chat, said);
  view.show({
    ...(answer && {
      entries: [...entries, { kind: "answer", answer: { ...answer, isUnderWay: true }, ...guestOf(before) }],
    }),
    ...{
      input: undefined,
      pause: undefined,
      error: undefined,
      refusal: undefined,
      draft: undefined,
      notice: undefined,
    },
  });
  const dots = setTimeout(() => view.show({ isTyping: true }), slowMs);
  const told = await chat.transport.say(session.id, message, key).catch(asRefused);
  clearTimeout(dots);
  if (told instanceof Refused) {
    remember(chat);
    chat.isBusy = false;
    showRefused(chat, told, { message, entries, sayAgain: () => say(chat, message) });
    return;
  }
  const step: Step = { ...readStep(told), reply: message && replyOf(message) };
  addStep(chat, step);
  await take(chat, step, { before, entries });
}

/** A step has come: the input again, with what was wrong, or what the bot says next. */
async function take(
  chat: Chat,
  step: Step,
  { before, entries }: { before: Step | undefined; entries: readonly Entry[] },
): Promise<void> {
  const { view } = chat;
  const refusal = refusalOf(step, before);
  if (refusal !== undefined) {
    view.show({ entries, input: step.input, refusal, draft: step.reply?.text, isTyping: false });
    chat.isBusy = false;
    return;
  }
  const answer = step.reply && before?.input ? answerOf(step.reply, before.input, step.storedReply) : undefined;
  view.show({
    isTyping: false,
    ...(answer && { entries: [...entries, { kind: "answer", answer, ...guestOf(before) }] }),
  });
  await play(chat, step);
}

/** Shows a step, whose first `known` bubbles are there already; then it asks, waits, or was the last. */
export async function play(chat: Chat, step: Step, known = 0): Promise<void> {
  const { view } = chat;
  const reply = await chat.player.play(step, known);
  await loadInput(step.input);
  const pause = pauseOf(step);
  view.show({
    input: step.input,
    pause,
    isEnded: isOver(step),
    progress: step.progress ?? view.shown().progress,
    dynamicTheme: step.dynamicTheme ?? view.shown().dynamicTheme,
    isTyping: false,
  });
  if (reply) return say(chat, reply.message);
  if (pause === "webhook") return listen(chat);
  giveTurn(chat);
}

/** What the last step waits for, taken up again. */
export async function takeUp(chat: Chat): Promise<void> {
  const last = chat.steps.at(-1);
  const pause = last && pauseOf(last);
  if (pause === "webhook") return listen(chat);
  const isAction = pause === "action" || pause === "wait";
  const awaited = isAction ? last?.actions.find((action) => action.expectsDedicatedReply === true) : undefined;
  if (awaited) return say(chat, await chat.player.perform(awaited));
  giveTurn(chat);
  if (chat.view.shown().isEnded && chat.remembersResult) showOver(chat, { text: chat.words.over, isError: false });
}

/** It is the visitor's turn, who may have answered already. */
function giveTurn(chat: Chat): void {
  const { early } = chat;
  chat.early = undefined;
  chat.isBusy = false;
  chat.isStarting = false;
  if (early) send(chat, early);
}

/** A call from outside takes the chat on; this page finds that by looking. */
async function listen(chat: Chat): Promise<void> {
  for (let pauseMs = 1_000; chat.session; pauseMs = Math.min(pauseMs * 1.5, longestLookMs)) {
    await sleep(pauseMs);
    const told = await chat.transport.read(chat.session.id).then(readSession).catch(asRefused);
    if (told instanceof Refused) {
      showOver(chat, { text: chat.words.over, isError: true });
      return;
    }
    const [step] = told.steps.slice(chat.steps.length);
    if (!step) continue;
    addStep(chat, step);
    return play(chat, step);
  }
}

/** An answer that takes longer shows that it is being thought about. */
const slowMs = 700;
const longestLookMs = 8_000;
