import type { Dialect } from "../core/flow/dialect.ts";
import type { FlowFacts } from "../core/flow/facts.ts";
import type { ChatContact } from "../core/interpreter/program/contact.ts";
import type { Reply } from "../core/interpreter/program/state.ts";
import type { ContentFormat } from "../core/interpreter/program/view.ts";
import { isDue } from "../core/interpreter/step/reply.ts";
import type { StartOptions } from "../core/interpreter/step/start.ts";
import type { AdvanceTask } from "../core/tasks/messages.ts";
import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { awaitStandbys } from "../platform/database/outages/standbys.sql.ts";
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
import type { StepReader } from "./steps/answers-under-way.ts";
import type { ClaimStatements } from "./steps/claims.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import type { MessageBody } from "./steps/replies.ts";
import type { LoadedSession, SessionSource, StepAttempt } from "./steps/session-source.ts";

/** A request for the first step of a chat or a preview. */
export type FirstRequest = {
  readonly message: MessageBody;
  readonly isStreamEnabled: boolean;
  readonly isOnlyRegistering: boolean;
  readonly prefilledVariables: Readonly<Record<string, unknown>>;
  /**
   * Called before the step runs, with the prefilled variables that the flow does not accept from a start. May throw.
   */
  reportPrefilled?(names: readonly string[]): void;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  readonly hops: Hops;
  /** Receives the progress of the step. */
  readonly reader?: StepReader | undefined;
  readonly dialect: Dialect;
  /** The messenger contact who owns the chat. Absent for a visitor of the web. */
  readonly contact?: ChatContact | undefined;
};

/** A session that its first step will store, with the other inputs of this step. */
export type NewSession = LoadedSession & {
  /** The bot's id in the response; in a preview, the id as the caller wrote it. */
  readonly shownBotId: string;
  readonly publishedAt: string | null;
  readonly name?: string;
  readonly language?: string;
  readonly lifetimeMinutes: number;
  readonly contact?: ChatContact | undefined;
  readonly options: StartOptions;
  /** The scope within which an idempotency key must be unique. */
  readonly scope: string;
  /** The public id under which the bot was cached; null if the bot was read. */
  readonly cachedPublicId: string | null;
};

/** The fields of a new session that depend on its bot and request. */
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
> & {
  readonly lastSessionId?: string | null;
  readonly previewedBy?: string | null;
  readonly contactId?: string | null;
};

/**
 * Creates a session before its first step. The session is in the shard of its result, if any. Its id sorts after
 * `lastSessionId`.
 */
