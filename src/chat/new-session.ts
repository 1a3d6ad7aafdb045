import type { Reply } from "../core/interpreter/program/state.ts";
import type { StartOptions } from "../core/interpreter/step/start.ts";
import type { AdvanceTask } from "../core/tasks/messages.ts";
import { AppError } from "../errors.ts";
import { newId, newIdAfter, shardOf } from "../platform/ids.ts";
import type { Session } from "./reads/sessions.sql.ts";
import { isStepSaved } from "./reads/steps.sql.ts";
import {
  claimStart,
  endStartClaim,
  findStartKey,
  renewStartClaim,
  type StartKeyRow,
  shortenStartClaim,
} from "./saves/save-starts.sql.ts";
import type { ClaimStatements } from "./steps/claims.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import type { LoadedSession, SessionSource } from "./steps/session-source.ts";
import type { StepAttempt } from "./steps/step-attempt.ts";

/** A session that its first step stores, and what that step needs besides. */
export type NewSession = LoadedSession & {
  /** The bot as the caller named it. */
  readonly shownBotId: string;
  readonly publishedAt: string | null;
  readonly name?: string;
  readonly language?: string;
  readonly lifetimeMinutes: number;
  readonly options: StartOptions;
  /** Whose starts an idempotency key tells apart. */
  readonly scope: string;
  /** The public id under which the bot was found in the cache; null where it was read. */
  readonly cachedPublicId: string | null;
};

/** What a new session has of its bot and its request; the rest is the same for all. */
type Origin = Pick<
  Session,
  | "botId"
  | "workspaceId"
  | "flowHash"
  | "publicationNumber"
  | "resultId"
  | "allowedOrigins"
  | "dialect"
  | "isAnonymous"
  | "hasEventEndpoints"
  | "now"
> & { readonly lastSessionId?: string | null; readonly previewedBy?: string | null };

/** A session in which nothing has happened yet. It lies in the shard of its result, and sorts after the result's sessions before it. */
export function newSession({ lastSessionId = null, previewedBy = null, ...origin }: Origin): Session {
  const { resultId, now } = origin;
  return {
    ...origin,
    previewedBy,
    id: lastSessionId === null ? newId(resultId === null ? undefined : shardOf(resultId)) : newIdAfter(lastSessionId),
    revision: 0,
    movingTo: null,
    lastStepId: null,
    state: "",
    isEnded: false,
    isExpired: false,
    isSuspended: false,
    createdAt: now,
    expiresAt: now,
    claim: null,
    replay: null,
  };
}

type Start = {
  readonly key: string | null;
  readonly requestHash: string;
  readonly isStreamEnabled: boolean;
  readonly isOnlyRegistering: boolean;
  /** Makes the session of what is started. Asked once more only where what it gave was cached. */
  begin(options: { mayBeCached: boolean }): Promise<NewSession>;
  /** A start that was read is about to perform effects. */
  onEffects?(): void;
};

/**
 * A session that this step makes: found by its idempotency key if it has one, claimed under that key, and saved if the key is
 * still free and its bot, where that was cached, still stands so.
 */
export function newSessions(deps: ChatDependencies, scope: string, start: Start): SessionSource<NewSession> {
  const { key, requestHash } = start;
  let begun: NewSession | undefined;
  const begin = async (mayBeCached: boolean): Promise<NewSession> => {
    if (!begun || (begun.isCached && !mayBeCached)) begun = await start.begin({ mayBeCached });
    return begun;
  };
  const find = async (mayBeCached: boolean): Promise<NewSession> => {
    const found = await begin(mayBeCached);
    if (key === null) return found;
    const known = await findStartKey(deps.sql, found.scope, key);
    if (!known) return found;
    if (known.isClaimFromFuture) {
      await shortenStartClaim(deps.sql, { scope: found.scope, key, seconds: deps.claimTimes.seconds });
    }
    // What is stored under the key is given where the bot still takes chats: only a read tells.
    return found.isCached ? find(false) : withKey(found, known, requestHash);
  };
  return {
    limiterKey: key === null ? null : `${scope} ${key}`,
    find: ({ mayBeCached }) => find(mayBeCached),
    taskFor: (found, reply) => firstTask(found, { ...start, reply }),
    claimStatements({ session, scope }, attempt) {
      const statements = key === null ? unclaimed : keyClaim(deps, { ...attempt, session, scope, key });
      return {
        ...statements,
        take() {
          start.onEffects?.();
          return statements.take();
        },
      };
    },
    save: ({ session, ...found }, step, { seed, isInDoubt }) =>
      deps.saves.starts.save({
        ...session,
        ...found,
        ...step,
        seed,
        // Once a save is in doubt its bot is asked no more: whether the start itself is there decides then.
        cachedPublicId: isInDoubt ? null : found.cachedPublicId,
      }),
    isSaved: (step) => isStepSaved(deps.sql, step),
  };
}

/** What the interpreter is told of a first step. */
export function firstTask(
  { session, options, shownBotId: botId, publishedAt, name, language }: NewSession,
  step: { isStreamEnabled: boolean; isOnlyRegistering: boolean; reply: Reply | null },
): Pick<AdvanceTask, "input" | "envelope"> {
  const { id: sessionId, resultId, dialect } = session;
  const { isStreamEnabled, isOnlyRegistering, reply } = step;
  return {
    input: {
      ...{ kind: "start", resultId, isOnlyRegistering, reply, options },
      // In our own spelling a step never waits for its client to draw an answer: whoever reads along joins the step itself.
      isStreamEnabled: isStreamEnabled && dialect === "typebot",
    },
    envelope: {
      ...{ sessionId, resultId, botId, publishedAt, dialect },
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
    },
  };
}

/** The session as its key knows it: saved already, or to go on under the clock, seed and ids of a start that came to nothing. */
function withKey(found: NewSession, known: StartKeyRow, requestHash: string): NewSession {
  const { response, isClaimLive, isClaimFromFuture, claimNow, claimSeed, claimSessionId, claimResultId } = known;
  const { claimStepId: stepId } = known;
  if (known.requestHash !== requestHash) {
    if (response === null && !isClaimLive) return found;
    throw new AppError("idempotency.key_reused");
  }
  if (response !== null) return { ...found, session: { ...found.session, replay: { requestHash, response } } };
  if (claimNow === null || claimSeed === null || claimSessionId === null) return found;
  const holding = { isLive: isClaimLive, isFromFuture: isClaimFromFuture };
  const claim = { stepId, requestHash, now: claimNow, seed: claimSeed, ...holding };
  return { ...found, session: { ...found.session, id: claimSessionId, resultId: claimResultId, claim } };
}

/** Without a key nobody else can be taking the step. */
const unclaimed: ClaimStatements = { take: async () => true, renew: async () => true, end: async () => {} };

function keyClaim(
  deps: ChatDependencies,
  { session, ...claim }: StepAttempt & { session: Session; scope: string; key: string },
): ClaimStatements {
  const { id: sessionId, resultId } = session;
  const { seconds } = deps.claimTimes;
  return {
    take: () => claimStart(deps.sql, { ...claim, sessionId, resultId, seconds }),
    renew: () => renewStartClaim(deps.sql, { ...claim, seconds }),
    end: () => endStartClaim(deps.sql, claim),
  };
}
