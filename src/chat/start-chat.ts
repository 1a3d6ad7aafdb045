import type { Dependencies } from "../dependencies.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { newId, shardOf } from "../ids.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import { limits } from "../limits.ts";
import { mayNameFiles, withStrangeFiles } from "../services/file-addresses.ts";
import { type Origins, requireOrigin } from "../services/origins.ts";
import { LostRace, StaleBot } from "../step-errors.ts";
import { keepHeldSession } from "../store/chat/held-sessions.ts";
import { findRememberedResult, type PublishedBotRow, type RememberedResult } from "../store/chat/published-bots.ts";
import type { StartToSave } from "../store/chat/records.ts";
import {
  claimStart,
  endStartClaim,
  findStartKey,
  renewStartClaim,
  type StartClaim,
  type StartKeyRow,
} from "../store/chat/save-starts.ts";
import type { SessionRow } from "../store/chat/sessions.ts";
import { saveRefusedStart } from "../store/logs.ts";
import type { Dialect } from "../threads/messages.ts";
import type { ChatAnswer } from "./continue-chat.ts";
import { isRefusal, refusalLog } from "./refusals.ts";
import { type MessageBody, replyOf, requestHash } from "./replies.ts";
import { programName, runStep } from "./run-step.ts";
import { saveSurely } from "./save-surely.ts";
import { newSeed } from "./seed.ts";

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
  readonly dialect: Dialect;
};

/** Starts a chat with a published bot: makes its session and its result, and takes the first step. */
export async function startChat(deps: Dependencies, request: StartRequest): Promise<ChatAnswer> {
  const { publicId } = request;
  const hot = request.resultId === null ? deps.hotBots.find(publicId) : undefined;
  if (hot) {
    try {
      return await startWith(deps, request, hot, publicId);
    } catch (error) {
      if (!mayBeOtherwise(error)) throw error;
      if (isOfTheFlow(error)) deps.hotBots.keep(publicId, hot, { isAlwaysRead: true });
      else deps.hotBots.forget(publicId);
    }
  }
  const bot = requireOpenBot(await deps.reads.publishedBots.add(publicId));
  deps.hotBots.keep(publicId, bot, { isAlwaysRead: false });
  return startWith(deps, request, bot, null);
}

/** Whether a start may fare otherwise with its bot as it stands now. Others who keep it waiting say nothing of that. */
function mayBeOtherwise(error: unknown): boolean {
  return error instanceof StaleBot || (isRefusal(error) && !hasCode(error, "session.busy"));
}

/** Whether every start with this flow comes to the same, and does so after much thinking. */
function isOfTheFlow(error: unknown): boolean {
  return error instanceof StaleBot ? error.reason === "performs" : hasCode(error, "step.over_budget");
}

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}

async function startWith(
  deps: Dependencies,
  request: StartRequest,
  bot: PublishedBotRow,
  metAs: string | null,
): Promise<ChatAnswer> {
  requireOrigin(deps, request.origins, bot.facts.allowedOrigins);
  const remembered = await findRemembered(deps, bot, request);
  const { origins: _, key, ...body } = request;
  return beginChat(deps, {
    botId: bot.botId,
    shownBotId: bot.botId,
    flowHash: bot.flowHash,
    publicationNumber: bot.publicationNumber,
    publishedAt: bot.publishedAt.toISOString(),
    allowedOrigins: bot.facts.allowedOrigins,
    lifetimeMinutes: bot.facts.lifetimeMinutes,
    resultId: remembered?.resultId ?? newId(),
    options: { prefilledVariables: request.prefilledVariables, ...(remembered && { restored: remembered }) },
    now: bot.now,
    scope: `bot:${bot.botId}`,
    requestHash: requestHash(body),
    key,
    message: request.message,
    isStreamEnabled: request.isStreamEnabled,
    isOnlyRegistering: request.isOnlyRegistering,
    contentFormat: request.contentFormat,
    dialect: request.dialect,
    isAnonymous: false,
    tellsEvents: bot.tellsEvents,
    metAs,
  });
}

/**
 * What the result holds that a visitor comes back with. It goes on, unless an existing client would then go on in a session
 * that is gone: such a visitor begins again, known by their variables.
 */
