/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ShownStart } from "../../chat/show-first-step.ts";
import type { Dependencies } from "../../dependencies.ts";
import { Chat, type ViewState } from "../components/Chat.tsx";
import { inputKind, loadInput } from "../components/inputs/index.ts";
import type { PageData } from "../conversation/page-data.ts";
import { isObject, type Json, textAt } from "../conversation/read.ts";
import type { ChatSnapshot, Step } from "../conversation/step.ts";
import { conversationOf, type Entry } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { loadAssets } from "./assets.ts";
import { sessionCookie, waitingSession } from "./cookie.ts";
import { renderDocument } from "./document.tsx";
import { headElements } from "./head-code.ts";
import { languageFor } from "./language.ts";
import type { SessionView } from "./post-form.ts";
import { contentSecurityPolicy, newNonce, pageHeaders } from "./security.ts";
import { notesOf } from "./skipped-actions.ts";
import { type Waiting, WithoutScript, waitOf } from "./without-script.tsx";

/** Where a bot is at home. */
export type Home = { readonly publicId: string; readonly path: string };

/** A chat to show: one that nobody has started yet, or a session as it stands. */
export type ChatToShow = { readonly home: Home; readonly prefilled: Json } & (
  | { readonly shown: ShownStart; readonly told: ChatSnapshot }
  | { readonly session: SessionView }
);

/** The page of a chat. It works as it is; its script makes it live. */
export async function respondWithChat(deps: Dependencies, request: Request, chat: ChatToShow): Promise<Response> {
  const { home } = chat;
  const session = "session" in chat ? chat.session : undefined;
  const told = "session" in chat ? chat.session.told : chat.told;
  const { isAuthorCodeDisabled, allowedOrigins } = "shown" in chat ? chat.shown : await rulesOf(deps, home);
  const { theme, settings, version } = told.bot;
  const language = await languageFor(settings, request);
  const { words } = language;
  const notes = notesOf(told.steps, words);
  const waiting = session && waitOf(told.steps.at(-1), session.lastStepAt);
  const nonce = newNonce();
  const data: PageData = {
    publicId: home.publicId,
    path: home.path,
    told:
      "session" in chat
        ? { kind: "session", value: lean(chat.session.history) }
        : { kind: "start", value: lean(chat.shown.response) },
    notes,
    prefilled: chat.prefilled,
    language: language.told,
    isAuthorCodeDisabled,
  };
  const children = await drawn(chat, { told, notes, words, waiting });
  const input = told.steps.at(-1)?.input;
  const html = renderDocument({
    language,
    theme,
    themeContext: {
      version,
      backgroundUrl: told.steps.at(-1)?.dynamicTheme?.backgroundUrl,
    },
    settings,
    headElements: isAuthorCodeDisabled ? [] : await headElements(headCodeOf(told.steps)),
    nonce,
    assets: await loadAssets(),
    inputCss: input && inputKind(input).css,
    data,
    title: settings.title ?? words.chat,
    refresh: waiting && waiting.seconds > 0 ? { seconds: waiting.seconds, path: home.path } : undefined,
    isIndexed: session === undefined,
    children,
  });
  const headers = pageHeaders(contentSecurityPolicy({ nonce, theme, allowedOrigins }), {
    holdsSession: session !== undefined,
  });
  language.mark(headers);
  if (waiting || waitingSession(request) !== undefined) {
    const sessionId = waiting ? (told.sessionId ?? undefined) : undefined;
    headers.set("Set-Cookie", sessionCookie(home.path, sessionId, { isSecure: isSecure(deps) }));
  }
  return new Response(html, { headers });
}

type Drawing = {
  readonly told: ChatSnapshot;
  readonly notes: readonly Entry[];
  readonly words: Words;
  readonly waiting: Waiting | undefined;
};

async function drawn(chat: ChatToShow, { told, notes, words, waiting }: Drawing): Promise<VNode> {
  const conversation = conversationOf(told.steps);
  const { wrong = undefined, notice = undefined } = "session" in chat ? chat.session : {};
  const state: ViewState = {
    ...conversation,
    entries: [...conversation.entries, ...notes],
    ...(wrong && { error: wrong.error, draft: wrong.draft }),
    isTyping: false,
    notice: notice && { text: words[notice] },
    dynamicTheme: told.steps.at(-1)?.dynamicTheme,
  };
  await loadInput(state.input);
  const place = {
    action: chat.home.path,
    key: crypto.randomUUID(),
    sessionId: told.sessionId,
    prefilled: JSON.stringify(chat.prefilled),
  };
  const { theme, settings } = told.bot;
  const isPartial = "shown" in chat && chat.shown.isPartial;
  const pause = "session" in chat ? conversation.pause : undefined;
  return (
    <Chat
      state={state}
      title={settings.title ?? words.chat}
      theme={theme}
      settings={settings}
      words={words}
      place={place}
      withoutScript={<WithoutScript {...{ waiting, isPartial, words, place, pause }} />}
    />
  );
}

/** What the page's script is told: texts as trees alone, without the forms that other clients read. */
function lean(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part) => {
    if (!isObject(part) || part["type"] !== "richText") return part;
    return { type: part["type"], richText: part["richText"] };
  });
}

function headCodeOf(steps: readonly Step[]): string | undefined {
  const props = steps[0]?.actions.find(({ type }) => type === "startPropsToInject");
  return textAt(props, "startPropsToInject", "customHeadCode");
}

type Rules = Pick<ShownStart, "isAuthorCodeDisabled" | "allowedOrigins">;

/** What the bot allows pages now; a chat may outlive its publication. */
async function rulesOf(deps: Dependencies, { publicId }: Home): Promise<Rules> {
  const bot = await deps.reads.publishedBots.add(publicId);
  const { isAuthorCodeDisabled = false, allowedOrigins = null } = bot?.facts ?? {};
  return { isAuthorCodeDisabled, allowedOrigins };
}

function isSecure({ config }: Dependencies): boolean {
  return (config.CHAT_URL ?? config.PUBLIC_URL)?.startsWith("https:") ?? false;
}
