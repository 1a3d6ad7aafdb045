import { LostRace, NeedsRead } from "../../core/interpreter/step-errors.ts";
import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { requireOrigin } from "../../management/access/origins.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { lazily } from "../../platform/concurrency/lazily.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { isAbout } from "../../platform/observing/current-request.ts";
import type { Session } from "../reads/sessions.sql.ts";
import { appendLogs, saveRefusedStart } from "../saves/logs.sql.ts";
import type { ChatAnswer } from "./answers-under-way.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { effectsOfAttempt, runAndSave } from "./run-and-save.ts";
import type { LoadedSession, SessionSource, StepRequest } from "./session-source.ts";
import { attemptOf, isSameRequest } from "./step-attempt.ts";
import type { StepEffects } from "./step-effects.ts";
import { createTelling, findJoinable, joinStep, type Telling } from "./telling.ts";

/**
 * Takes one step: the start, each reply and a preview alike. Acknowledged is durable; the same request twice is one step.
 *
 *     (new) ─ the same request waits for calls in this process ───────→ joined: answered with its response
 *     (new) ─ otherwise ───────────────────────────────────────────────→ waiting
 *     waiting ─ earlier steps of this session have ended in this process ─→ reading, from the cache if possible
 *     waiting ─ too many wait, or for too long ────────────────────────→ failed: `session.busy`
 *     reading ─ there is no such session, or not for this origin ──────→ failed
 *     reading ─ a step with this key is stored ────────────────────────→ answered with its response
 *     reading ─ the client sends its last reply again (`ClientHooks`) ─→ answered with its response
 *     reading ─ somebody else's claim is live ─────────────────────────→ pausing
 *     reading ─ otherwise ─────────────────────────────────────────────→ running
 *     pausing ─ a while later ─────────────────────────────────────────→ reading; past the deadline failed: `session.busy`, unless it is
 *                                                                         the same request's claim
 *     running ─ an effect is wanted, and the session was read ─────────→ claimed, performed, and running again
 *     running ─ an effect is wanted, and the session was cached ───────→ reading: what a crash left behind only a read tells
 *     running ─ somebody else has the claim, or took it over ──────────→ reading
 *     running ─ the flow waits or ends ────────────────────────────────→ saving
 *     running ─ the flow refuses, and what was cached is outdated ─────→ running with what was read
 *     running ─ the flow refuses ──────────────────────────────────────→ failed: with a log of it in the result
 *     saving ─ saved ──────────────────────────────────────────────────→ answered
 *     saving ─ what the step began from stands no more ────────────────→ reading
 *     saving ─ the connection broke (`save-once.ts`) ────────────────→ saving; in the end failed: `server.save_in_doubt`
 *
 * Every way out of running and saving but "saved" ends the claim. Its clock and seed stay, for the same request when it comes again.
 */
export async function takeStep<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  request: StepRequest,
): Promise<ChatAnswer> {
  const joinable = findJoinable(deps, source.limiterKey, request);
  if (joinable) return counted(deps, undefined, () => joinStep(deps, joinable, request));
  const telling = createTelling(deps, source.limiterKey, request);
  const take = async (): Promise<ChatAnswer> => {
    const deadline = deps.clock.now() + limits.session.waitMs;
    let pauseMs: number = limits.claims.pollMs;
    let found = await find(deps, source, { mayBeCached: true });
    for (;;) {
      const next = await tryStep(deps, source, { request, found, telling });
      if (next.kind === "answered") return next.answer;
      if (next.kind === "pausing" && request.key !== null && isSameRequest(found.session, request)) {
        telling.follow(found.session);
      }
      // Whoever waits for the same request's step has its answer when it is over: its claim lives no longer.
      if (deps.clock.now() > deadline && !telling.isFollowing()) throw new AppError("session.busy");
      if (next.kind === "pausing") {
        await pause(deps.clock, pauseMs);
        pauseMs = Math.min(pauseMs * 2, limits.claims.maxPollMs);
      }
      found = next.kind === "outdated" ? next.read : await find(deps, source, { mayBeCached: false });
    }
  };
  return counted(deps, telling, async () => {
    const { limiterKey } = source;
    if (limiterKey === null) return take();
    const startedAt = performance.now();
    let hasTurn = false;
    const endWait = (): void => {
      if (!hasTurn) deps.stepWatch.passed("turn", startedAt);
      hasTurn = true;
    };
    try {
      return await deps.stepLimiter.run(limiterKey, () => {
        endWait();
        return take();
      });
    } finally {
      // Its turn may never have come.
      endWait();
    }
  });
}

