/** @jsxImportSource preact */
import { render } from "preact";
import { createChat, type LiveChat } from "../browser/chat.ts";
import { Live } from "../browser/Live.tsx";
import type { Trouble } from "../browser/transport.ts";
import { Chat } from "../components/Chat.tsx";
import type { Language } from "../conversation/language.ts";
import type { Json } from "../conversation/read.ts";
import { pageSettings } from "../conversation/settings.ts";
import { conversationOf } from "../conversation/transcript.ts";
import { english, type Words, wordsOf } from "../conversation/words.ts";
import { type ChatRoot, createChatRoot } from "./chat-root.ts";
import { createReporter, type Emit, type Reporter } from "./events.ts";
import { languageIn, wordsIn } from "./language.ts";
import { createEmbedMemory } from "./memory.ts";
import type { Past } from "./storage.ts";
import { connect } from "./transport.ts";

export type ChatPlace = {
  /** An empty element inside a shadow tree. */
  readonly place: HTMLElement;
  readonly publicId: string;
  /** Address of the service; undefined: where this script is from. */
  readonly host: string | undefined;
  /** Tells several chats with one bot apart. */
  readonly name: string;
  readonly past: Past;
  /** Values for variables, asked for at every start. */
  prefilled(): Json;
  /** The page's one-time word for scripts; empty where it has none. */
  readonly nonce: string;
  /** Whether the first field takes the focus of itself. */
  readonly isFocusedAtFirst: boolean;
  readonly tell: Emit;
  /** Hears in which language the chat speaks. */
  onLanguage(language: Language, words: Words): void;
  /** Hears whether the bot remembers its visitors. */
  onRemembering(isRemembered: boolean): void;
};

export type EmbeddedChat = {
  /** Says a command to the flow, as soon as the chat can hear it. */
  sendCommand(command: string): void;
  /** Fills the open field in. */
  setInputValue(value: string): void;
  /** Sends the open form. */
  submitInput(): void;
  /** Gives the focus to what is asked. */
  focus(): void;
  /** Takes everything away. The answers that are under way still arrive. */
  unmount(): void;
};

/** Begins a chat inside an element of another site's page, or takes it up again. */
export function mountChat(options: ChatPlace): EmbeddedChat {
  const { place } = options;
  const root = createChatRoot(place);
  const stop = new AbortController();
  const commands: string[] = [];
  const live: { chat?: LiveChat } = {};
  // A chat hears nothing while it is busy: a command stays in its line until the open input makes place for it.
  const sayCommands = (): void =>
    queueMicrotask(() => {
      const [command] = commands;
      if (command === undefined || !live.chat || !canHear(live.chat)) return;
      live.chat.say({ type: "command", command });
      if (!canHear(live.chat)) commands.shift();
    });
  begin(options, root, stop.signal, (chat) => {
    live.chat = chat;
    return sayCommands;
  });
  const field = (): HTMLInputElement | HTMLTextAreaElement | null =>
    root.container.querySelector<HTMLInputElement | HTMLTextAreaElement>(".typebot-input-form .text-input");
  return {
    sendCommand(command) {
      commands.push(command);
      sayCommands();
    },
    setInputValue(value) {
      const found = field();
      if (!found) return;
      found.value = value;
      found.dispatchEvent(new Event("input", { bubbles: true }));
    },
    submitInput: () => root.container.querySelector<HTMLFormElement>(".typebot-input-form")?.requestSubmit(),
    focus: () => (isDesktop() ? field()?.focus({ preventScroll: true }) : undefined),
    unmount() {
      stop.abort();
      render(null, root.content);
      place.replaceChildren();
    },
  };
}

function canHear(chat: LiveChat): boolean {
  const { input, pause, uploading } = chat.shown();
  return (input !== undefined || pause === "embed") && uploading === undefined;
}

type OnChat = (chat: LiveChat) => () => void;

