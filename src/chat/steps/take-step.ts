import { LostRace, NeedsRead } from "../../core/interpreter/step-errors.ts";
import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { requireOrigin } from "../../management/access/origins.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { type Lazy, lazily } from "../../platform/concurrency/lazily.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { isAbout } from "../../platform/observing/current-request.ts";
import type { Session } from "../reads/sessions.sql.ts";
import { appendLogs, saveRefusedStart } from "../saves/logs.sql.ts";
import type { ChatAnswer } from "./answers-under-way.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { missedEnd, movedOn } from "./missed-steps.ts";
import { effectsOfAttempt, runAndSave } from "./run-and-save.ts";
import {
  attemptOf,
  isSameRequest,
  type LoadedSession,
  type SessionSource,
  type StepRequest,
} from "./session-source.ts";
import { createSharedStep, findJoinable, joinStep, type SharedStep } from "./shared-step.ts";
import type { StepEffects } from "./step-effects.ts";

/**
 * Runs one step: a start, a reply or a preview. A step is durable once it is acknowledged, and repeating a request does
 * not repeat its step. Two requests are the same if they have the same session (or are starts) and the same
 * `Idempotency-Key`; different content under the same key is rejected. Without a key, a second request is a second
 * reply. However, a claim that a crash left is continued by any request with equal content.
 *
 *     (new) ─ a step of the same request waits for calls here ─→ joined: answered with its response
 *     (new) ─ otherwise ───────────────────────────────────────→ waiting
 *     waiting ─ the session's earlier steps here have ended ───→ reading, from the cache if possible
 *     waiting ─ too many requests wait, or for too long ───────→ failed: `session.busy`
 *     reading ─ no such session, or another origin ────────────→ failed
 *     reading ─ a step with this key is stored ────────────────→ answered with its response
 *     reading ─ an existing client repeats its last reply ─────→ answered with its response
 *     reading ─ the client has missed steps ───────────────────→ failed: `session.moved_on`, with these steps
 *     reading ─ the chat has ended without a request ──────────→ answered with its last steps
 *     reading ─ another process holds a live claim ────────────→ pausing
 *     reading ─ otherwise ─────────────────────────────────────→ running
 *     pausing ─ a while later ─────────────────────────────────→ reading
 *     pausing ─ past the deadline, for another request's claim ─→ failed: `session.busy`
 *     running ─ an effect is requested, the session was read ──→ claimed, performed, and running again
 *     running ─ an effect is requested, the session is cached ─→ reading: only a read detects an unfinished attempt
 *     running ─ another process has the claim ─────────────────→ reading
 *     running ─ the flow waits or ends ────────────────────────→ saving
 *     running ─ a rule rejects, the cached session is outdated ─→ running with the session as read
 *     running ─ a rule rejects, this request delayed a move ───→ reading: the request starts again
 *     running ─ a rule rejects (budget, ended session …) ──────→ failed; over budget, the result's log gets an entry
 *     saving ─ saved ──────────────────────────────────────────→ answered
 *     saving ─ the session has changed since it was read ──────→ reading
 *     saving ─ the connection broke (`saveOnce`) ──────────────→ saving; finally failed: `server.save_in_doubt`
 *
 * Except for a successful save, every end of running and saving releases the claim. Its clock and seed are kept for a
 * retry of the same request, unless the request delayed a move.
 */
export async function takeStep<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  request: StepRequest,
): Promise<ChatAnswer> {
  const { stepWatch } = deps;
  const joinable = findJoinable(deps, source.limiterKey, request);
  // The shared step is created on demand, because other requests join a step only while it waits for calls or for
  // another process.
  const shared = lazily(() => createSharedStep(deps, source.limiterKey, request));
  try {
    const answer = await (joinable ? joinStep(deps, joinable, request) : takeInTurn(deps, source, { request, shared }));
    stepWatch.ended(answer.isReplayed ? "replayed" : "saved");
    shared.made()?.ended(answer);
    return answer;
  } catch (error) {
    stepWatch.ended(isRefusal(error) ? "refused" : "failed");
    shared.made()?.failed(error);
    throw error;
  }
}

