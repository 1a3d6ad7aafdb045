/** @jsxImportSource preact */
import { hydrate } from "preact";
import { loadInput } from "../components/inputs/index.ts";
import { type PageData, readPageData } from "../conversation/page-data.ts";
import { readSession, readStart } from "../conversation/step.ts";
import { wordsOf } from "../conversation/words.ts";
import { createChat, type LiveChat } from "./chat.ts";
import { Live } from "./Live.tsx";
import { createMemory } from "./memory.ts";
import { createTransport, type Trouble } from "./transport.ts";

/** Takes the page over that the server drew, and has the chat begin. */
async function takeOver(root: HTMLElement, data: PageData): Promise<void> {
  const { told: given, path, publicId, prefilled, isAuthorCodeDisabled } = data;
  const told = given.kind === "session" ? readSession(given.value) : readStart(given.value);
  const { theme, settings } = told.bot;
  const { remembering, typing } = settings;
  const words = wordsOf(settings, data.language);
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tools = { nonce: ownNonce(), isAuthorCodeDisabled };
  const hear: { chat?: LiveChat } = {};
  const onTrouble = (trouble: Trouble | undefined): void => hear.chat?.onTrouble(trouble);
  await loadInput(told.steps.at(-1)?.input);
  const options = {
    transport: createTransport({ base: "", publicId, framedBy: framedBy() }, onTrouble),
    memory: createMemory(publicId, remembering),
    typing,
    words,
    tools,
    startBody: { isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: prefilled },
    remembersResult: remembering !== "nowhere",
    isMotionReduced,
  };
  const chat = createChat(options, told, data.notes);
  hear.chat = chat;
  // A page that is loaded beforehand is nobody's visit yet.
  if (isPrerendering())
    await new Promise((resolve) => document.addEventListener("prerenderingchange", resolve, { once: true }));
  if (settings.isQueryHidden) hideQuery();

  const place = { action: path, key: "", sessionId: told.sessionId, prefilled: "" };
  hydrate(
    <Live
      chat={chat}
      title={document.title}
      theme={theme}
      settings={settings}
      words={words}
      place={place}
      container={document.body}
      nonce={tools.nonce}
      isAuthorCodeDisabled={isAuthorCodeDisabled}
      isFocusedAtFirst={matchMedia("(hover: hover) and (pointer: fine)").matches && window.parent === window}
      isMotionReduced={isMotionReduced}
    />,
    root,
  );
  document.body.classList.add("is-live");
  addEventListener("offline", () => onTrouble("offline"));
  addEventListener("online", () => onTrouble(undefined));
  await chat.begin({ isEndedForgotten: remembering === "nowhere" && isReload() });
}

/** The page's one-time word, which only its own scripts can read. */
function ownNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/** The origin of the page around the frame that this one is in. */
function framedBy(): string | undefined {
  return window.parent === window || document.referrer === "" ? undefined : URL.parse(document.referrer)?.origin;
}

function isPrerendering(): boolean {
  return "prerendering" in document && document.prerendering === true;
}

/** Whether the visitor asked for the page anew: a chat that has ended begins again then. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

function hideQuery(): void {
  if (location.search !== "") history.replaceState(history.state, "", location.pathname + location.hash);
}

const root = document.getElementById("chat");
const data = document.getElementById("chat-data")?.textContent;
if (root && data) takeOver(root, readPageData(data));