async function begin(options: ChatPlace, root: ChatRoot, signal: AbortSignal, onChat: OnChat): Promise<void> {
  const hear: { chat?: LiveChat; reporter?: Reporter } = {};
  const memory = createEmbedMemory(`parley-chat-${options.name}`, options.past);
  const startBody = {
    isStreamEnabled: false,
    isOnlyRegistering: false,
    get prefilledVariables() {
      return options.prefilled();
    },
  };
  const connection = connect({
    base: options.host ?? new URL(import.meta.url).origin,
    publicId: options.publicId,
    signal,
    onTrouble: (trouble) =>
      hear.chat ? hear.chat.onTrouble(trouble) : drawWaiting(root, connection.transport.retryNow, trouble),
    onSaid: (message) => hear.reporter?.heard(message),
  });
  const dots = setTimeout(() => drawWaiting(root, connection.transport.retryNow, undefined), waitingMs);
  const told = await connection.lookAhead(memory, startBody);
  clearTimeout(dots);
  if (signal.aborted) return;

  const { theme, settings, version } = told.bot;
  const { remembering, typing, isAuthorCodeDisabled } = settings;
  const language = languageIn(settings, options.place);
  const words = wordsOf(settings, await wordsIn(language));
  if (signal.aborted) return;
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tools = { nonce: options.nonce, isAuthorCodeDisabled };
  memory.settle(remembering);
  options.onLanguage(language, words);
  options.onRemembering(remembering !== "nowhere");
  const { transport } = connection;
  const remembersResult = remembering !== "nowhere";
  const chat = createChat(
    { transport, memory, typing, words, tools, startBody, remembersResult, isMotionReduced },
    { ...told, sessionId: null, steps: [] },
    [],
  );
  const reporter = createReporter(options.tell, { isResumed: connection.isResumed() });
  Object.assign(hear, { chat, reporter });
  root.applyTheme(theme, language, version);
  if (told.sessionId !== null) options.tell("init", { sessionId: told.sessionId, resultId: told.resultId });
  // Live subscribes too, and a chat has one who hears: what it shows is told to both here.
  const sayCommands = onChat(chat);
  const heard = {
    ...chat,
    subscribe(redraw: () => void) {
      chat.subscribe(() => {
        if (signal.aborted) return;
        redraw();
        reporter.see(chat.shown());
        sayCommands();
      });
    },
  };
  // Whatever was drawn while waiting goes: what comes is drawn anew.
  render(null, root.content);
  const { container } = root;
  const { isFocusedAtFirst } = options;
  render(
    <Live
      {...{ theme, settings, words, container, isMotionReduced, ...tools }}
      chat={heard}
      title={settings.title ?? words.chat}
      place={noForm}
      scroller={container}
      isEmbedded={true}
      isFocusedAtFirst={isFocusedAtFirst && isDesktop()}
    />,
    root.content,
  );
  await chat.begin({ isEndedForgotten: false });
}

/** The chat while nothing is known of it yet. */
function drawWaiting({ content }: ChatRoot, retry: () => void, trouble: Trouble | undefined): void {
  const text = trouble === "offline" ? english.retrying : english.busy;
  const notice = trouble && { text, isError: true, action: { label: english.tryAgain, run: retry } };
  const shown = { ...conversationOf([]), isTyping: true, notice, dynamicTheme: undefined, uploading: undefined };
  const theme = { chat: { hostAvatar: { isEnabled: false } } };
  render(
    <Chat
      shown={shown}
      title={english.chat}
      theme={theme}
      settings={pageSettings({})}
      words={english}
      place={noForm}
      isEmbedded={true}
    />,
    content,
  );
}

/** A start that takes longer shows that something is on its way. */
const waitingMs = 250;

/** Forms never leave the page: the chat takes them. */
const noForm = { action: "", key: "", sessionId: null, prefilled: "" };

/** Whether a field may take the focus: on a phone that would call up the keyboard. */
function isDesktop(): boolean {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}
