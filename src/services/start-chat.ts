import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { newId, shardOf } from "../ids.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import { limits } from "../limits.ts";
import { saveRefusedStart } from "../store/logs.ts";
import { findRememberedResult } from "../store/published-bots.ts";
import { claimStart, endStartClaim, findStartKey, type StartToSave } from "../store/save-starts.ts";
import type { Dialect } from "../threads/messages.ts";
import type { ChatAnswer } from "./continue-chat.ts";
import { type Origins, requireOrigin } from "./origins.ts";
import { refusalLog } from "./refusals.ts";
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
  const bot = await deps.reads.publishedBots.add(request.publicId);
  if (!bot) throw new AppError("bot.not_found");
  if (bot.isSuspended) throw new AppError("workspace.suspended");
  if (bot.isClosed) throw closedError(bot.facts.closedMessage);
  requireOrigin(deps, request.origins, bot.facts.allowedOrigins);

  const remembered =
    request.resultId !== null && bot.facts.remembersUser
      ? await findRememberedResult(deps.sql, { botId: bot.botId, resultId: request.resultId })
      : undefined;
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
  });
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
};

type Attempt =
  | { readonly kind: "done"; readonly answer: ChatAnswer }
  | { readonly kind: "again"; readonly isOthers: boolean };

/** Takes a chat's first step. With a key, the same request twice is one start. */
export async function beginChat(deps: Dependencies, beginning: Beginning): Promise<ChatAnswer> {
  const { key, scope } = beginning;
  if (key === null) return takeFirstStep(deps, beginning, { now: beginning.now, seed: newSeed() }).then(answered);
  return deps.turns.take(`${scope} ${key}`, async () => {
    const deadline = performance.now() + limits.sessionWaitMs;
    for (let pauseMs: number = limits.claimPollMs; ; pauseMs = Math.min(pauseMs * 2, limits.claimPollMostMs)) {
      const attempt = await tryStart(deps, beginning, key);
      if (attempt.kind === "done") return attempt.answer;
      if (performance.now() > deadline) throw new AppError("session.busy");
      if (attempt.isOthers) await Bun.sleep(pauseMs);
    }
  });
}

async function tryStart(deps: Dependencies, beginning: Beginning, key: string): Promise<Attempt> {
  const known = await findStartKey(deps.sql, beginning.scope, key);
  const isSame = known?.requestHash === beginning.requestHash;
  if (known && (known.response !== null || known.isClaimLive)) {
    if (!isSame) throw new AppError("idempotency.key_reused");
    if (known.response === null) return { kind: "again", isOthers: true };
    return { kind: "done", answer: { response: known.response, isReplayed: true } };
  }
  // A start that came to nothing is taken up with its clock and seed, so that its effects come out equal.
  const { claimNow, claimSeed } = (isSame && known) || {};
  return takeFirstStep(deps, beginning, { now: claimNow ?? beginning.now, seed: claimSeed ?? newSeed() });
}

async function takeFirstStep(
  deps: Dependencies,
  beginning: Beginning,
  { now, seed }: { now: Date; seed: string },
): Promise<Attempt> {
  const { botId, flowHash, resultId, key, scope, dialect } = beginning;
  const reply = replyOf(beginning.message);
  const sessionId = newId(resultId === null ? undefined : shardOf(resultId));
  let isClaimed = false;
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
          reply,
          options: beginning.options,
        },
        envelope: { sessionId, resultId, botId: beginning.shownBotId, publishedAt: beginning.publishedAt, dialect },
      },
      sessionId,
      revision: 0,
      isAnonymous: beginning.isAnonymous,
      // Without a key nobody else can be taking this step.
      claim: async () => {
        if (key === null) return;
        isClaimed = await claimStart(deps.sql, {
          scope,
          key,
          requestHash: beginning.requestHash,
          now,
          seed,
          seconds: limits.claimSeconds,
        });
        if (!isClaimed) throw new LostStart();
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
      flowHash,
      publicationNumber: beginning.publicationNumber,
      allowedOrigins: beginning.allowedOrigins,
      lifetimeMinutes: beginning.lifetimeMinutes,
      dialect,
      isAnonymous: beginning.isAnonymous,
      scope,
      seed,
    };
    const isSaved = await saveSurely(deps, deps.saves.starts.save, start);
    return isSaved
      ? { kind: "done", answer: { response: step.response, isReplayed: false } }
      : { kind: "again", isOthers: false };
  } catch (error) {
    if (isClaimed && key !== null) await endStartClaim(deps.sql, { scope, key, seed });
    const log = refusalLog(error);
    if (log && resultId !== null) await saveRefusedStart(deps.sql, { resultId, botId, log });
    if (error instanceof LostStart) return { kind: "again", isOthers: true };
    throw error;
  }
}

function answered(attempt: Attempt): ChatAnswer {
  if (attempt.kind === "again") throw new Error("A start without a key was not saved");
  return attempt.answer;
}

function closedError(message: string | null): AppError {
  return message === null ? new AppError("bot.closed") : new AppError("bot.closed", { message });
}

/** Another start with this key claimed it first. */
class LostStart extends Error {
  override readonly name = "LostStart";
}
