/** @jsxImportSource preact */
import { render } from "preact";
import type { Theme } from "../../flow/schemas/theme.ts";
import { createChat } from "../browser/chat.ts";
import { loadFont } from "../browser/fonts.ts";
import { Live } from "../browser/Live.tsx";
import type { Memory } from "../browser/memory.ts";
import { loadControls } from "../components/Ending.tsx";
import { loadKinds } from "../components/load-kinds.ts";
import { defaultLanguage, languageOf, parseLanguage } from "../conversation/language.ts";
import { isSupported, loadWords } from "../conversation/languages/index.ts";
import { greetingKind } from "../conversation/preview-protocol.ts";
import { textAt } from "../conversation/read.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { readSession, readStart } from "../conversation/step.ts";
import { defaultsOf, isDarkTheme, mayBeDark } from "../conversation/theme.ts";
import { themeSheets } from "../conversation/theme-sheets.ts";
import { wordsOf } from "../conversation/words.ts";
import { type Channel, createFrameTransport, openChannel } from "./transport.ts";

/** Waits for the page around, and for nobody else: its first message brings the port by which all others come. */
function waitForGreeting(root: HTMLElement): void {
  addEventListener("message", function hear(event) {
    const [port] = event.ports;
    if (event.source !== window.parent || window.parent === window || !port) return;
    if (textAt(event.data, "kind") !== greetingKind) return;
    removeEventListener("message", hear);
    const channel = openChannel(port, (what, chat) => show(root, channel, { what, chat }));
  });
}

type Shown = { readonly what: "start" | "session"; readonly chat: unknown };

/** Shows a chat as the hosted page does: one that has just begun is played, of another all that was said stands there. */
async function show(root: HTMLElement, channel: Channel, { what, chat: response }: Shown): Promise<void> {
  const snapshot = what === "session" ? readSession(response) : readStart(response);
  const { theme, settings, version, name } = snapshot.bot;
  const language = languageIn(settings);
  const [words] = await Promise.all([
    language.lang === defaultLanguage.lang ? {} : loadWords(language.lang),
    loadKinds(snapshot.steps),
    loadControls(settings),
  ]);
  const ownWords = wordsOf(settings, words);
  const tools = { nonce: ownNonce(), isAuthorCodeDisabled: settings.isAuthorCodeDisabled };
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  dress(theme, { version, language, nonce: tools.nonce });
  const chat = createChat(
    {
      ...{ transport: createFrameTransport(channel, response), memory: forgetful, words: ownWords, settings, tools },
      ...{ typing: settings.typing, mayStartAgain: settings.mayStartAgain, isMotionReduced },
      ...{ startBody: {}, remembersResult: false, addressed: [] },
    },
    what === "session" ? snapshot : { ...snapshot, sessionId: null, isEnded: false, steps: [] },
    [],
  );
  const title = settings.title ?? name ?? ownWords.chat;
  document.title = title;
  render(
    <Live
      {...{ chat, title, theme, settings, words: ownWords, isMotionReduced, ...tools }}
      place={noForm}
      container={document.body}
      focusesFirstInput={false}
    />,
    root,
  );
  document.body.classList.add("is-live");
  channel.tell({ kind: "shown" });
  await chat.begin({ forgetEnded: false });
}

/** Gives the document the language, the colours and the style of a bot. */
function dress(
  theme: Theme,
  { version, language, nonce }: { version: string | undefined; language: typeof defaultLanguage; nonce: string },
): void {
  const { documentElement: html } = document;
  const scheme = mayBeDark(theme) ? "auto" : isDarkTheme(theme, { version }) ? "dark" : "light";
  html.lang = language.lang;
  html.dir = language.dir;
  html.dataset["scheme"] = scheme;
  html.dataset["defaults"] = defaultsOf(version);
  for (const { css, media } of themeSheets(theme, { version }, { followsScheme: scheme === "auto" })) {
    if (css === "") continue;
    const style = document.createElement("style");
    style.nonce = nonce;
    if (media !== undefined) style.media = media;
    style.textContent = css;
    document.head.append(style);
  }
  if (theme.general?.font) loadFont(theme, nonce);
}

/** The bot's language, else the author's own where the page has words in it. */
function languageIn(settings: PageSettings): typeof defaultLanguage {
  const own = languageOf(settings);
  if (own) return own;
  const theirs = navigator.languages.flatMap((tag) => parseLanguage(tag) ?? []);
  return theirs.find(({ lang }) => isSupported(lang)) ?? defaultLanguage;
}

/** A preview is over when its frame is. */
const forgetful: Memory = { read: () => undefined, write: () => {}, forget: () => {}, keepsDrafts: () => false };
/** Forms are never posted: the chat handles them. */
const noForm = { action: "", key: "", sessionId: null, prefilled: "" };

/** The document's nonce, which only its own scripts can read. */
function ownNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

const root = document.getElementById("chat");
if (root) waitForGreeting(root);
