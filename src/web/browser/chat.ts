import type { Control } from "../components/ControlForm.tsx";
import { loadKinds } from "../components/load-kinds.ts";
import { type ChatSnapshot, type Message, newKey, readSession, readStart } from "../conversation/step.ts";
import { conversationOf, type Entry, entriesOf } from "../conversation/transcript.ts";
import type { ActionTools } from "./actions/action.ts";
import { adopt, type Chat, type ChatOptions, remember } from "./chat-state.ts";
import { exchange, keepEarly, play, resumeLastStep, say, send, showStream } from "./exchange.ts";
import type { Remembered } from "./memory.ts";
import { isUnsent, showTrouble } from "./notices.ts";
import { asRefused, type OnceOptions, Refused, type Trouble } from "./transport.ts";
import { createView, notEarly } from "./view.ts";

/** A chat in the browser. It stores the displayed state, but does not draw it. */
export type LiveChat = ReturnType<typeof createChat>;

/** Creates a chat from the content of the page: `snapshot`, followed by the server's notes. */
export function createChat(options: ChatOptions, snapshot: ChatSnapshot, notes: readonly Entry[]) {
  const { transport, words, memory } = options;
  const addressed = [...new Set([...options.addressed, ...(memory.read()?.addressed ?? [])])];
  const conversation = conversationOf(snapshot.steps);
  const entries = [...conversation.entries, ...notes];
  const { isEnded } = snapshot;
  const { dynamicTheme } = snapshot.steps.at(-1) ?? {};
  const view = createView({ ...conversation, ...quiet, entries, isEnded, dynamicTheme });
  const tools: ActionTools = {
    ...options.tools,
    words,
    addressed,
    note: (text, link) => view.add({ kind: "note", text, link }),
    ask: (View) => view.add({ kind: "question", View }),
    log(description, error) {
      const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (chat.session) transport.log(chat.session.id, description, details);
    },
  };
  const chat: Chat = {
    ...{ ...options, addressed, tools, view, ...notStarted },
    startAgain: () => startAgain(chat),
    skipTyping: () => {},
    trouble: undefined,
    isArriving: false,
  };
  return {
    state: view.state,
    /** Sets the only listener, which is called after every change. */
    subscribe: view.subscribe,
    /**
     * Continues the session that the page shows or the browser has stored. Otherwise, starts a chat, whose first step
     * may already be shown. With `forgetEnded`, a stored chat that has ended is not continued.
     */
    begin: (rules: { forgetEnded: boolean }) => begin(chat, snapshot, rules),
    loadActs: () => loadActs(chat),
    /**
     * Answers the open input with its form, or shows why the answer is invalid. If the session is starting or the
     * visitor is writing ahead, the form is stored for later.
     */
    send: (form: FormData) => send(chat, form),
    /** Performs an action that few bots offer their visitors. `title` is the title of a saved transcript. */
    control: async (control: Control, title: string) => (await import("./controls.ts")).controls[control](chat, title),
    startAgain: chat.startAgain,
    /** Cancels a message that would be sent once the bot has answered. The message's field still contains its text. */
    keep: () => keepEarly(chat),
    /**
     * Sends a message that does not come from a form, such as an event of an embedded page or a command. While the chat
     * is busy, the message is ignored. Only the first message during the start is stored, because the first step may
     * wait for it.
     */
    say(message: Message): void {
      if (!chat.isBusy) say(chat, message);
      else if (chat.isStarting) chat.earlySaid ??= { message };
    },
    skipTyping: () => chat.skipTyping(),
    /** Sends a request about the session, without retries. Returns undefined before the session has started. */
    ask: (act: string, init: OnceOptions) => chat.session && transport.once(chat.session.id, act, init),
    /** Returns the storage key for unsent text, or undefined while no text may be stored. */
    draftKey: () => (chat.session && memory.keepsDrafts() ? `parley-draft-${chat.session.id}` : undefined),
    /** Called with the reason when a request fails, and with undefined when the failure is over. */
    onTrouble: (trouble: Trouble | undefined) => showTrouble(chat, trouble),
  };
}

async function begin(chat: Chat, snapshot: ChatSnapshot, { forgetEnded }: { forgetEnded: boolean }): Promise<void> {
  const loading = loadActs(chat);
  const remembered = chat.memory.read();
  // A message and its actions are shown at the same time, so that the page does not move when the actions are loaded.
  if (remembered || snapshot.sessionId !== null) await loading;
  if (snapshot.sessionId !== null) {
    adopt(chat, snapshot);
    remember(chat);
    return resumeLastStep(chat);
  }
  if (remembered && (await resume(chat, remembered, { forgetEnded }))) return;
  await start(chat, remembered, snapshot);
}

