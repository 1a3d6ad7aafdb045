import type { Shown } from "../components/Chat.tsx";
import { loadInput } from "../components/inputs/index.ts";
import type { Typing } from "../conversation/settings.ts";
import { type ChatSnapshot, type Message, readSession, readStart, type Step } from "../conversation/step.ts";
import { conversationOf, type Entry, entriesOf } from "../conversation/transcript.ts";
import type { ActionTools } from "./actions/action.ts";
import { adopt, type Chat, remember } from "./chat-state.ts";
import { exchange, play, say, send, takeUp } from "./exchange.ts";
import type { Remembered } from "./memory.ts";
import { showNotStarted, showTrouble } from "./notices.ts";
import { createPlayer } from "./step-player.ts";
import { asRefused, Refused, type Trouble } from "./transport.ts";
import { createView } from "./view.ts";

export type ChatOptions = Pick<Chat, "transport" | "memory" | "words" | "startBody" | "remembersResult"> & {
  readonly typing: Typing;
  readonly tools: Pick<ActionTools, "nonce" | "isAuthorCodeDisabled">;
  readonly isMotionReduced: boolean;
};

/** A chat under way in the browser. It draws nothing: it says what is to be shown. */
export type LiveChat = {
  shown(): Shown;
  /** Hears of every change. */
  subscribe(hear: () => void): void;
  /**
   * Goes on with what the page shows: a session, or a first step that nobody has started yet. A remembered chat that has
   * ended may be forgotten.
   */
  begin(rules: { isEndedForgotten: boolean }): Promise<void>;
  /** Answers the open input with its form. A second form before the next input comes to nothing. */
  send(form: FormData): void;
  /** Says something that no form has: an event of an embedded page, a command. */
  say(message: Message): void;
  /** Requests do not get through at the moment; undefined: they do again. */
  onTrouble(trouble: Trouble | undefined): void;
};

/** A chat that shows what the page shows already: `told`, with the server's notes under it. */
export function createChat(options: ChatOptions, told: ChatSnapshot, notes: readonly Entry[]): LiveChat {
  const { transport, words, typing, isMotionReduced } = options;
  const conversation = conversationOf(told.steps);
  const entries = [...conversation.entries, ...notes];
  const view = createView({ ...conversation, ...quiet, entries, dynamicTheme: told.steps.at(-1)?.dynamicTheme });
  const tools: ActionTools = {
    ...options.tools,
    words,
    note: (text, link) => view.add({ kind: "note", text, link }),
    log(description, error) {
      const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (chat.session) transport.log(chat.session.id, description, details);
    },
  };
  const chat: Chat = {
    ...options,
    view,
    player: createPlayer({ view, typing, tools, isMotionReduced }),
    startAgain: () => startAgain(chat),
    steps: [],
    session: undefined,
    isBusy: true,
    isStarting: true,
    early: undefined,
    trouble: undefined,
  };
  return {
    shown: view.shown,
    subscribe: view.subscribe,
    begin: (rules) => begin(chat, told, rules),
    send: (form) => send(chat, form),
    say(message) {
      if (!chat.isBusy) say(chat, message);
    },
    onTrouble: (trouble) => showTrouble(chat, trouble),
  };
}

async function begin(
  chat: Chat,
  told: ChatSnapshot,
  { isEndedForgotten }: { isEndedForgotten: boolean },
): Promise<void> {
  if (told.sessionId !== null) {
    adopt(chat, told);
    remember(chat);
    return takeUp(chat);
  }
  const remembered = chat.memory.read();
  if (remembered && (await resume(chat, remembered, { isEndedForgotten }))) return;
  await start(chat, told.steps[0], remembered?.resultId ?? null);
}

/** Goes on with the chat that the browser remembers. False when it is not there any more. */
async function resume(
  chat: Chat,
  { sessionId, pending }: Remembered,
  { isEndedForgotten }: { isEndedForgotten: boolean },
): Promise<boolean> {
  const told = await chat.transport.read(sessionId).then(readSession).catch(asRefused);
  if (told instanceof Refused || (told.isEnded && isEndedForgotten)) {
    chat.memory.forget();
    return false;
  }
  adopt(chat, told);
  const conversation = conversationOf(chat.steps);
  await loadInput(conversation.input);
  chat.view.show({ ...conversation, dynamicTheme: chat.steps.at(-1)?.dynamicTheme });
  const isUnderWay = pending !== undefined && !told.isEnded && pending.after === told.steps.length;
  if (isUnderWay) await exchange(chat, pending);
  else await takeUp(chat);
  return true;
}

/** Starts a chat. `known` is its first step as the page has it. */
async function start(chat: Chat, known: Step | undefined, resultId: string | null): Promise<void> {
  const isRemembered = chat.remembersResult && resultId !== null;
  const body = { ...chat.startBody, ...(isRemembered && { resultId }) };
  const told = await chat.transport.start(body, crypto.randomUUID()).then(readStart).catch(asRefused);
  if (told instanceof Refused) {
    showNotStarted(chat, told);
    return;
  }
  adopt(chat, told);
  remember(chat);
  const [step] = chat.steps;
  if (!step) return;
  const shown = known?.messages.length ?? 0;
  // What the page showed was thought through for it alone; from here on it is what the session says.
  chat.view.show({ entries: entriesOf(step, undefined).slice(0, shown) });
  await play(chat, step, shown);
}

function startAgain(chat: Chat): void {
  const resultId = chat.session?.resultId ?? null;
  chat.memory.forget();
  chat.session = undefined;
  chat.steps = [];
  chat.isBusy = true;
  chat.isStarting = true;
  chat.view.show({ ...conversationOf([]), ...quiet, isTyping: true });
  start(chat, undefined, resultId);
}

const quiet = { isEnded: false, isTyping: false, error: undefined, notice: undefined } as const;