export function newSession({ lastSessionId = null, previewedBy = null, contactId = null, ...origin }: Origin): Session {
  const { resultId, now } = origin;
  return {
    ...origin,
    previewedBy,
    contactId,
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
  /**
   * The public id by which the request names its bot, which is part of the request's hash. If absent, the hash contains
   * no public id.
   */
  readonly publicId?: string;
  /** Returns the hash of the same request with another public id of its bot. */
  hashBy?(publicId: string): string;
  readonly isStreamEnabled: boolean;
  readonly isOnlyRegistering: boolean;
  /** Creates the session. Called again only if the first call used cached data. */
  begin(options: { mayBeCached: boolean }): Promise<NewSession>;
  /** Called with the session before the start performs effects. */
  onEffects?(session: Session): void;
};

/**
 * Returns the source of a session that this step creates. The session is found by its idempotency key, if any, and
 * claimed under this key. It is saved if the key is still free and a cached bot has not changed.
 */
export function newSessions(deps: ChatDependencies, scope: string, start: Start): SessionSource<NewSession> {
  const { key, publicId = null } = start;
  let begun: NewSession | undefined;
  const begin = async (mayBeCached: boolean): Promise<NewSession> => {
    if (!begun || (begun.isCached && !mayBeCached)) begun = await start.begin({ mayBeCached });
    return begun;
  };
  const findKeyed = async (ownKey: string, mayBeCached: boolean): Promise<NewSession> => {
    const found = await begin(mayBeCached);
    const known = await findStartKey(deps.sql, found.scope, ownKey);
    if (!known) return found;
    if (known.isClaimFromFuture) {
      await shortenStartClaim(deps.sql, { scope: found.scope, key: ownKey, seconds: deps.claimTimes.seconds });
    }
    if (known.response !== null) await awaitStandbys(deps.sql);
    // A stored response is returned only if the bot still accepts chats, which requires a read.
    return found.isCached ? findKeyed(ownKey, false) : withKey(found, known, start);
  };
  return {
    limiterKey: key === null ? null : `${scope} ${key}`,
    find: ({ mayBeCached }) => (key === null ? begin(mayBeCached) : findKeyed(key, mayBeCached)),
    taskFor: (found, reply) => firstTask(found, { ...start, reply: reply && isDue(reply) ? null : reply }),
    claimStatements({ session, scope }, attempt) {
      const statements = key === null ? unclaimed : keyClaim(deps, { ...attempt, session, scope, key, publicId });
      return {
        ...statements,
        take() {
          start.onEffects?.(session);
          return statements.take();
        },
      };
    },
    save: ({ session, scope, lifetimeMinutes, cachedPublicId, contact }, step, { isInDoubt }) =>
      // The object has only one spread, at its start, because each further spread costs a microsecond.
      deps.saves.starts.save({
        ...step,
        flowHash: session.flowHash,
        publicationNumber: session.publicationNumber,
        allowedOrigins: session.allowedOrigins,
        dialect: session.dialect,
        isAnonymous: session.isAnonymous,
        previewedBy: session.previewedBy,
        lifetimeMinutes,
        channel: contact?.channel,
        scope,
        publicId: key === null ? null : publicId,
        // After a save whose outcome is unknown, only the start's own row decides, so the bot is no longer checked.
        cachedPublicId: isInDoubt ? null : cachedPublicId,
      }),
    isSaved: (step) => isStepSaved(deps.sql, step),
  };
}

/** Lists the prefilled variables that a flow with these facts does not accept from a start. */
export function ignoredVariablesOf(
  { notPrefillable = [] }: Pick<FlowFacts, "notPrefillable">,
  prefilledVariables: FirstRequest["prefilledVariables"],
): readonly string[] {
  return notPrefillable.filter((name) => Object.hasOwn(prefilledVariables, name));
}

/** Returns the interpreter's input for a first step. */
export function firstTask(
  { session, options, shownBotId: botId, publishedAt, name, language }: NewSession,
  step: { isStreamEnabled: boolean; isOnlyRegistering: boolean; reply: Reply | null },
): Pick<AdvanceTask, "input" | "envelope"> {
  const { id: sessionId, resultId, dialect } = session;
  const { isStreamEnabled, isOnlyRegistering, reply } = step;
  return {
    input: {
      ...{ kind: "start", resultId, isOnlyRegistering, reply, options },
      // In the native dialect, a step never waits for its client to render an answer, because clients that stream
      // receive the answer from the step itself.
      isStreamEnabled: isStreamEnabled && dialect === "typebot",
    },
    envelope: {
      ...{ sessionId, resultId, botId, publishedAt, dialect },
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
    },
  };
}

/**
 * Returns the session for a key that already has a row: the saved session, or a retry with the clock, seed and ids of a
 * start that did not finish. An expired claim of another request is ignored. Throws `idempotency.key_reused` if another
 * request has finished or is running under the key.
 */
function withKey(found: NewSession, known: StartKeyRow, { requestHash, hashBy }: Start): NewSession {
  const { response, isClaimLive, isClaimFromFuture, claimNow, claimSeed, claimSessionId, claimResultId } = known;
  const { claimStepId: stepId } = known;
  // The bot may have had another public id when the start was made, so the hash with the stored public id is also
  // compared.
  const isSame =
    known.requestHash === requestHash || (known.publicId !== null && known.requestHash === hashBy?.(known.publicId));
  if (!isSame) {
    if (response === null && !isClaimLive) return found;
    throw new AppError("idempotency.key_reused");
  }
  if (response !== null)
    return { ...found, session: { ...found.session, replay: { requestHash, response, revision: 1 } } };
  if (claimNow === null || claimSeed === null || claimSessionId === null) return found;
  const holding = { isLive: isClaimLive, isFromFuture: isClaimFromFuture };
  const claim = { stepId, requestHash, now: claimNow, seed: claimSeed, ...holding };
  return { ...found, session: { ...found.session, id: claimSessionId, resultId: claimResultId, claim } };
}

/** No claim is needed without a key, because no other request can run the same step. */
const unclaimed: ClaimStatements = { take: async () => true, renew: async () => true, end: async () => {} };

function keyClaim(
  deps: ChatDependencies,
  { session, ...claim }: StepAttempt & { session: Session; scope: string; key: string; publicId: string | null },
): ClaimStatements {
  const { id: sessionId, resultId } = session;
  const { seconds } = deps.claimTimes;
  return {
    take: () => claimStart(deps.sql, { ...claim, sessionId, resultId, seconds }),
    renew: () => renewStartClaim(deps.sql, { ...claim, seconds }),
    end: () => endStartClaim(deps.sql, claim),
  };
}
