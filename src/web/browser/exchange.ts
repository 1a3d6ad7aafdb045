import { inputKind, isFreeText, takesText } from "../components/inputs/index.ts";
import { textOf } from "../components/inputs/parts/field.tsx";
import { loadKinds } from "../components/load-kinds.ts";
import { ownRefusalText } from "../conversation/refusal.ts";
import {
  type Input,
  isOver,
  type Message,
  newKey,
  type PendingMessage,
  pauseOf,
  readStep,
  replyOf,
  type Step,
} from "../conversation/step.ts";
import { answerOf, avatarIn, type Entry, entriesOf, refusalOf } from "../conversation/transcript.ts";
import { addStep, type Chat, remember } from "./chat-state.ts";
import { isUnsent } from "./notices.ts";
import { perform, playStep } from "./step-player.ts";
import { asRefused, type OnStream, Refused } from "./transport.ts";
import { notEarly } from "./view.ts";

/**
 * Answers the open input with its form, or shows why the answer is invalid. If the session is starting or the visitor
 * is writing ahead, the form is stored for later. Any other form is ignored.
 */
export function send(chat: Chat, form: FormData): void {
  const { view, words } = chat;
  const { input, early } = view.state();
  if (!input && early) {
    sendLater(chat, form);
    return;
  }
  if (!input || form.get("block") !== input.id) return;
  if (chat.isBusy && !chat.isStarting) return;
  const read = hasFiles(form) ? undefined : inputKind(input).read(form, input, words);
  if (read?.kind === "wrong") view.update({ error: ownRefusalText(read.error, { input, settings: chat.settings }) });
  else if (chat.isBusy) {
    // The session is still being started, so the answer is stored until the session exists.
    chat.earlyForm = form;
    if (read) showUnsent(chat, read.message, input);
  } else if (read) say(chat, read.message);
  else sendFiles(chat, form, input);
}

function hasFiles(form: FormData): boolean {
  return [...form].some(([, value]) => typeof value !== "string" && value.name !== "");
}

/** Stores a form until the bot has answered the previous message. */
async function sendLater(chat: Chat, form: FormData): Promise<void> {
  if (!hasFiles(form) && textOf(form, "text").trim() === "") return;
  chat.earlyForm = form;
  await import("../conversation/rare-words.ts");
  if (chat.earlyForm === form) chat.view.update({ isEarlySent: true });
}

/** Cancels a message that was stored for later. The field still contains the message's text. */
export function keepEarly(chat: Chat): void {
  if (!chat.view.state().early) return;
  chat.earlyForm = undefined;
  chat.view.update({ isEarlySent: false });
}

/** Uploads the form's files, and then sends the form with the files' URLs. */
async function sendFiles(chat: Chat, form: FormData, input: Input): Promise<void> {
  if (!chat.session) return;
  chat.isBusy = true;
  const stored = await (await import("./form-files.ts")).storeFiles(chat, form, input);
  if (stored) send(chat, stored);
}

/** Shows a message immediately in place of the input, marked as being sent. */
function showUnsent({ view, steps }: Chat, message: Message, asked: Input | undefined): void {
  const { entries } = view.state();
  const answer = asked && answerOf(message && replyOf(message), asked);
  const avatar = avatarIn(steps.at(-1), "guestAvatarUrl");
  view.update({
    ...(answer && {
      entries: [
        ...entries,
        { kind: "answer", answer: { ...answer, isUnderWay: true }, at: new Date().toISOString(), ...avatar },
      ],
    }),
    ...{ input: undefined, pause: undefined, error: undefined, refusal: undefined, draft: undefined },
    ...{ notice: undefined, isEnded: false },
  });
}

/** Sends a new message and shows the resulting step. */
export function say(chat: Chat, message: Message, afterRevision = chat.revision): Promise<void> {
  return exchange(chat, { message, key: newKey(), afterRevision });
}

/** Sends a message, or repeats it with the same key, and shows the resulting step. */
export async function exchange(chat: Chat, pending: PendingMessage): Promise<void> {
  const { session, view } = chat;
  if (!session) return;
  const { message } = pending;
  chat.isBusy = true;
  const before = chat.steps.at(-1);
  const { entries } = view.state();
  chat.isArriving = false;
  remember(chat, pending);
  showUnsent(chat, message, before?.input);
  // After answering a free-text input, the visitor can write ahead. The reply of an action does not change this.
  if (before?.input) view.update({ early: isFreeText(before.input) ? before.input : undefined });
  const dots = setTimeout(() => chat.session === session && view.update({ isTyping: true }), dotsAfterMs);
  const response = await chat.transport.say(session.id, pending, showStream(chat)).catch(asRefused);
  clearTimeout(dots);
  // In the meantime, the visitor has started or opened another chat.
  if (chat.session !== session) return;
  if (response instanceof Refused) {
    remember(chat);
    chat.isBusy = false;
    if (pending.isAgain || response.code === "session.moved_on") {
      const { showAsItIs } = await import("./refused/show-again.ts");
      return showAsItIs(chat, response, { ...pending, asked: before?.input, say, resumeLastStep });
    }
    const { showRefused } = await import("./refused/refusals.ts");
    return showRefused(chat, response, { message, entries, retry: () => say(chat, message) });
  }
  const step: Step = { ...readStep(response), reply: message && replyOf(message) };
  addStep(chat, step);
  await receive(chat, step, { before, entries });
}

