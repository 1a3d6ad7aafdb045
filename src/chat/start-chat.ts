import { createHash } from "node:crypto";
import type { Dialect } from "../core/flow/dialect.ts";
import type { ChatContact } from "../core/interpreter/program/contact.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Caller, requireBot } from "../management/access/access.ts";
import type { Origins } from "../management/access/origins.ts";
import { eraseNamedResults } from "../management/row-erasure/bin-erasure.ts";
import { endChatOfDeletedBot } from "../management/row-erasure/ended-chats.sql.ts";
import { newId } from "../platform/ids.ts";
import type { Admission } from "../platform/rate-limits/rate-limits.ts";
import { countNestedStart } from "./nested-starts.ts";
import { type FirstRequest, ignoredVariablesOf, type NewSession, newSession, newSessions } from "./new-session.ts";
import {
  findRememberedResult,
  findResultVersion,
  findVersionToStart,
  type PublishedBotRow,
  type RememberedResult,
} from "./reads/published-bots.sql.ts";
import { isResultThere, type Session } from "./reads/sessions.sql.ts";
import { isOfStart, type ShownFacts } from "./shown/shown-starts.ts";
import type { ChatAnswer } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { replyOf, requestHash } from "./steps/replies.ts";
import { takeStep } from "./steps/take-step.ts";

export type StartRequest = FirstRequest & {
  readonly publicId: string;
  readonly resultId: string | null;
  readonly origins: Origins;
  /** Counts the start for its bot and workspace, or for the workspace whose chat sends the request. */
  readonly admission: Admission;
  /** The encrypted facts of the first step that the visitor's page has shown, for this start's key. */
  readonly shown?: string | undefined;
  /**
   * A version to start instead of the version published under the public id. The caller's permission has been checked.
   */
  readonly version?: { readonly botId: string; readonly number: number };
};

/**
 * The hash of a start without a key. No other request is compared with this start, and computing a hash would cost 3.7
 * µs.
 */
const unhashed = "00";

/** Starts a chat with a published bot: creates its session and its result, and runs the first step. */
export async function startChat(deps: ChatDependencies, request: StartRequest): Promise<ChatAnswer> {
  const { publicId, message, contentFormat, isStreamEnabled, isOnlyRegistering } = request;
  const { origins, hops, key, admission, reader, contact } = request;
  const hash = key === null ? unhashed : hashOf(request);
  const { shown: sealed } = request;
  const shown = sealed !== undefined && key !== null ? await deps.shownStarts.open(sealed, key) : undefined;
  let isCounted = false;
  let endTurn = (): void => {};
  let waitedFor: Session | undefined;
  /**
   * Counts once per request, even if a cached bot must be read again. Then waits for the start's turn among the starts
   * of its workspace.
   */
  const countStart = async ({ botId, workspaceId }: PublishedBotRow): Promise<void> => {
    if (isCounted) return;
    isCounted = true;
    if (hops.count > 0) await countNestedStart(deps, hops, admission.ownAddress());
    const isCalled = hops.workspaceId !== null && hops.workspaceId !== workspaceId;
    const admitted = admission.admit(
      "starts",
      isCalled ? { workspace: hops.workspaceId } : { bot: botId, workspace: workspaceId },
    );
    if (admitted) await admitted;
    const owners = { workspace: workspaceId };
    endTurn = deps.startsUnderWay.tryAcquire(owners, 1) ?? (await deps.startsUnderWay.acquire(owners, 1));
  };
  const source = newSessions(deps, publicId.toLowerCase(), {
    key,
    publicId,
    hashBy: (formerId) => hashOf({ ...request, publicId: formerId }),
    requestHash: hash,
    isStreamEnabled,
    isOnlyRegistering,
    begin: (options) => begin(deps, request, { ...options, shown, countStart }),
    onEffects(session) {
      waitedFor = session;
      if (!request.version) deps.botCache.readAlways(publicId);
      // A start that waits for other servers must not block other starts.
      endTurn();
    },
  });
  try {
    const step = { reply: replyOf(message), contentFormat, key, hash, origins, hops, reader, contact };
    const answer = await takeStep(deps, source, step);
    if (waitedFor) await requireBotThere(deps, waitedFor);
    return answer;
  } finally {
    endTurn();
  }
}

