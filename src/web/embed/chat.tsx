import { render } from "preact";
import { forgetOthers } from "../browser/acts/others-storage.ts";
import { createChat, type LiveChat } from "../browser/chat.ts";
import { Live } from "../browser/Live.tsx";
import { type Memory, type Remembered, storedIn, storeIn } from "../browser/memory.ts";
import { forgetStored } from "../browser/storage.ts";
import type { Trouble } from "../browser/transport.ts";
import { Chat } from "../components/Chat.tsx";
import { loadControls } from "../components/Ending.tsx";
import { hasPointer } from "../components/inputs/parts/live.ts";
import { submit } from "../components/inputs/parts/submit.ts";
import type { Language } from "../conversation/language.ts";
import { chooseLanguage, loadWords } from "../conversation/languages/index.ts";
import type { Json } from "../conversation/read.ts";
import type { Remembering } from "../conversation/settings.ts";
import { pageSettings } from "../conversation/settings.ts";
import { conversationOf } from "../conversation/transcript.ts";
import { type Words, wordsOf } from "../conversation/words.ts";
import { type ChatRoot, createChatRoot, languageAround } from "./chat-root.ts";
import { createReporter, type Emit, type Reporter } from "./events.ts";
import type { ElementMemory } from "./storage.ts";
import { connect } from "./transport.ts";

export type EmbedOptions = {
  /** The element in which the chat is drawn, inside a shadow tree. */
  readonly place: HTMLElement;
  readonly publicId: string;
  /** The URL of the service. Defaults to the origin of this script. */
  readonly host: string | undefined;
  /** Distinguishes several chats with the same bot. */
  readonly name: string;
  readonly elementMemory: ElementMemory;
  /** Returns values for variables. Called at every start. */
  prefilled(): Json;
  /** The page's nonce for scripts; empty if the page has no nonce. */
  readonly nonce: string;
  /** Whether the first field is focused once the chat has loaded. */
  readonly focusesFirstInput: boolean;
  readonly emit: Emit;
  /** Called when the chat's language is known. */
  onLanguage(language: Language, words: Words): void;
  /** Called when it is known whether the bot remembers its visitors. */
  onRemembering(isRemembered: boolean): void;
};

export type EmbeddedChat = ReturnType<typeof mountChat>;

/** Starts or resumes a chat inside an element of another site's page. */
export function mountChat(options: EmbedOptions) {
  const { place } = options;
  const root = createChatRoot(place);
  const stop = new AbortController();
  const commands: string[] = [];
  const live: { chat?: LiveChat } = {};
  // A busy chat ignores messages. A command therefore stays in the queue until the chat has sent it. Sending makes the
  // chat busy.
  const sendNextCommand = (): void =>
    queueMicrotask(() => {
      const [command] = commands;
      if (command === undefined || !live.chat || !acceptsMessages(live.chat)) return;
      live.chat.say({ type: "command", command });
      if (!acceptsMessages(live.chat)) commands.shift();
    });
  begin(options, root, stop.signal, (chat) => {
    live.chat = chat;
    return sendNextCommand;
  });
  const field = (): HTMLInputElement | HTMLTextAreaElement | null =>
    root.container.querySelector<HTMLInputElement | HTMLTextAreaElement>(".typebot-input-form .text-input");
  return {
    /** Sends a command to the flow as soon as the chat accepts messages. */
    sendCommand(command: string): void {
      commands.push(command);
      sendNextCommand();
    },
    /** Fills in the open field. */
    setInputValue(value: string): void {
      const found = field();
      if (!found) return;
      found.value = value;
      found.dispatchEvent(new Event("input", { bubbles: true }));
    },
    /** Sends the open form. */
    submitInput(): void {
      submit(root.container.querySelector<HTMLFormElement>(".typebot-input-form"), null);
    },
    /** Focuses the open field if the visitor has a mouse. Without one, the focus would open an on-screen keyboard. */
    focus: () => (hasPointer() ? field()?.focus({ preventScroll: true }) : undefined),
    /** Removes the chat. Answers that are being sent still reach the service. */
    unmount(): void {
      stop.abort();
      render(null, root.content);
      place.replaceChildren();
    },
  };
}

function acceptsMessages(chat: LiveChat): boolean {
  const { input, pause, uploading } = chat.state();
  return (input !== undefined || pause === "embed") && uploading === undefined;
}

type OnChat = (chat: LiveChat) => () => void;