/** Counts what a step came to, and tells those who joined it. */
async function counted(
  { stepWatch }: ChatDependencies,
  telling: Telling | undefined,
  take: () => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  try {
    const answer = await take();
    stepWatch.ended(answer.isReplayed ? "replayed" : "saved");
    telling?.ended(answer);
    return answer;
  } catch (error) {
    stepWatch.ended(isRefusal(error) ? "refused" : "failed");
    telling?.failed(error);
    throw error;
  }
}

function find<Found extends LoadedSession>(
  { stepWatch }: ChatDependencies,
  source: SessionSource<Found>,
  options: { mayBeCached: boolean },
): Promise<Found> {
  return stepWatch.during("read", () => source.find(options));
}

type Next<Found> =
  | { readonly kind: "answered"; readonly answer: ChatAnswer }
  | { readonly kind: "reading" }
  | { readonly kind: "pausing" }
  | { readonly kind: "outdated"; readonly read: Found };

async function tryStep<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, telling }: { request: StepRequest; found: Found; telling: Telling },
): Promise<Next<Found>> {
  const { session, isCached } = found;
  isAbout(session);
  const attempt = attemptOf(session, request);
  const effects = lazily(() => effectsOfAttempt(deps, source, { request, found, attempt, telling }));
  try {
    requireOrigin(deps, request.origins, session.allowedOrigins);
    const withoutStep = await nextWithoutStep(deps, session, request);
    return withoutStep ?? answered(await runAndSave(deps, source, { request, found, attempt, effects }));
  } catch (error) {
    await endClaim(deps, effects.made());
    if (error instanceof LostRace || error instanceof NeedsRead) return { kind: "reading" };
    if (!isRefusal(error)) throw error;
    if (isCached) {
      const read = await find(deps, source, { mayBeCached: false });
      if (!isSame(session, read.session)) return { kind: "outdated", read };
    }
    await logRefusal(deps, session, error);
    throw error;
  }
}

/** Where reading leads, if not to a step. */
async function nextWithoutStep(
  deps: ChatDependencies,
  session: Session,
  request: StepRequest,
): Promise<Next<never> | undefined> {
  const { replay, claim } = session;
  if (replay) {
    if (replay.requestHash !== request.hash) throw new AppError("idempotency.key_reused");
    return answered(replay.response, { isReplayed: true });
  }
  const resent = await deps.clientHooks.findResentReply(session, request);
  if (resent === "reread") return { kind: "reading" };
  if (resent) return answered(resent.response, { isReplayed: true });
  if (session.isEnded) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  if (session.isSuspended) throw new AppError("workspace.suspended");
  return claim?.isLive ? { kind: "pausing" } : undefined;
}

function answered(response: string, { isReplayed } = { isReplayed: false }) {
  return { kind: "answered", answer: { response, isReplayed } } as const;
}

/** Where the database is lost too, the claim lapses by itself. */
async function endClaim(deps: ChatDependencies, effects: StepEffects | undefined): Promise<void> {
  try {
    await effects?.end();
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.outage.failed(error);
  }
}

/** Whether the step was refused for what it is: an ending that no save has checked. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && errorCatalogue[error.code].status < 500;
}

/** Whether the same input would be refused again: nobody has stepped the session, claimed it, or published another flow for its start. */
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

/** Tells the author of a step that did more than a step may. A refused start keeps its result, which counts as a view. */
async function logRefusal(deps: ChatDependencies, session: Session, { code, message, data }: AppError): Promise<void> {
  const { resultId, botId } = session;
  if (code !== "step.over_budget" || resultId === null) return;
  const log = { status: "error", description: message, details: JSON.stringify(data ?? {}) };
  if (session.revision === 0) await saveRefusedStart(deps.sql, { resultId, botId, log });
  else await appendLogs(deps.sql, { resultId, botId, logs: [log] });
}