async function findRemembered(
  deps: Dependencies,
  { botId, facts, publicationNumber }: PublishedBotRow,
  { resultId, dialect }: Pick<StartRequest, "resultId" | "dialect">,
): Promise<RememberedResult | undefined> {
  if (resultId === null || !facts.remembersUser) return undefined;
  const result = await findRememberedResult(deps.sql, { botId, resultId });
  if (!result || dialect === "bot") return result;
  if (await keepHeldSession(deps.sql, { resultId, publicationNumber })) return result;
  return { ...result, resultId: newId(), answers: [] };
}

/** The bot that visitors meet, where it takes chats. */
export function requireOpenBot(bot: PublishedBotRow | null): PublishedBotRow {
  if (!bot) throw new AppError("bot.not_found");
  if (bot.isSuspended) throw new AppError("workspace.suspended");
  if (bot.isClosed) throw closedError(bot.facts.closedMessage);
  return bot;
}

/** Everything that a first step needs, live or preview. */
export type Beginning = {
  /** Whose the flow is. */
  readonly botId: string;
  /** The bot as the caller named it. */
  readonly shownBotId: string;
  readonly flowHash: string;
  readonly publicationNumber: number | null;
  readonly publishedAt: string | null;
  readonly allowedOrigins: readonly string[] | null;
  readonly lifetimeMinutes: number;
  /** Null in previews: nothing is stored as a result. */
  readonly resultId: string | null;
  readonly options: StartOptions;
  readonly now: Date;
  readonly scope: string;
  readonly key: string | null;
  readonly requestHash: string;
  readonly message: MessageBody;
  readonly isStreamEnabled: boolean;
  readonly isOnlyRegistering: boolean;
  readonly contentFormat: ContentFormat;
  readonly dialect: Dialect;
  readonly isAnonymous: boolean;
  /** Whether somebody is told of what happens to the result. */
  readonly tellsEvents: boolean;
  /** The public id under which the bot was met before, where it was not read now; else null. */
  readonly metAs: string | null;
};

type Attempt =
  | { readonly kind: "done"; readonly answer: ChatAnswer }
  | { readonly kind: "again"; readonly isOthers: boolean };

/** Takes a chat's first step. With a key, the same request twice is one start. */
export async function beginChat(deps: Dependencies, beginning: Beginning): Promise<ChatAnswer> {
  const { key, scope } = beginning;
  if (key === null) return takeFirstStep(deps, beginning, freshAttempt(beginning)).then(answered);
  return deps.turns.run(`${scope} ${key}`, async () => {
    const deadline = performance.now() + limits.session.waitMs;
    for (let pauseMs: number = limits.claims.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.claims.maxPollMs)) {
      const attempt = await tryStart(deps, beginning, key);
      if (attempt.kind === "done") return attempt.answer;
      if (performance.now() > deadline) throw new AppError("session.busy");
      if (attempt.isOthers) await Bun.sleep(pauseMs);
    }
  });
}

async function tryStart(deps: Dependencies, beginning: Beginning, key: string): Promise<Attempt> {
  const known = await findStartKey(deps.sql, beginning.scope, key);
  // What was answered before is given again where the bot still takes chats.
  if (known && beginning.metAs !== null) throw new StaleBot("changed");
  const isSame = known?.requestHash === beginning.requestHash;
  if (known && (known.response !== null || known.isClaimLive)) {
    if (!isSame) throw new AppError("idempotency.key_reused");
    if (known.response === null) return { kind: "again", isOthers: true };
    return { kind: "done", answer: { response: known.response, isReplayed: true } };
  }
  return takeFirstStep(deps, beginning, (isSame && takenUp(known)) || freshAttempt(beginning));
}

/** What a first step follows from besides its request. */
type Given = {
  readonly now: Date;
  readonly seed: string;
  readonly sessionId: string;
  readonly resultId: string | null;
};

function freshAttempt({ now, resultId }: Beginning): Given {
  return { now, seed: newSeed(), sessionId: newId(resultId === null ? undefined : shardOf(resultId)), resultId };
}

/** A start that came to nothing goes on with its clock, its seed and its ids, so that its effects come out equal. */
function takenUp({ claimNow, claimSeed, claimSessionId, claimResultId }: StartKeyRow): Given | undefined {
  if (claimNow === null || claimSeed === null || claimSessionId === null) return undefined;
  return { now: claimNow, seed: claimSeed, sessionId: claimSessionId, resultId: claimResultId };
}