type Taken = { readonly request: StepRequest; readonly shared: Lazy<SharedStep> };

async function takeInTurn<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, shared }: Taken,
): Promise<ChatAnswer> {
  const { stepWatch, stepLimiter } = deps;
  const { limiterKey } = source;
  if (limiterKey !== null) {
    const startedAt = performance.now();
    try {
      const turn = stepLimiter.enter(limiterKey);
      if (turn) await turn;
    } finally {
      stepWatch.passed("turn", startedAt);
    }
  }
  try {
    const deadline = deps.clock.now() + limits.session.waitMs;
    let pauseMs: number = limits.claims.pollMs;
    const first = find(deps, source, { mayBeCached: true });
    let found = first instanceof Promise ? await first : first;
    for (;;) {
      const next = await tryStep(deps, source, { request, found, shared });
      if (next.kind === "answered") return next.answer;
      if (next.kind === "pausing" && request.key !== null && isSameRequest(found.session, request)) {
        shared.get().follow(found.session);
      }
      // There is no deadline while another process runs the step of the same request. That process' claim does not
      // outlast its step.
      if (deps.clock.now() > deadline && !shared.made()?.isFollowing()) throw new AppError("session.busy");
      if (next.kind === "pausing") {
        await pause(deps.clock, pauseMs);
        pauseMs = Math.min(pauseMs * 2, limits.claims.maxPollMs);
      }
      found = next.kind === "outdated" ? next.read : await find(deps, source, { mayBeCached: false });
    }
  } finally {
    if (limiterKey !== null) stepLimiter.leave(limiterKey);
  }
}

/** Finds the session, synchronously if it is cached. */
function find<Found extends LoadedSession>(
  { stepWatch }: ChatDependencies,
  source: SessionSource<Found>,
  options: { mayBeCached: boolean },
): Found | Promise<Found> {
  const startedAt = performance.now();
  const end = (): void => stepWatch.passed("read", startedAt);
  let found: Found | Promise<Found> | undefined;
  try {
    found = source.find(options);
    return found instanceof Promise ? found.finally(end) : found;
  } finally {
    if (!(found instanceof Promise)) end();
  }
}

type Next<Found> =
  | { readonly kind: "answered"; readonly answer: ChatAnswer }
  | { readonly kind: "reading" }
  | { readonly kind: "pausing" }
  | { readonly kind: "outdated"; readonly read: Found };

async function tryStep<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, shared }: Taken & { readonly found: Found },
): Promise<Next<Found>> {
  const { session, isCached } = found;
  isAbout(session);
  // The attempt has a new id, the database's clock when the session was found, and a random seed. After a crash, it
  // uses the clock and seed of the same request's claim.
  const attempt = attemptOf(found, request);
  const effects = lazily(() => effectsOfAttempt(deps, source, { request, found, attempt, shared }));
  try {
    requireOrigin(deps, request.origins, session.allowedOrigins);
    const withoutStep = nextWithoutStep(deps, session, request);
    const next = withoutStep instanceof Promise ? await withoutStep : withoutStep;
    if (next) return next;
    const response = await runAndSave(deps, source, { request, found, attempt, effects });
    return answered(session, response, { revision: session.revision + 1 });
  } catch (error) {
    const isForgotten = isRefusal(error) && staysForItself(session, request, effects.made());
    await endClaim(deps, effects.made(), { isForgotten });
    if (isForgotten || error instanceof LostRace || error instanceof NeedsRead) return { kind: "reading" };
    if (!isRefusal(error)) throw error;
    // The step may have been rejected only because the cached session is outdated.
    if (isCached) {
      const read = await find(deps, source, { mayBeCached: false });
      if (!isSame(session, read.session)) return { kind: "outdated", read };
    }
    await logRefusal(deps, session, error);
    throw error;
  }
}

/**
 * Returns the next action if the session needs no step or must wait for another process. Returns undefined if a step
 * must run, as for most requests.
 */
