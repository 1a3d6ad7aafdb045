import { render } from "preact";
import { createChat } from "../browser/chat.ts";
import { Live } from "../browser/Live.tsx";
import type { Memory } from "../browser/memory.ts";
import { loadControls } from "../components/Ending.tsx";
import { loadKinds } from "../components/load-kinds.ts";
import { type Bot, readBot } from "../conversation/bot.ts";
import { chooseLanguage, loadWords } from "../conversation/languages/index.ts";
import type { Scheme, ToFrame } from "../conversation/preview-protocol.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { readSession, readStart } from "../conversation/step.ts";
import { wordsOf } from "../conversation/words.ts";
import { watchDrawn } from "./drawn-colors.ts";
import { ownNonce, waitForGreeting } from "./greeting.ts";
import { createLook } from "./look.ts";
import { watchParts } from "./parts.ts";
import { type Channel, createFrameTransport, openChannel } from "./transport.ts";

/** Handles the messages that the surrounding page sends through the port, and draws their content in `root`. */
function showFrom(port: MessagePort, root: HTMLElement): void {
  const wear = createLook(ownNonce());
  let shown = Promise.resolve<Dress | undefined>(undefined);
  let dressing: number | undefined;
  const channel = openChannel(port, (message) => {
    shown = shown.then(async (dress) => {
      if (message.kind === "show") return await show(root, { channel, wear }, message);
      if (message.kind === "recall" || message.kind === "save") await recall(root, { channel, wear }, message);
      if (message.kind === "dress" && dress) {
        await dress(readBot(message.bot), message.scheme);
        dressing = message.number;
        drawn.look();
      }
      return dress;
    });
  });
  const drawn = watchDrawn((pairs) => {
    if (dressing !== undefined) channel.tell({ kind: "drawn", number: dressing, pairs });
  });
  watchParts((part) => channel.tell({ kind: "pressed", part }));
}

type Shown = Extract<ToFrame, { kind: "show" }>;
type Around = { readonly channel: Channel; readonly wear: ReturnType<typeof createLook> };
/** Draws the chat with a theme and settings. */
type Dress = (bot: Bot, scheme: Scheme) => Promise<void>;

let chats = 0;

/**
 * Shows a chat as the hosted page does. A chat that has just started is shown message by message; any other chat is
 * shown with its whole conversation.
 */
async function show(root: HTMLElement, { channel, wear }: Around, { what, chat: response }: Shown): Promise<Dress> {
  const snapshot = what === "session" ? readSession(response) : readStart(response);
  const { settings } = snapshot.bot;
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tools = { nonce: ownNonce(), isAuthorCodeDisabled: settings.isAuthorCodeDisabled };
  await loadKinds(snapshot.steps);
  const words = await wordsFor(settings);
  const transport = createFrameTransport(channel, what === "start" ? response : undefined);
  const chat = createChat(
    {
      ...{ transport, memory: forgetful, words, settings, tools },
      ...{ startBody: {}, addressed: [], isMotionReduced },
    },
    what === "session" ? snapshot : { ...snapshot, sessionId: null, isEnded: false, steps: [] },
    [],
  );
  const key = ++chats;
  const dress: Dress = async ({ theme, settings: now, version, name }, scheme) => {
    const { lang, dir } = chooseLanguage(now, navigator.languages);
    const [ownWords] = await Promise.all([wordsFor(now), loadControls(now, theme)]);
    Object.assign(document.documentElement, { lang, dir });
    wear(theme, { version, scheme });
    const title = now.title ?? name ?? ownWords.chat;
    document.title = title;
    render(
      <Live
        key={key}
        {...{ chat, title, theme, settings: now, words: ownWords, isMotionReduced, ...tools }}
        place={noForm}
        container={document.body}
        focusesFirstInput={false}
      />,
      root,
    );
  };
  await dress(snapshot.bot, undefined);
  document.body.classList.add("is-live");
  channel.tell({ kind: "shown" });
  void chat.begin({ forgetEnded: false });
  return dress;
}

/** Shows the conversation of a result's chats, or sends the shown conversation to the page as a file. */
async function recall(
  root: HTMLElement,
  { channel, wear }: Around,
  message: Extract<ToFrame, { kind: "recall" | "save" }>,
): Promise<void> {
  const { documentOf, showRecalled } = await import("./recalled.tsx");
  if (message.kind === "save") return channel.tell({ kind: "document", html: documentOf() });
  await showRecalled(root, message, { wear, wordsFor });
  channel.tell({ kind: "shown" });
}

/**
 * Loads the texts of the page in the bot's language, or otherwise in the author's language, with the bot's own
 * messages.
 */
async function wordsFor(settings: PageSettings) {
  return wordsOf(settings, await loadWords(chooseLanguage(settings, navigator.languages).lang));
}

/** A memory that stores nothing, because a preview ends with its frame. */
const forgetful: Memory = {
  key: undefined,
  read: () => undefined,
  write: () => {},
  forget: () => {},
  keepsDrafts: () => false,
};
/** A form without a URL. Forms are never posted, because the chat handles them. */
const noForm = { action: "", key: "", sessionId: null, prefilled: "" };

leaveFocusAround();
const root = document.getElementById("chat");
if (root) waitForGreeting((port) => showFrom(port, root));

/**
 * Prevents a chat from taking the focus from the surrounding page, in which the author may be typing. This could happen
 * if the chat continues automatically, or through a button outside the frame. The chat can move the focus only if the
 * focus is already in this frame, for example after a press in the frame.
 */
function leaveFocusAround(): void {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) {
    if (document.hasFocus()) focus.call(this, options);
  };
}