async function begin(options: EmbedOptions, root: ChatRoot, signal: AbortSignal, onChat: OnChat): Promise<void> {
  const live: { chat?: LiveChat; reporter?: Reporter } = {};
  const memory = createEmbedMemory(`parley-chat-${options.name}`, options.elementMemory);
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
      live.chat ? live.chat.onTrouble(trouble) : drawLoading(root, connection.transport.retryNow, trouble),
    onMessageSent: (message) => live.reporter?.messageSent(message),
  });
  const dots = setTimeout(() => drawLoading(root, connection.transport.retryNow, undefined), dotsAfterMs);
  const snapshot = await connection.prefetch(memory, startBody);
  clearTimeout(dots);
  if (signal.aborted) return;

  const { theme, settings, version, name } = snapshot.bot;
  const { remembering, isAuthorCodeDisabled } = settings;
  const language = chooseLanguage(settings, [languageAround(options.place)]);
  await loadControls(settings, theme);
  const { lang } = language;
  // Falls back to English if the texts of the language cannot be loaded.
  const words = wordsOf(settings, await loadWords(lang).catch(() => ({ language: lang })));
  if (signal.aborted) return;
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tools = { nonce: options.nonce, isAuthorCodeDisabled };
  memory.setRemembering(remembering);
  options.onLanguage(language, words);
  options.onRemembering(remembering !== "nowhere");
  const { transport } = connection;
  const addressed = [...new URLSearchParams(location.search).values()];
  const chat = createChat(
    { transport, memory, words, settings, tools, startBody, addressed, isMotionReduced },
    { ...snapshot, sessionId: null, isEnded: false, steps: [] },
    [],
  );
  const reporter = createReporter(options.emit, { isResumed: connection.isResumed() });
  Object.assign(live, { chat, reporter });
  root.applyTheme(theme, language, version);
  if (snapshot.sessionId !== null) options.emit("init", { sessionId: snapshot.sessionId, resultId: snapshot.resultId });
  // A chat has only one listener, which `Live` sets. This object shares it between drawing and the events of the page.
  const sendNextCommand = onChat(chat);
  const observed = {
    ...chat,
    subscribe(redraw: () => void): void {
      chat.subscribe(() => {
        if (signal.aborted) return;
        redraw();
        reporter.update(chat.state());
        sendNextCommand();
      });
    },
  };
  // Removes the content that was drawn during loading.
  render(null, root.content);
  const { container } = root;
  const { focusesFirstInput } = options;
  render(
    <Live
      {...{ theme, settings, words, container, isMotionReduced, ...tools }}
      chat={observed}
      title={settings.title ?? name ?? words.chat}
      place={noForm}
      isEmbedded={true}
      focusesFirstInput={focusesFirstInput && hasPointer()}
    />,
    root.content,
  );
  await chat.begin({ forgetEnded: false });
}

const english = wordsOf({ systemMessages: {} });

/** Draws the chat while its bot is being loaded. */
function drawLoading({ content }: ChatRoot, retry: () => void, trouble: Trouble | undefined): void {
  const text = trouble === "offline" ? english.retrying : english.busy;
  const notice = trouble && { text, isError: true, action: { label: english.tryAgain, run: retry } };
  const state = { ...conversationOf([]), isTyping: true, notice, dynamicTheme: undefined, uploading: undefined };
  const theme = { chat: { hostAvatar: { isEnabled: false } } };
  render(
    <Chat
      state={state}
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

/** The typing dots are shown if there is no response to the first request after this time. */
const dotsAfterMs = 250;

/** A form without a URL. Forms are never posted, because the chat handles them. */
const noForm = { action: "", key: "", sessionId: null, prefilled: "" };

/**
 * Stores an embedded chat in its element, and in the browser's storage if the bot remembers its visitors. This is known
 * only after the bot's settings are loaded. The history entry is not used, because it belongs to the page.
 */
function createEmbedMemory(key: string, elementMemory: ElementMemory) {
  let remembersIn: Remembering = "nowhere";
  const keep = (remembered: Remembered | undefined): void => {
    elementMemory.remembered = remembered;
    for (const where of ["session", "local"] as const)
      storeIn(where, key, remembersIn === where ? remembered : undefined);
  };
  if (elementMemory.isForgotten) {
    keep(undefined);
    forgetOthers(key);
  }
  elementMemory.isForgotten = false;
  return {
    key,
    read: () => elementMemory.remembered ?? storedIn("session", key) ?? storedIn("local", key),
    write: keep,
    forget: () => keep(undefined),
    keepsDrafts: () => remembersIn !== "nowhere",
    setRemembering(remembering: Remembering): void {
      remembersIn = remembering;
      forgetStored(key, remembering);
    },
  } satisfies Memory & { setRemembering: unknown };
}
