import { pause } from "../concurrency/clock.ts";
import { isAbout } from "../current-request.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Hops } from "../effects/hops.ts";
import { AppError, errorCatalogue } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reply } from "../interpreter/state.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import { limits } from "../limits.ts";
import { writeInputs } from "../replay/inputs.ts";
import { mayNameFiles, withStrangeFiles } from "../services/file-addresses.ts";
import { type Origins, requireOrigin } from "../services/origins.ts";
import { LostRace, NeedsRead } from "../step-errors.ts";
import type { StepToSave } from "../store/chat/records.ts";
import type { Session } from "../store/chat/sessions.ts";
import { isOutage } from "../store/database/outage.ts";
import { appendLogs, saveRefusedStart } from "../store/logs.ts";
import type { AdvanceTask } from "../threads/messages.ts";
import type { ChatAnswer, StepReader } from "./answers-under-way.ts";
import { type ClaimStatements, createClaim, type StepClaim } from "./claims.ts";
import { createKeptReports } from "./kept-reports.ts";
import { recordReports } from "./recorded-reports.ts";
import { effectsOf, programName, runStep, type SuppliedFlow } from "./run-step.ts";
import { saveOnce } from "./save-once.ts";
import { createTelling, findJoinable, joinStep, type Telling } from "./telling.ts";
import { traceEffects } from "./traced-effects.ts";

/** What a step answers, whatever session it belongs to. */
export type StepRequest = {
  readonly reply: Reply | null;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  /** Names the request by its content. */
  readonly hash: string;
  readonly origins: Origins;
  /** Whether another chat makes this request. */
  readonly hops: Hops;
  /** Who hears of the step before its end. */
  readonly reader?: StepReader | undefined;
};

export type { ChatAnswer };