/**
 * Shows a step from the service: either the bot's next messages, or the same input again with the reason why the answer
 * was rejected.
 */
async function receive(
  chat: Chat,
  step: Step,
  { before, entries }: { before: Step | undefined; entries: readonly Entry[] },
): Promise<void> {
  const { view } = chat;
  // The components are loaded first, so that each message is drawn only once.
  await loadKinds([step]);
  const refusal = refusalOf(step, before);
  if (refusal !== undefined) {
    view.update({ ...{ entries, input: step.input, refusal, draft: step.reply?.text, isTyping: false }, ...notEarly });
    chat.earlyForm = undefined;
    return acceptAnswers(chat);
  }
  const own = entriesOf(step, before);
  // These are the answer and the messages that were already shown while the step was running.
  const shown = own.slice(0, view.state().entries.length - entries.length);
  view.update({ isTyping: false, entries: [...entries, ...shown] });
  await play(chat, step, shown.length - own.length + step.messages.length);
}

/** Returns a function that shows a step while it is being streamed. The code for this is loaded on demand. */
export function showStream(chat: Chat): OnStream {
  return async (response, request) => (await import("./events/streaming.tsx")).follow(chat, response, request);
}

/**
 * Shows a step whose first `shownCount` bubbles are already shown. Then sends the reply of an action, opens the step's
 * input, waits for an external call, or ends the chat.
 */
export async function play(chat: Chat, step: Step, shownCount = 0): Promise<void> {
  const { session, view } = chat;
  const reply = await playStep(chat, step, shownCount);
  if (chat.session !== session) return;
  const pause = pauseOf(step);
  view.update({
    input: step.input,
    pause,
    isEnded: isOver(step),
    progress: step.progress ?? view.state().progress,
    dynamicTheme: step.dynamicTheme ?? view.state().dynamicTheme,
    isTyping: false,
    ...(!reply && notEarly),
  });
  if (reply) return say(chat, reply.message);
  if (pause === "webhook") return goOn(chat, "goOnWhenAwaited");
  acceptAnswers(chat);
}

/** Resumes the last step, which waits for an external call, an action or the visitor. */
export async function resumeLastStep(chat: Chat): Promise<void> {
  // When a page continues a chat, it lacks the code and tags that the start of the chat added to the earlier page.
  const added = chat.steps[0]?.actions.find(({ type }) => type === "startPropsToInject");
  if (added) await perform(chat, added);
  const last = chat.steps.at(-1);
  const pause = last && pauseOf(last);
  if (pause === "webhook") return goOn(chat, "goOnWhenAwaited");
  const isAction = pause === "action" || pause === "wait";
  const awaited = isAction ? last?.actions.find((action) => action.expectsDedicatedReply === true) : undefined;
  if (awaited) return say(chat, await perform(chat, awaited));
  acceptAnswers(chat);
}

/** Starts to accept answers. An early answer is sent first. */
function acceptAnswers(chat: Chat): void {
  const { earlyForm, earlySaid, isStarting } = chat;
  const { input, pause } = chat.view.state();
  chat.earlyForm = undefined;
  chat.earlySaid = undefined;
  chat.isBusy = false;
  chat.isStarting = false;
  // An early message answers this question if the question accepts text. Otherwise, the message is not sent, and
  // `Dock.tsx` puts its text into the next text field.
  if (!isStarting && input && takesText(input)) earlyForm?.set("block", input.id);
  const last = chat.steps.at(-1);
  // Some steps arrive without an answer of this page: after a time limit, or after a payment that is made on another
  // page or processed by the provider.
  if (last?.goesOnAt !== undefined || last?.input?.type === "payment input") goOn(chat, "goOnUnasked");
  if (earlySaid && pause === "embed") say(chat, earlySaid.message);
  if (!earlyForm) return;
  chat.view.update({ entries: chat.view.state().entries.filter((entry) => !isUnsent(entry)) });
  send(chat, earlyForm);
}

/** Waits for a step that needs no answer of this page. The code is loaded on demand. */
async function goOn(chat: Chat, how: "goOnWhenAwaited" | "goOnUnasked"): Promise<void> {
  return (await import("./events/going-on.ts"))[how](chat, { acceptAnswers, receive });
}

/** The typing dots are shown if there is no response after this time. */
const dotsAfterMs = 700;
