import { showFirstStep } from "../../chat/show-first-step.ts";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { AppError } from "../../errors.ts";
import type { Origins } from "../../management/access/origins.ts";
import { publicIdIssues } from "../../management/access/public-addresses.ts";
import { domainHome } from "../../management/domains/custom-domains.ts";
import { noteFailure, unlessAborted } from "../../management/operations/failure.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { reportInAddress } from "../../platform/http/ignored.ts";
import { loadKinds } from "../components/load-kinds.ts";
import { transcriptName, transcriptText } from "../components/transcript/transcript-text.ts";
import { type PageSettings, pageSettings } from "../conversation/settings.ts";
import { readStart } from "../conversation/step.ts";
import { conversationOf } from "../conversation/transcript.ts";
import { compressed } from "./asset.ts";
import { assetPages } from "./assets.ts";
import { type Home, pageWordName, respondWithChat } from "./chat-page.tsx";
import { respondWithErrorPage } from "./error-page.tsx";
import { waitingSession } from "./form/cookie.ts";
import { prefilledOf, readForm } from "./form/form.ts";
import type { SessionView } from "./form/post-form.ts";
import { postForm, readShown, startKeyOf, viewSession } from "./form/post-form.ts";
import { isFramed } from "./framed.ts";
import { languageFor } from "./language.ts";
import { outlookPages } from "./outlook-pages.ts";
import { payPages } from "./pay-page.tsx";
import { previewPages } from "./preview-page.ts";
import { isSecure } from "./security.ts";

/** The pages and files for visitors. A GET request of a chat page stores nothing about the visitor. */
export const chatPages: readonly Page[] = [
  ...assetPages,
  ...previewPages,
  ...outlookPages,
  ...payPages,
  ...["/", "/:publicId"].flatMap((path): Page<ChatDependencies>[] => [
    {
      path,
      // On the management host, `/` redirects to the documentation.
      host: path === "/" ? "both" : "chat",
      respond: (deps, request, place) => withErrorPage(deps, request, place, showPage),
    },
    {
      method: "POST",
      path,
      host: "chat",
      respond: (deps, request, place) => withErrorPage(deps, request, place, takeForm),
    },
  ]),
];

type Answer = (deps: ChatDependencies, request: Request, page: { home: Home; place: Place }) => Promise<Response>;

/** Responds with the page of a bot. An error is returned to browsers as a page, and is rethrown for programs. */
async function withErrorPage(
  deps: ChatDependencies,
  request: Request,
  place: Place,
  answer: Answer,
): Promise<Response> {
  const isForPeople = request.headers.get("accept")?.includes("text/html") ?? false;
  let home: Home | undefined;
  try {
    home = await findHome(deps, request, place);
    if (!home) return frontWithoutBot(request, place);
    const response = await answer(deps, request, { home, place });
    if (answer === showPage && !isPrefetched(request)) deps.insightNotes.notePageView(home.publicId);
    return await compressed(request, response);
  } catch (thrown) {
    if (!isForPeople) throw thrown;
    const error = noteFailure(unlessAborted(request, thrown), place.known, deps);
    // The cause of the error may also prevent reading the settings.
    const settings = await settingsAt(deps, home).catch(() => pageSettings({}));
    return await compressed(
      request,
      await respondWithErrorPage(error, await languageFor(settings, request), home?.path),
    );
  }
}

/**
 * Whether a request does not count as a view of the page: it uses another method than GET, or the browser sends it in
 * advance.
 */
function isPrefetched({ headers, method }: Request): boolean {
  return (
    method !== "GET" || /prefetch|prerender|preview/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "")
  );
}

/** Returns the settings that an error page needs: the bot's language, and its message while it is closed. */
async function settingsAt(
  deps: ChatDependencies,
  home: Home | undefined,
): Promise<Pick<PageSettings, "language" | "systemMessages">> {
  const facts = home && (await deps.reads.publishedBots.add(home.publicId))?.facts;
  return { language: facts?.language, systemMessages: { botClosed: facts?.closedMessage ?? "" } };
}

async function showPage(
  deps: ChatDependencies,
  request: Request,
  { home, place }: Parameters<Answer>[2],
): Promise<Response> {
  const admission = place.admission({ isPatient: true });
  await admission.admit("steps", { address: admission.address });
  const sessionId = waitingSession(request);
  if (sessionId !== undefined) {
    const session = await viewSession(deps, { sessionId, publicId: home.publicId, origins: originsOf(request) }).catch(
      ignoreSessionErrors,
    );
    if (session) return respondWithChat(deps, request, { home, session, prefilled: {} });
  }
  const prefilled = prefilledOf(request.url);
  const key = crypto.randomUUID();
  const first = { publicId: home.publicId, prefilledVariables: prefilled, key: startKeyOf(key) };
  const shown = await showFirstStep(deps, first);
  const chat = { home, shown, snapshot: readStart(shown.response), prefilled, key };
  const page = await respondWithChat(deps, request, chat);
  reportInAddress(page.headers, shown.ignoredVariables);
  return page;
}

async function takeForm(
  deps: ChatDependencies,
  request: Request,
  { home, place }: Parameters<Answer>[2],
): Promise<Response> {
  const sandbox = await sandboxOf(deps, request, home);
  if (isCrossSite(request) && !sandbox) return new Response(null, { status: 303, headers: { Location: home.path } });
  const admission = place.admission({ isPatient: true });
  await admission.admit("steps", { address: admission.address });
  const { publicId } = home;
  const form = await readForm(request, deps, { bot: publicId, admission });
  const words = async (settings: PageSettings) => (await languageFor(settings, request)).words;
  const origins = sandbox === "frame" ? { ...originsOf(request), origin: home.origin } : originsOf(request);
  const said = { origins, hops: deps.hops.read(request) };
  const session = await postForm(deps, { publicId, form, words, ...said, admission });
  if (!session) {
    const { prefilled, key } = form;
    const again = await readShown(deps, { publicId, form });
    const shown = await showFirstStep(deps, { publicId, prefilledVariables: prefilled, key: startKeyOf(key), again });
    const chat = { home, shown, snapshot: readStart(shown.response), prefilled, key };
    return respondWithChat(deps, request, { ...chat, isStarting: true });
  }
  const file = form.control === "saveTranscript" && (await transcriptFile(deps, request, { home, session }));
  if (file) return file;
  return respondWithChat(deps, request, { home, session, prefilled: form.prefilled });
}

