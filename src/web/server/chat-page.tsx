/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ShownStart } from "../../chat/show-first-step.ts";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { builderPlace } from "../../management/access/builder-place.ts";
import { Chat, type ViewState } from "../components/Chat.tsx";
import { loadControls } from "../components/Ending.tsx";
import { loadKinds, stylesOf } from "../components/load-kinds.ts";
import { timesAlone, timesCss } from "../components/message-acts/times-alone.ts";
import type { PageData } from "../conversation/page-data.ts";
import { flagAt, isObject, type Json, listAt, textAt } from "../conversation/read.ts";
import { plainText } from "../conversation/rich-text.ts";
import type { ChatSnapshot, Step } from "../conversation/step.ts";
import { readSession } from "../conversation/step.ts";
import { conversationOf, type Entry } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { loadAssets } from "./assets.ts";
import { chatCard } from "./document/card.tsx";
import { renderDocument } from "./document/document.tsx";
import { headElements } from "./document/head-code.ts";
import { sessionCookie, waitingSession } from "./form/cookie.ts";
import type { SessionView } from "./form/post-form.ts";
import { notesOf } from "./form/skipped-actions.ts";
import { FormsMayBeBlocked, type Waiting, WithoutScript, waitOf } from "./form/without-script.tsx";
import { isFramed } from "./framed.ts";
import { languageFor } from "./language.ts";
import { contentSecurityPolicy, isSecure, newNonce, pageHeaders } from "./security.ts";

/** The bot at a requested path, and the page's address. */
export type Home = {
  readonly publicId: string;
  readonly path: string;
  /** The scheme and host of the page's own URL. */
  readonly origin: string;
  /** Whether the path belongs to the bot's own domain. */
  readonly isOwnDomain: boolean;
};

/** The chat of a page: a first step without a session, or a session in its current state. */
export type ChatToShow = {
  readonly home: Home;
  readonly prefilled: Json;
} /** `key`: the key of the form that starts the chat. `isStarting`: the posted form's first step is running. */ & (
  | { readonly shown: ShownStart; readonly snapshot: ChatSnapshot; readonly key: string; readonly isStarting?: true }
  | { readonly session: SessionView }
);