/** Loads the additional features that the bot offers. */
async function loadActs(chat: Chat): Promise<void> {
  if (!chat.view.state().acts && Object.values(chat.settings.answers).includes(true))
    await (await import("./acts/acts.ts")).showActs(chat);
}

/**
 * Continues the chat that the browser has stored. Removes it and returns false if it cannot be read, or if it has ended
 * and `forgetEnded` is set.
 */
async function resume(
  chat: Chat,
  { sessionId, pending }: Remembered,
  { forgetEnded }: { forgetEnded: boolean },
): Promise<boolean> {
  const snapshot = await chat.transport.read(sessionId).then(readSession).catch(asRefused);
  if (snapshot instanceof Refused || (snapshot.isEnded && forgetEnded)) {
    chat.memory.forget();
    return false;
  }
  adopt(chat, snapshot);
  const conversation = conversationOf(chat.steps);
  await loadKinds(chat.steps);
  chat.view.update({ ...conversation, dynamicTheme: chat.steps.at(-1)?.dynamicTheme });
  chat.view.state().acts?.divide();
  const isUnderWay = pending !== undefined && !snapshot.isEnded && pending.after === snapshot.steps.length;
  if (isUnderWay) await exchange(chat, pending);
  else await resumeLastStep(chat);
  return true;
}

/** Starts a chat. Its first step may already be shown on the page. */
async function start(
  chat: Chat,
  { resultId, pending }: Pick<Remembered, "resultId" | "pending"> = { resultId: null },
  drawn?: ChatSnapshot,
): Promise<void> {
  const isRemembered = chat.settings.remembering !== "nowhere" && resultId !== null;
  // If the browser remembers a result or a start, the chat may already have been started, so the start that the server
  // drew into the page is not used.
  const own = drawn && resultId === null && !pending ? chat.drawn : undefined;
  const body = { ...chat.startBody, ...(isRemembered && { resultId }), ...(own && { shown: own.shown }) };
  // If the page was reloaded during a start, the start is repeated with the same key.
  const key = own?.key ?? (pending?.after === 0 ? pending.key : newKey());
  const snapshot = await chat.transport.start(body, key, showStream(chat)).then(readStart).catch(asRefused);
  if (snapshot instanceof Refused) {
    return (await import("./refused/refusals.ts")).showNotStarted(chat, snapshot);
  }
  adopt(chat, snapshot);
  remember(chat);
  const [step] = chat.steps;
  if (!step) return;
  await loadKinds(chat.steps);
  const shownAs = chat.view.state().entries;
  const shown = shownAs.filter(({ kind }) => kind === "bubble");
  // The page's first step ran without a session. It is replaced by the session's first step, whose values may differ.
  const entries = entriesOf(step, undefined).slice(0, shown.length);
  const isAsDrawn = !drawn || drawn.steps.map(shownBy).join() === shownBy(step);
  const { earlyForm } = chat;
  if (!isAsDrawn) {
    chat.earlyForm = undefined;
    chat.view.update({ input: undefined });
    if (earlyForm) (await import("./refused/drawn-otherwise.ts")).keepAnswer(chat, earlyForm);
  }
  // An early answer is shown only if it is directly below the last question.
  const isInPlace = isAsDrawn && entries.length === step.messages.length;
  chat.view.update({ entries: [...entries, ...(isInPlace ? shownAs.filter(isUnsent) : [])] });
  await play(chat, step, entries.length);
}

/**
 * Returns the visible content of a first step for a comparison. `html` and `plainText` are left out, because pages draw
 * texts from `richText`.
 */
function shownBy({ messages, input }: ChatSnapshot["steps"][number]): string {
  return JSON.stringify([messages, input], (name, value) => (/^(html|plainText)$/.test(name) ? undefined : value));
}

function startAgain(chat: Chat): void {
  const { session } = chat;
  chat.memory.forget();
  Object.assign(chat, notStarted);
  chat.view.update({ ...conversationOf([]), ...quiet, isTyping: true });
  start(chat, session);
}

const notStarted = {
  ...{ steps: [], revision: undefined, session: undefined },
  ...{ isBusy: true, isStarting: true, earlyForm: undefined, earlySaid: undefined },
};
const quiet = { isEnded: false, isTyping: false, error: undefined, notice: undefined, ...notEarly } as const;