/**
 * Finds the bot of a URL by its public id, otherwise by its custom domain and path. A domain that a workspace has
 * verified shows only bots of that workspace. Returns undefined for `/` if there is no bot and the domain is not a
 * workspace's. Throws `bot.not_found` or `route.not_found` for any other URL.
 */
async function findHome(deps: ChatDependencies, request: Request, place: Place): Promise<Home | undefined> {
  const { pathname } = new URL(request.url);
  const { params } = place;
  const publicId = typeof params["publicId"] === "string" ? params["publicId"] : "";
  const isName = publicId !== "" && publicIdIssues(publicId, "publicId").length === 0;
  const [bot, domain] = await Promise.all([
    isName ? deps.reads.publishedBots.add(publicId) : undefined,
    place.isAnswered("chat") ? domainHome(deps, place.host(), pathname) : undefined,
  ]);
  const isAtHome = domain === undefined || isOurs(deps, place) || bot?.workspaceId === domain.workspaceId;
  if (bot && isAtHome) return { publicId, path: pathname, origin: chatOrigin(deps, place), isOwnDomain: false };
  if (domain && domain.publicId !== null) {
    return { publicId: domain.publicId, path: pathname, origin: visitedOrigin(deps, place), isOwnDomain: true };
  }
  if (pathname === "/" && (domain === undefined || isOurs(deps, place))) return undefined;
  throw new AppError(isName ? "bot.not_found" : "route.not_found");
}

/** Returns the configured origin of chats, or else the origin of the request. */
function chatOrigin(deps: ChatDependencies, place: Place): string {
  const { CHAT_URL, PUBLIC_URL } = deps.config;
  return (CHAT_URL ?? PUBLIC_URL)?.replace(/\/$/, "") ?? visitedOrigin(deps, place);
}

function visitedOrigin(deps: ChatDependencies, place: Place): string {
  return `${isSecure(deps.config) ? "https" : "http"}://${place.host()}`;
}

/** Whether the origin is the service's own origin, where all bots can be reached. */
function isOurs({ config }: ChatDependencies, place: Place): boolean {
  return [config.CHAT_URL, config.PUBLIC_URL].some((url) => url !== undefined && new URL(url).host === place.host());
}

/**
 * Redirects `/` without a bot to the documentation. Throws `route.not_found` for a POST request, and on a host that
 * only serves chats.
 */
function frontWithoutBot(request: Request, place: Place): Response {
  if (request.method === "POST" || !place.isAnswered("management")) throw new AppError("route.not_found");
  return new Response(null, { status: 302, headers: { Location: "/docs", "Cache-Control": "no-store" } });
}

/**
 * Whether another site posted the form. Such a site could make visitors answer in a session that the site can read, so
 * the first step is shown instead.
 */
function isCrossSite({ headers }: Request): boolean {
  return /^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "");
}

/**
 * Returns the sandbox from which a form of Parley's own page was posted: the sandbox of the page's policy, or of a
 * frame. Posts from a sandbox have no origin, like posts of other sites, so a token in the form's URL identifies the
 * page. Anyone can get a token for frames, so it counts only in frames. There, visitors see only the URL of the
 * surrounding page anyway, and the page's policy decides which page this may be.
 */
async function sandboxOf(
  deps: ChatDependencies,
  request: Request,
  { publicId }: Home,
): Promise<"policy" | "frame" | undefined> {
  const { origin, word } = originsOf(request);
  if (origin !== "null" || !word) return undefined;
  const [bot] = await Promise.all([deps.reads.publishedBots.add(publicId), deps.pageWords.open()]);
  const allowed = bot?.facts.allowedOrigins ?? null;
  if (deps.pageWords.isOurs(word, allowed)) return "policy";
  return isFramed(request) && deps.pageWords.isOurs(word, allowed, publicId) ? "frame" : undefined;
}

function originsOf({ headers, url }: Request): Origins {
  const word = new URL(url).searchParams.get(pageWordName);
  return { origin: headers.get("origin"), framedBy: null, host: headers.get("host"), word };
}

/**
 * Ignores errors about the session, such as a missing session, so that the page shows its first step. Rethrows any
 * other error.
 */
function ignoreSessionErrors(error: unknown): undefined {
  if (!(error instanceof AppError) || !error.code.startsWith("session.")) throw error;
}

/**
 * Returns the conversation of a session as a file. Undefined if the chat has not ended, or if the bot does not allow
 * saving the conversation.
 */
async function transcriptFile(
  deps: ChatDependencies,
  request: Request,
  { home, session }: { readonly home: Home; readonly session: SessionView },
): Promise<Response | undefined> {
  const { bot, steps, isEnded } = session.snapshot;
  if (!isEnded || !bot.settings.maySaveTranscript) return undefined;
  const { words } = await languageFor(bot.settings, request);
  await loadKinds(steps);
  const found = await deps.reads.publishedBots.add(home.publicId);
  const title = bot.settings.title ?? (found?.name || words.chat);
  const text = transcriptText(conversationOf(steps).entries, { title, words, now: new Date() });
  const name = encodeURIComponent(transcriptName(title));
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