/**
 * Throws `bot.not_found` and ends the chat if its bot was deleted while its first step waited for other servers. The
 * deletion ended only the chats that existed then; after this check, it also finds the new chat.
 */
async function requireBotThere({ sql }: ChatDependencies, { id: sessionId, botId, resultId }: Session): Promise<void> {
  const ended = await endChatOfDeletedBot(sql, { sessionId, botId });
  if (!ended) return;
  if (!ended.isInBin && resultId !== null) await eraseNamedResults(sql, { botId, resultIds: [resultId] });
  throw new AppError("bot.not_found");
}

/** Hashes the fields that identify a repeated start. */
function hashOf(request: StartRequest): string {
  const { origins: _, hops: __, key: ___, admission: ____, reader: _____, reportPrefilled: ______, ...more } = request;
  // Excludes the facts of the displayed step, so that nodes of an earlier release compute the same hash. Excludes the
  // contact, whose name may have changed.
  const { shown: _______, contact: ________, ...body } = more;
  return requestHash(body);
}

async function begin(
  deps: ChatDependencies,
  request: StartRequest,
  { mayBeCached, shown: given, countStart }: Beginning,
): Promise<NewSession> {
  const { publicId, prefilledVariables, dialect, contact } = request;
  // The result of a returning visitor must always be read.
  const isCacheable = mayBeCached && request.resultId === null && !request.version;
  const known = isCacheable ? deps.botCache.find(publicId) : undefined;
  // The displayed version may be a canary and differ from the cached version.
  const cached = given && known?.publicationNumber !== given.number ? undefined : known;
  const read = cached ?? (await (request.version ? readVersion(deps, request.version) : readOpenBot(deps, publicId)));
  const shown = given && isOfStart(read, given) ? given : undefined;
  const bot = read.canaryNumber === null ? read : await withCanary(deps, read, { ...request, shown });
  request.reportPrefilled?.(ignoredVariablesOf(bot.facts, request.prefilledVariables));
  await countStart(bot);
  const remembered =
    request.resultId === null ? undefined : await findRemembered(deps, bot, { resultId: request.resultId, dialect });
  return newSessionWith(bot, {
    dialect,
    contact,
    resultId: remembered?.resultId ?? (shown && (await freeResultId(deps, shown))) ?? newId(),
    ...(remembered && { lastSessionId: remembered.lastSessionId }),
    options: { prefilledVariables, ...(remembered && { restored: remembered }) },
    cachedPublicId: cached ? publicId : null,
    ...(shown && { shownWith: { now: new Date(shown.now), seed: shown.seed } }),
  });
}

type Beginning = {
  readonly mayBeCached: boolean;
  readonly shown: ShownFacts | undefined;
  countStart(bot: PublishedBotRow): Promise<void>;
};

/**
 * Returns the id of the displayed result, unless a result with this id exists or was erased. In that case, its chat was
 * started before, and the key of that start has been deleted.
 */
async function freeResultId({ sql }: ChatDependencies, { resultId }: ShownFacts): Promise<string | undefined> {
  return (await isResultThere(sql, resultId)) ? undefined : resultId;
}

/**
 * Starts a chat with one version of a bot, for a caller who may write the bot. This is an ordinary chat with a result,
 * even if visitors get another version or none.
 */
export async function startVersion(
  deps: ChatDependencies,
  caller: Caller,
  {
    botId,
    number,
    ...request
  }: Omit<StartRequest, "publicId" | "version" | "resultId"> & { botId: string; number: number },
): Promise<ChatAnswer> {
  await requireBot(deps, caller, botId, "write");
  // Releases the database slot of the request, because the rest of the request is an ordinary chat.
  caller.place.end();
  return startChat(deps, { ...request, publicId: botId, resultId: null, version: { botId, number } });
}