async function takeFirstStep(
  deps: Dependencies,
  beginning: Beginning,
  { now, seed, sessionId, resultId }: Given,
): Promise<Attempt> {
  const { botId, flowHash, key, scope, dialect, metAs } = beginning;
  const reply = replyOf(beginning.message);
  const judged = mayNameFiles(reply) ? await withStrangeFiles(deps, reply, { id: sessionId, resultId }) : reply;
  const { seconds } = deps.claimTimes;
  let held: StartClaim | undefined;
  try {
    const step = await runStep(deps, {
      task: {
        program: programName(botId, flowHash),
        context: { now: now.getTime(), seed, isLive: resultId !== null, contentFormat: beginning.contentFormat },
        input: {
          kind: "start",
          resultId,
          isStreamEnabled: beginning.isStreamEnabled,
          isOnlyRegistering: beginning.isOnlyRegistering,
          reply: judged,
          options: beginning.options,
        },
        envelope: { sessionId, resultId, botId: beginning.shownBotId, publishedAt: beginning.publishedAt, dialect },
      },
      sessionId,
      revision: 0,
      isAnonymous: beginning.isAnonymous,
      // Without a key nobody else can be taking this step.
      claim: {
        async take() {
          if (metAs !== null) throw new StaleBot("performs");
          if (key === null) return;
          const { requestHash } = beginning;
          held = await claimStart(deps.sql, { scope, key, requestHash, now, seed, sessionId, resultId, seconds });
          if (!held) throw new LostRace();
        },
        async renew() {
          if (!held) return;
          const renewed = await renewStartClaim(deps.sql, held, seconds);
          if (!renewed) throw new LostRace();
          held = renewed;
        },
      },
    });
    const start: StartToSave = {
      ...step,
      sessionId,
      botId,
      resultId,
      revision: 0,
      stepId: newId(),
      key,
      requestHash: beginning.requestHash,
      reply: reply && JSON.stringify(reply),
      wasRead: true,
      tellsEvents: beginning.tellsEvents,
      flowHash,
      publicationNumber: beginning.publicationNumber,
      allowedOrigins: beginning.allowedOrigins,
      lifetimeMinutes: beginning.lifetimeMinutes,
      dialect,
      isAnonymous: beginning.isAnonymous,
      scope,
      seed,
      metAs,
    };
    // Once a save is in doubt its bot is asked no more: whether the start itself is there decides then.
    const isSaved = await saveSurely(deps, deps.saves.starts.save, start, { ...start, metAs: null });
    if (!isSaved && metAs !== null) throw new StaleBot("changed");
    if (!isSaved) return { kind: "again", isOthers: false };
    deps.hotSessions.begin(begunSession(start, now));
    return { kind: "done", answer: { response: step.response, isReplayed: false } };
  } catch (error) {
    if (held) await endStartClaim(deps.sql, held);
    // What a bot that was met before refuses is tried again as it stands now.
    const log = metAs === null ? refusalLog(error) : undefined;
    if (log && resultId !== null) await saveRefusedStart(deps.sql, { resultId, botId, log });
    if (error instanceof LostRace) return { kind: "again", isOthers: true };
    throw error;
  }
}

/** The session as a read would find it now. */
function begunSession(start: StartToSave, now: Date): SessionRow {
  const { sessionId, botId, flowHash, publicationNumber, resultId, stepId, state, isEnded } = start;
  return {
    ...{ id: sessionId, botId, flowHash, publicationNumber, resultId, revision: 1, lastStepId: stepId, state, isEnded },
    ...{ allowedOrigins: start.allowedOrigins, dialect: start.dialect, isAnonymous: start.isAnonymous },
    ...{
      isExpired: false,
      isSuspended: false,
      tellsEvents: start.tellsEvents,
      createdAt: now,
      now,
      claim: null,
      replay: null,
    },
    expiresAt: new Date(now.getTime() + start.lifetimeMinutes * 60_000),
  };
}

function answered(attempt: Attempt): ChatAnswer {
  if (attempt.kind === "again") throw new Error("A start without a key was not saved");
  return attempt.answer;
}

function closedError(message: string | null): AppError {
  return message === null ? new AppError("bot.closed") : new AppError("bot.closed", { message });
}