/** A session that a step can be taken in: one that is stored, or one of revision 0 that its first step stores. */
export type LoadedSession = {
  readonly session: Session;
  /** Whether it comes from what this process remembers. Then the save asks whether that still stands. */
  readonly isCached: boolean;
  /** The version that it moves to with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number; readonly from: string };
};

/** What differs between the steps of stored sessions (`continue-chat.ts`) and first steps (`new-session.ts`). */
export type SessionSource<Found extends LoadedSession> = {
  /** Steps with the same key are taken one at a time in this process. Null where nobody else can ask for this step. */
  readonly limiterKey: string | null;
  /** The session's flow, where this step's save stores it. */
  readonly suppliedFlow?: SuppliedFlow;
  /** The session, with the claim and the stored response that this request meets. Throws where there is none. */
  find(options: { mayBeCached: boolean }): Promise<Found>;
  /** What the interpreter is told besides its context. */
  taskFor(found: Found, reply: Reply | null): Pick<AdvanceTask, "input" | "envelope">;
  claimStatements(found: Found, attempt: StepAttempt): ClaimStatements;
  /** Whether the step was saved: false when what it began from holds no longer (a step, a claim, an expiry, a new endpoint). `isInDoubt`: an earlier try may have saved it. */
  save(found: Found, step: StepToSave, options: { seed: string; isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row is there, whatever came after it. */
  isSaved(step: StepToSave): Promise<boolean>;
};

/** What makes a step come out the same when it is taken again after a crash, and what its claim is known by. */
export type StepAttempt = {
  readonly stepId: string;
  readonly requestHash: string;
  readonly now: Date;
  readonly seed: string;
};

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
  deps: Dependencies,
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
  { stepWatch }: Dependencies,
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
  { stepWatch }: Dependencies,
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
  deps: Dependencies,
  source: SessionSource<Found>,
  { request, found, telling }: { request: StepRequest; found: Found; telling: Telling },
): Promise<Next<Found>> {
  const { session, isCached } = found;
  isAbout(session);
  const attempt = attemptOf(session, request);
  const { take, ...statements } = source.claimStatements(found, attempt);
  const claiming = async (): Promise<boolean> => {
    const isOurs = await take();
    deps.stepWatch.claimed(isOurs);
    return isOurs;
  };
  const claim = createClaim({ ...statements, take: isCached ? refuseCached : claiming }, deps);
  try {
    requireOrigin(deps, request.origins, session.allowedOrigins);
    const withoutStep = await nextWithoutStep(deps, session, request);
    return withoutStep ?? answered(await runAndSave(deps, source, { request, found, attempt, claim, telling }));
  } catch (error) {
    await endClaim(deps, claim);
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

/** What a crash left behind is known only to a read: effects begin after one. */
function refuseCached(): never {
  throw new NeedsRead();
}

/** Where reading leads, if not to a step. */
async function nextWithoutStep(
  deps: Dependencies,
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

type Running<Found> = {
  readonly request: StepRequest;
  readonly found: Found;
  readonly attempt: StepAttempt;
  readonly claim: StepClaim;
  readonly telling: Telling;
};

/** Runs the step, saves it, and gives its response. Throws `LostRace` when what it began from holds no longer. */
async function runAndSave<Found extends LoadedSession>(
  deps: Dependencies,
  source: SessionSource<Found>,
  { request, found, attempt, claim, telling }: Running<Found>,
): Promise<string> {
  const { session, isCached } = found;
  const { reply, contentFormat, key } = request;
  const { stepId, requestHash, now, seed } = attempt;
  const checkedReply = mayNameFiles(reply) ? await withStrangeFiles(deps, reply, session) : reply;
  const task = {
    program: programName(session),
    context: { now: now.getTime(), seed, isLive: session.resultId !== null, contentFormat },
    ...source.taskFor(found, checkedReply),
  };
  const isResumed = isSameRequest(session, request);
  const reports = createKeptReports(deps.reports, { sessionId: session.id, isResumed });
  const perform = effectsOf(deps, session, {
    ...{ claim, reports, hops: request.hops, host: request.origins.host, seed },
    tell: () => telling.stepOf(session, { stepId, isHeld: claim.mayGoOn }),
  });
  // Live chats are never traced.
  const traced = session.resultId === null ? traceEffects(deps.clock, perform) : undefined;
  const { reports: reported, performEffect } = recordReports(traced?.performEffect ?? perform);
  const { botId, workspaceId, isAnonymous, revision } = session;
  const { suppliedFlow } = source;
  const run = () => runStep(deps, task, { workspaceId, isAnonymous, suppliedFlow, performEffect });
  // The first step of an anonymous preview has its place in their lane already, before anything was read or written.
  const inTurn = isAnonymous && revision > 0 ? deps.threads.inAnonymousLane(botId, run) : run();
  const step = await inTurn.finally(claim.stop);
  const toSave: StepToSave = {
    ...step,
    // Previews are not replayed.
    ...(session.resultId !== null && {
      inputs: writeInputs(task, { reports: reported, movedFrom: found.moved?.from }),
    }),
    ...(traced && step.trace && { traceText: traced.textOf(step.trace) }),
    ...(found.moved && { moved: found.moved }),
    // Before its first step a session has none.
    ...(step.keepsStateBefore && revision > 0 && { stateBefore: session.state }),
    sessionId: session.id,
    botId: session.botId,
    resultId: session.resultId,
    revision,
    stepId,
    key,
    requestHash,
    reply: reply && JSON.stringify(reply),
    wasRead: !isCached,
    // A step that performed effects cannot begin again for an endpoint that was made meanwhile.
    hasEventEndpoints: session.hasEventEndpoints || claim.isTaken(),
  };
  const statements = {
    save: ({ isInDoubt }: { isInDoubt: boolean }) => source.save(found, toSave, { seed, isInDoubt }),
    isSaved: () => source.isSaved(toSave),
  };
  const isSaved = await deps.stepWatch.during("save", () =>
    saveOnce(deps.clock, statements, { hasEffects: claim.isTaken() }),
  );
  if (!isSaved) {
    deps.stepWatch.ended("again");
    throw new LostRace();
  }
  // Nothing depends on when: the clean-up takes what stays.
  void reports.forget().catch((error: unknown) => deps.outage.failed(error));
  const { state, isEnded, response } = step;
  deps.sessionCache.keep({ ...session, revision: session.revision + 1, lastStepId: stepId, state, isEnded }, key);
  return response;
}

/** Where the same request was claimed before and came to nothing, it runs with the same clock and seed. */
function attemptOf({ claim, now }: Session, { hash }: StepRequest): StepAttempt {
  const before = claim?.requestHash === hash ? claim : undefined;
  return { stepId: newId(), requestHash: hash, now: before?.now ?? now, seed: before?.seed ?? newSeed() };
}

/** Whether this request was claimed before. */
function isSameRequest({ claim }: Session, { hash }: StepRequest): boolean {
  return claim?.requestHash === hash;
}

/** 128 bits of secure randomness as 32 hexadecimal digits. */
export function newSeed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}

function answered(response: string, { isReplayed } = { isReplayed: false }) {
  return { kind: "answered", answer: { response, isReplayed } } as const;
}

/** Where the database is lost too, the claim lapses by itself. */
async function endClaim(deps: Dependencies, claim: StepClaim): Promise<void> {
  try {
    await claim.end();
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
async function logRefusal(deps: Dependencies, session: Session, { code, message, data }: AppError): Promise<void> {
  const { resultId, botId } = session;
  if (code !== "step.over_budget" || resultId === null) return;
  const log = { status: "error", description: message, details: JSON.stringify(data ?? {}) };
  if (session.revision === 0) await saveRefusedStart(deps.sql, { resultId, botId, log });
  else await appendLogs(deps.sql, { resultId, botId, logs: [log] });
}