/** Responds with the page of a chat, which also works without its script. */
export async function respondWithChat(deps: ChatDependencies, request: Request, found: ChatToShow): Promise<Response> {
  const chat = "session" in found ? { ...found, session: whileUnderWay(found.session) } : found;
  const { home } = chat;
  const session = "session" in chat ? chat.session : undefined;
  const snapshot = "session" in chat ? chat.session.snapshot : chat.snapshot;
  const rules = "shown" in chat ? chat.shown : await rulesOf(deps, home);
  const { allowedOrigins, name, publicId, httpOrigins } = rules;
  const { isAuthorCodeDisabled, isSandboxed } = codeOf(deps, home, rules);
  const word = isSandboxed ? await deps.pageWords.make(allowedOrigins) : undefined;
  const inFrame = isFramed(request);
  const formsWord = inFrame ? await deps.pageWords.make(allowedOrigins, home.publicId) : undefined;
  const { theme, settings, version } = snapshot.bot;
  const language = await languageFor(settings, request);
  const { words } = language;
  const notes = notesOf(snapshot.steps, words);
  const waiting = session && waitOf(snapshot.steps.at(-1), session);
  const nonce = newNonce();
  const data: PageData = {
    publicId: home.publicId,
    path: home.path,
    initial:
      "session" in chat
        ? { kind: "session", value: withoutPlainTexts(chat.session.history) }
        : {
            kind: "start",
            value: { ...withoutPlainTexts(chat.shown.response), createdAt: snapshot.steps[0]?.createdAt },
          },
    notes,
    prefilled: chat.prefilled,
    ...("shown" in chat && { start: chat.shown.start }),
    language: language.translated,
    isAuthorCodeDisabled,
    ...(word !== undefined && { word }),
  };
  const card = chatCard(snapshot.bot, {
    publicId,
    name: name || words.chat,
    firstText: firstTextOf(snapshot.steps),
    origin: home.origin,
    address: home.origin + (home.isOwnDomain ? home.path : `/${publicId}`),
    hasSession: session !== undefined,
  });
  const children = await renderChat(chat, {
    ...{ snapshot, notes, words, waiting, title: card.title, inFrame },
    word: word ?? formsWord,
    isFirst: request.method === "GET",
  });
  const headCode = isAuthorCodeDisabled ? undefined : headCodeOf(snapshot.steps);
  const html = renderDocument({
    language,
    theme,
    themeContext: {
      version,
      backgroundUrl: snapshot.steps.at(-1)?.dynamicTheme?.backgroundUrl,
    },
    card,
    headElements: await headElements(headCode),
    nonce,
    assets: await loadAssets(),
    kindsCss: [...stylesOf(snapshot.steps), ...(settings.answers.areTimesShown ? [timesCss] : [])],
    data,
    refresh: waiting && waiting.seconds > 0 ? { seconds: waiting.seconds, path: home.path } : undefined,
    children,
  });
  const visited = { isSecure: isSecure(deps.config) };
  const hasHeadCode = headCode !== undefined;
  const policy = contentSecurityPolicy({
    ...{ nonce, theme, ...visited, allowedOrigins, isSandboxed, hasHeadCode, httpOrigins },
  });
  const headers = pageHeaders(policy, { holdsSession: session !== undefined });
  language.setHeaders(headers);
  if (waiting || waitingSession(request) !== undefined) {
    const sessionId = waiting ? (snapshot.sessionId ?? undefined) : undefined;
    headers.set("Set-Cookie", sessionCookie(home.path, sessionId, visited));
  }
  return new Response(html, { headers });
}

type Rendered = {
  readonly snapshot: ChatSnapshot;
  readonly notes: readonly Entry[];
  readonly words: Words;
  readonly waiting: Waiting | undefined;
  readonly title: string;
  /** The signed token that identifies the page in posts from a sandbox or a frame. */
  readonly word: string | undefined;
  readonly inFrame: boolean;
  /** Whether the page was requested without a posted form. */
  readonly isFirst: boolean;
};

async function renderChat(
  chat: ChatToShow,
  { snapshot, notes, words, waiting, title, word, inFrame, isFirst }: Rendered,
): Promise<VNode> {
  const conversation = conversationOf(snapshot.steps);
  const { wrong, notice, draft, answer }: Partial<SessionView> = "session" in chat ? chat.session : {};
  const state: ViewState = {
    ...conversation,
    entries: [...conversation.entries, ...(answer ? [{ kind: "answer", answer } as const] : []), ...notes],
    isEnded: snapshot.isEnded,
    ...(draft !== undefined && { draft }),
    ...(wrong && { error: wrong.error, draft: wrong.draft }),
    isTyping: false,
    notice: notice && { text: words[notice] },
    dynamicTheme: snapshot.steps.at(-1)?.dynamicTheme,
    ...(snapshot.bot.settings.answers.areTimesShown && { acts: timesAlone }),
  };
  await loadKinds(snapshot.steps);
  await loadControls(snapshot.bot.settings, snapshot.bot.theme);
  const place = {
    action: chat.home.path + (word === undefined ? "" : `?${pageWordName}=${word}`),
    key: "shown" in chat ? chat.key : crypto.randomUUID(),
    sessionId: snapshot.sessionId,
    revision: snapshot.revision,
    prefilled: JSON.stringify(chat.prefilled),
    shown: "shown" in chat ? chat.shown.start.shown : undefined,
  };
  const { theme, settings } = snapshot.bot;
  const isPartial = "shown" in chat && chat.shown.isPartial;
  const pause = "session" in chat ? conversation.pause : undefined;
  return (
    <Chat
      state={state}
      title={title}
      theme={theme}
      settings={settings}
      words={words}
      place={place}
      withoutScript={
        <>
          <WithoutScript
            {...{ waiting, isPartial, words, place, pause, inFrame }}
            isStarting={"shown" in chat && chat.isStarting === true}
          />
          {inFrame && isFirst && <FormsMayBeBlocked words={words} />}
        </>
      }
    />
  );
}