function nextWithoutStep(
  deps: ChatDependencies,
  session: Session,
  request: StepRequest,
): Next<never> | undefined | Promise<Next<never> | undefined> {
  const { replay } = session;
  if (replay) {
    if (replay.requestHash !== request.hash) throw new AppError("idempotency.key_reused");
    return answered(session, replay.response, { isReplayed: true, revision: replay.revision });
  }
  const resent = deps.clientHooks.findResentReply(session, request);
  if (!resent) return nextOf(deps, session, request);
  return resent.then((found) => {
    if (found === "reread") return { kind: "reading" };
    return found ? answered(session, found.response, { isReplayed: true }) : nextOf(deps, session, request);
  });
}

function nextOf(
  deps: ChatDependencies,
  session: Session,
  { afterRevision, sender }: StepRequest,
): Next<never> | undefined | Promise<Next<never>> {
  if (afterRevision !== undefined && afterRevision !== session.revision)
    return movedOn(deps, session, afterRevision).then((error) => Promise.reject(error));
  if (session.isEnded) return ended(deps, session, sender);
  if (session.isExpired) throw new AppError("session.expired");
  if (session.isSuspended) throw new AppError("workspace.suspended");
  return session.claim?.isLive ? { kind: "pausing" } : undefined;
}

async function ended(deps: ChatDependencies, session: Session, sender: StepRequest["sender"]): Promise<Next<never>> {
  const missed = sender === "unaware" ? await missedEnd(deps, session) : undefined;
  if (missed === undefined) throw new AppError("session.ended");
  return answered(session, missed, { isReplayed: true, revision: session.revision });
}

type AnsweredStep = { readonly isReplayed?: boolean; readonly revision?: number };

function answered({ dialect }: Session, response: string, { isReplayed = false, revision }: AnsweredStep) {
  // Existing clients do not support step numbers.
  return { kind: "answered", answer: { response, isReplayed, ...(dialect === "bot" && { revision }) } } as const;
}

/** Ends the claim of a step. During an outage of the database, the claim cannot be ended and expires. */
async function endClaim(
  deps: ChatDependencies,
  effects: StepEffects | undefined,
  options: { readonly isForgotten: boolean },
): Promise<void> {
  try {
    await effects?.end(options);
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.outage.failed(error);
  }
}

/**
 * Whether a chat that should move has stayed on its version only because an earlier attempt of this request started
 * there. A rule that rejected the request would reject it there forever. The request therefore starts again, and the
 * chat moves if possible.
 */
function staysForItself(session: Session, request: StepRequest, effects: StepEffects | undefined): boolean {
  return session.movingTo !== null && isSameRequest(session, request) && effects?.isClaimed() === true;
}

/**
 * Whether a rule of the flow or the session rejected the step. In this case, no save has checked that the session was
 * current.
 */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && errorCatalogue[error.code].status < 500;
}

/**
 * Whether the same input would be rejected again: the session has no new step or claim, and, for a start, the bot has
 * no new publication.
 */
function isSame(cached: Session, read: Session): boolean {
  const { botId, flowHash, publicationNumber, revision } = cached;
  return (
    read.botId === botId &&
    read.flowHash === flowHash &&
    read.publicationNumber === publicationNumber &&
    read.revision === revision &&
    read.claim === null &&
    read.replay === null
  );
}

/**
 * Logs a step that exceeded its budget to the result, for the bot's author. The result of a rejected start is kept and
 * counted as a view.
 */
async function logRefusal(deps: ChatDependencies, session: Session, { code, message, data }: AppError): Promise<void> {
  const { resultId, botId } = session;
  if (code !== "step.over_budget" || resultId === null) return;
  const blockIds = data?.["blockIds"];
  const blockId: unknown = Array.isArray(blockIds) ? blockIds[0] : undefined;
  const details = JSON.stringify(data ?? {});
  const log = {
    status: "error",
    description: message,
    details,
    reason: "budget",
    ...(typeof blockId === "string" && { blockId }),
  } as const;
  if (session.revision === 0) await saveRefusedStart(deps.sql, { resultId, botId, log });
  else await appendLogs(deps.sql, { resultId, botId, logs: [log] });
}
