import { hydrate } from "preact";
import { loadControls } from "../components/Ending.tsx";
import { hasPointer } from "../components/inputs/parts/live.ts";
import { loadKinds } from "../components/load-kinds.ts";
import { type PageData, readPageData } from "../conversation/page-data.ts";
import { at } from "../conversation/read.ts";
import { readSession, readStart } from "../conversation/step.ts";
import { wordsOf } from "../conversation/words.ts";
import { createChat, type LiveChat } from "./chat.ts";
import { Live } from "./Live.tsx";
import { createMemory } from "./memory.ts";
import { createTransport, type Trouble } from "./transport.ts";

/** Hydrates the page that the server rendered, and starts or continues the chat. */
async function hydratePage(root: HTMLElement, data: PageData): Promise<void> {
  const { initial, path, publicId, prefilled, isAuthorCodeDisabled } = data;
  const snapshot = initial.kind === "session" ? readSession(initial.value) : readStart(initial.value);
  const { theme, settings } = snapshot.bot;
  const { remembering } = settings;
  const words = wordsOf(settings, data.language);
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tools = { nonce: ownNonce(), isAuthorCodeDisabled };
  const live: { chat?: LiveChat } = {};
  const onTrouble = (trouble: Trouble | undefined): void => live.chat?.onTrouble(trouble);
  await Promise.all([loadKinds(snapshot.steps), loadControls(settings, theme)]);
  const options = {
    transport: createTransport({ base: "", publicId, framedBy: framedBy(), word: data.word }, onTrouble),
    memory: createMemory(publicId, remembering),
    ...{ words, settings, tools, isMotionReduced },
    drawn: data.start,
    startBody: { isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: prefilled },
    addressed: [...Object.values(prefilled).map(String), ...new URLSearchParams(location.search).values()],
  };
  const chat = createChat(options, snapshot, data.notes);
  live.chat = chat;
  // The server's page already contains the times, so their code must be loaded before hydration.
  if (settings.answers.areTimesShown) await chat.loadActs();
  // A prerendered page counts as a visit only when it is shown.
  if (isPrerendering())
    await new Promise((resolve) => document.addEventListener("prerenderingchange", resolve, { once: true }));
  if (settings.isQueryHidden) hideQuery();

  const { sessionId, revision } = snapshot;
  // The page has the same structure as the server's page, so that hydration changes nothing.
  const place = { action: path, key: "", sessionId, revision, prefilled: "", shown: data.start?.shown };
  hydrate(
    <Live
      {...{ chat, theme, settings, words, place, isMotionReduced, ...tools }}
      title={document.title}
      container={document.body}
      focusesFirstInput={hasPointer() && window.parent === window}
    />,
    root,
  );
  document.body.classList.add("is-live");
  if (window.parent !== window) import("./in-frame.ts");
  if (theme.general?.font) import("./fonts.ts").then(({ loadFont }) => loadFont(theme, tools.nonce));
  addEventListener("offline", () => onTrouble("offline"));
  addEventListener("online", () => onTrouble(undefined));
  await chat.begin({ forgetEnded: remembering === "nowhere" && isReload() });
}

/** Returns the page's nonce, which only scripts of the page can read. */
function ownNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/**
 * Returns the origin of the page that contains this page's frame. Undefined without a frame, or if the origin is
 * unknown.
 */
function framedBy(): string | undefined {
  return window.parent === window ? undefined : URL.parse(document.referrer)?.origin;
}

function isPrerendering(): boolean {
  return Reflect.get(document, "prerendering") === true;
}

/** Whether the visitor reloaded the page. A reload by `pay-back.js` after a visit to a bank's page does not count. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  if (at(history.state, "isBackFromPayment") === true) return false;
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

function hideQuery(): void {
  history.replaceState(history.state, "", location.pathname + location.hash);
}

const root = document.getElementById("chat");
const data = readPageData(document.getElementById("chat-data")?.textContent ?? "null");
if (root && data) hydratePage(root, data);
