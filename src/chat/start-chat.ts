import type { Dialect } from "../compatibility/dialect.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Hops } from "../effects/hops.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import type { Admission } from "../rate-limits/rate-limits.ts";
import type { Origins } from "../services/origins.ts";
import { findRememberedResult, type PublishedBotRow, type RememberedResult } from "../store/chat/published-bots.ts";
import { type NewSession, newSession, newSessions } from "./new-session.ts";
import { type MessageBody, replyOf, requestHash } from "./replies.ts";
import { type ChatAnswer, takeStep } from "./take-step.ts";

export type StartRequest = {
  readonly publicId: string;
  readonly message: MessageBody;
  readonly isStreamEnabled: boolean;
  readonly isOnlyRegistering: boolean;
  readonly resultId: string | null;
  readonly prefilledVariables: Readonly<Record<string, unknown>>;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  readonly origins: Origins;
  readonly hops: Hops;
  readonly dialect: Dialect;
  /** Counts the start for its bot and its workspace, or for the workspace whose chat makes it. */
  readonly admission: Admission;
};

/** Starts a chat with a published bot: makes its session and its result, and takes the first step. */
export async function startChat(deps: Dependencies, request: StartRequest): Promise<ChatAnswer> {
  const { origins, hops, key, admission, ...body } = request;
  const { publicId, message, contentFormat, isStreamEnabled, isOnlyRegistering } = body;
  const hash = requestHash(body);
  let isCounted = false;
  /** Once a request: a bot that was cached may have to be read. */
  const countStart = async ({ botId, workspaceId }: PublishedBotRow): Promise<void> => {
    if (isCounted) return;
    isCounted = true;
    const isCalled = hops.workspaceId !== null && hops.workspaceId !== workspaceId;
    await admission.admit(
      "starts",
      isCalled ? { workspace: hops.workspaceId } : { bot: botId, workspace: workspaceId },
    );
  };
  const source = newSessions(deps, publicId.toLowerCase(), {
    key,
    requestHash: hash,
    isStreamEnabled,
    isOnlyRegistering,
    begin: (options) => begin(deps, request, { ...options, countStart }),
    onEffects: () => deps.botCache.readAlways(publicId),
  });
  return takeStep(deps, source, { reply: replyOf(message), contentFormat, key, hash, origins, hops });
}

async function begin(
  deps: Dependencies,
  request: StartRequest,
  { mayBeCached, countStart }: { mayBeCached: boolean; countStart(bot: PublishedBotRow): Promise<void> },
): Promise<NewSession> {
  const { publicId, prefilledVariables, dialect } = request;
  // Who comes back with a result needs that read in any case.
  const cached = mayBeCached && request.resultId === null ? deps.botCache.find(publicId) : undefined;
  const bot = cached ?? (await readOpenBot(deps, publicId));
  await countStart(bot);
  const remembered = await findRemembered(deps, bot, request);
  return newSessionWith(bot, {
    dialect,
    resultId: remembered?.resultId ?? newId(),
    ...(remembered && { lastSessionId: remembered.lastSessionId }),
    options: { prefilledVariables, ...(remembered && { restored: remembered }) },
    cachedPublicId: cached ? publicId : null,
  });
}

/** What a first step with a published bot begins from. */
export function newSessionWith(
  bot: PublishedBotRow,
  start: Pick<NewSession, "options" | "cachedPublicId"> & {
    dialect: Dialect;
    resultId: string;
    /** The result's session before this one, after which this one sorts. */
    lastSessionId?: string | null;
  },
): NewSession {
  const { botId, workspaceId, flowHash, publicationNumber, hasEventEndpoints, now } = bot;
  const { allowedOrigins, lifetimeMinutes } = bot.facts;
  const { dialect, resultId, lastSessionId = null, options, cachedPublicId } = start;
  return {
    session: newSession({
      ...{ botId, workspaceId, flowHash, publicationNumber, resultId, lastSessionId, dialect },
      ...{ allowedOrigins, hasEventEndpoints, now, isAnonymous: false },
    }),
    isCached: cachedPublicId !== null,
    shownBotId: botId,
    publishedAt: bot.publishedAt.toISOString(),
    scope: `bot:${botId}`,
    ...{ lifetimeMinutes, options, cachedPublicId },
  };
}

/** The bot that visitors meet under this public id, where it takes chats. */
export async function readOpenBot(deps: Dependencies, publicId: string): Promise<PublishedBotRow> {
  const bot = await deps.reads.publishedBots.add(publicId);
  deps.botCache.keep(publicId, bot);
  if (!bot) throw new AppError("bot.not_found");
  if (bot.isSuspended) throw new AppError("workspace.suspended");
  if (bot.isClosed) throw closedError(bot.facts.closedMessage);
  return bot;
}

function closedError(message: string | null): AppError {
  return message === null ? new AppError("bot.closed") : new AppError("bot.closed", { message });
}

/**
 * What the result holds that a visitor comes back with. It goes on, unless the visitor's client would then go on in a session
 * that is gone: then the visitor begins again, known by their variables.
 */
async function findRemembered(
  deps: Dependencies,
  { botId, facts, publicationNumber }: PublishedBotRow,
  { resultId, dialect }: Pick<StartRequest, "resultId" | "dialect">,
): Promise<RememberedResult | undefined> {
  if (resultId === null || !facts.remembersUser) return undefined;
  const result = await findRememberedResult(deps.sql, { botId, resultId });
  if (!result || (await deps.clientHooks.goesOn({ resultId, publicationNumber, dialect }))) return result;
  return { ...result, resultId: newId(), lastSessionId: null, answers: [] };
}