/** Creates a session with a published bot, before its first step. */
export function newSessionWith(
  bot: PublishedBotRow,
  start: Pick<NewSession, "options" | "cachedPublicId" | "shownWith"> & {
    dialect: Dialect;
    resultId: string;
    contact?: ChatContact | undefined;
    /** The result's previous session. The new session's id sorts after it. */
    lastSessionId?: string | null;
  },
): NewSession {
  const { botId, workspaceId, flowHash, publicationNumber, hasEventEndpoints, now } = bot;
  const { allowedOrigins, language } = bot.facts;
  const { dialect, resultId, lastSessionId = null, options, cachedPublicId, shownWith, contact } = start;
  const lifetimeMinutes = contact ? limits.channels.sessionMinutes : bot.facts.lifetimeMinutes;
  return {
    session: newSession({
      ...{ botId, workspaceId, flowHash, publicationNumber, resultId, lastSessionId, dialect },
      ...{ allowedOrigins, hasEventEndpoints, now, isAnonymous: false, contactId: contact?.id ?? null },
    }),
    isCached: cachedPublicId !== null,
    shownBotId: botId,
    publishedAt: bot.publishedAt.toISOString(),
    name: bot.name,
    ...(language !== undefined && { language }),
    scope: `bot:${botId}`,
    ...{ lifetimeMinutes, options, cachedPublicId, shownWith, contact },
  };
}

/** Finds the bot that is published under this public id. Throws if the bot accepts no chats. */
export async function readOpenBot(deps: ChatDependencies, publicId: string): Promise<PublishedBotRow> {
  const bot = await deps.reads.publishedBots.add(publicId);
  deps.botCache.keep(publicId, bot);
  if (!bot) throw new AppError("bot.not_found");
  if (bot.isSuspended) throw new AppError("workspace.suspended");
  if (bot.isClosed) throw closedError(bot.facts.closedMessage);
  return bot;
}

/**
 * Returns the canary version for the canary's share of new chats, otherwise the given bot. A repeated request with a
 * key gets the same version. If the visitor's version is already known, from the visitor's result or else from the
 * displayed page, the share is ignored. The visitor then gets the canary if the known version is the canary, otherwise
 * the given bot.
 */
export async function withCanary(
  deps: ChatDependencies,
  bot: PublishedBotRow,
  { key, resultId, shown }: Pick<StartRequest, "key" | "resultId"> & { readonly shown?: ShownFacts | undefined },
): Promise<PublishedBotRow> {
  const { botId, canaryNumber: number, canaryPercent: percent } = bot;
  if (number === null || percent === null) return bot;
  const before = resultId === null ? null : await findResultVersion(deps.sql, { botId, resultId });
  const known = before ?? shown?.number;
  const isChosen = known === undefined ? shareOf([botId, number, key ?? newId()]) < percent / 100 : known === number;
  if (!isChosen) return bot;
  return (await findVersionToStart(deps.sql, { botId, number })) ?? bot;
}

/** Returns a number from 0 to 1, evenly distributed and always the same for the same input. */
function shareOf(parts: readonly [botId: string, number: number, visitor: string]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * Reads a version of a bot, even if the bot is closed or not published. Throws if the version does not exist or its
 * workspace is suspended.
 */
async function readVersion(
  deps: ChatDependencies,
  version: { botId: string; number: number },
): Promise<PublishedBotRow> {
  const bot = await findVersionToStart(deps.sql, version);
  if (!bot) throw new AppError("publication.not_found");
  if (bot.isSuspended) throw new AppError("workspace.suspended");
  return bot;
}

function closedError(message: string | null): AppError {
  return message === null ? new AppError("bot.closed") : new AppError("bot.closed", { message });
}

/**
 * Reads the data of a returning visitor's result, if the bot remembers visitors, so that the visitor continues this
 * result. If the client would continue a session that no longer exists, the visitor starts over with the result's
 * variables.
 */
async function findRemembered(
  deps: ChatDependencies,
  { botId, facts, publicationNumber }: PublishedBotRow,
  { resultId, dialect }: { readonly resultId: string; readonly dialect: Dialect },
): Promise<RememberedResult | undefined> {
  if (!facts.remembersUser) return undefined;
  const result = await findRememberedResult(deps.sql, { botId, resultId });
  if (!result || (await deps.clientHooks.goesOn({ resultId, publicationNumber, dialect }))) return result;
  return { ...result, resultId: newId(), lastSessionId: null, answers: [] };
}