/** Reduces texts to their trees and sources, because the page's script uses no other formats. */
function withoutPlainTexts(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_key, part) => {
    if (!isObject(part) || part["type"] !== "richText") return part;
    return { type: part["type"], richText: part["richText"], sources: part["sources"] };
  });
}

function headCodeOf(steps: readonly Step[]): string | undefined {
  const props = steps[0]?.actions.find(({ type }) => type === "startPropsToInject");
  return textAt(props, "startPropsToInject", "customHeadCode");
}

/** Returns the text of the first text bubble of the first step; empty if there is none. */
function firstTextOf(steps: readonly Step[]): string {
  const first = steps[0]?.messages.find(({ type }) => type === "text");
  return plainText(listAt(first?.content, "richText"));
}

/** The query parameter that contains the page's token in the form URL of a page in a sandbox or a frame. */
export const pageWordName = "parley-page";

/**
 * Decides how code in a flow is treated. If the operator serves the builder from the page's origin, code runs only in a
 * sandbox. A page gets the sandbox only if the current flow contains code. Otherwise, no code runs, even if the chat
 * started with another version that contains code.
 */
function codeOf(
  { config }: ChatDependencies,
  { isOwnDomain }: Home,
  { isAuthorCodeDisabled, bringsCode }: Pick<Rules, "isAuthorCodeDisabled" | "bringsCode">,
): { readonly isAuthorCodeDisabled: boolean; readonly isSandboxed: boolean } {
  if (!builderPlace(config).isShared || isOwnDomain) return { isAuthorCodeDisabled, isSandboxed: false };
  const isSandboxed = bringsCode && !isAuthorCodeDisabled;
  return { isAuthorCodeDisabled: !isSandboxed, isSandboxed };
}

type Rules = Pick<
  ShownStart,
  "isAuthorCodeDisabled" | "bringsCode" | "allowedOrigins" | "name" | "publicId" | "httpOrigins"
>;

/** Returns the bot's current rules for pages. A chat may outlive the publication with which it started. */
async function rulesOf(deps: ChatDependencies, { publicId }: Home): Promise<Rules> {
  const bot = await deps.reads.publishedBots.add(publicId);
  const { isAuthorCodeDisabled = false, bringsCode = !isAuthorCodeDisabled, allowedOrigins = null } = bot?.facts ?? {};
  const { name = "", publicId: ownPublicId = publicId } = bot ?? {};
  const { httpOrigins } = bot?.facts ?? {};
  return { isAuthorCodeDisabled, bringsCode, allowedOrigins, name, publicId: ownPublicId, httpOrigins };
}

/**
 * Returns the view of a session. While its next step is running, its question is not asked again, and the page's script
 * waits for this step as for a step of an external call.
 */
function whileUnderWay(view: SessionView): SessionView {
  if (!view.isUnderWay || !isObject(view.history)) return view;
  const { input: _, ...history } = view.history;
  const steps = listAt(history, "steps");
  const last = steps.at(-1);
  const shown = { ...history, steps: [...steps.slice(0, -1), ...(isObject(last) ? [awaiting(last)] : [])] };
  return { ...view, history: shown, snapshot: readSession(shown) };
}

function awaiting({ input: _, ...step }: Json): Json {
  const actions = listAt(step, "clientSideActions").filter((action) => !flagAt(action, "expectsDedicatedReply"));
  return { ...step, clientSideActions: [...actions, { type: "listenForWebhook", expectsDedicatedReply: true }] };
}
