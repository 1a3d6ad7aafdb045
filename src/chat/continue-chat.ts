import { isMarked, takeMark } from "../compatibility/resent-replies.ts";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import type { Reply } from "../interpreter/state.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import { limits } from "../limits.ts";
import { shortId } from "../log.ts";
import { mayNameFiles, withStrangeFiles } from "../services/file-addresses.ts";
import { type Origins, requireOrigin } from "../services/origins.ts";
import { LostRace } from "../step-errors.ts";
import type { StepToSave } from "../store/chat/records.ts";
import { claimStep, endClaim, renewClaim, type SessionRow } from "../store/chat/sessions.ts";
import { isOutage } from "../store/database/outage.ts";
import { appendLogs } from "../store/logs.ts";
import { isRefusal, refusalLog } from "./refusals.ts";
import { type MessageBody, replyOf, requestHash } from "./replies.ts";
import { programName, runStep } from "./run-step.ts";
import { saveSurely } from "./save-surely.ts";
import { newSeed } from "./seed.ts";

export type ContinueRequest = {
  readonly sessionId: string;
  readonly message: MessageBody;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  readonly origins: Origins;
};

/** A step's response as JSON text, and whether it was given before. */
export type ChatAnswer = { readonly response: string; readonly isReplayed: boolean };

type Attempt =
  | { readonly kind: "done"; readonly answer: ChatAnswer }
  | { readonly kind: "again"; readonly waitMs: number };

/**
 * Takes a session one step on. Acknowledged is durable; the same key gives the stored response; racing requests are
 * taken one after the other.
 */
export async function continueChat(deps: Dependencies, request: ContinueRequest): Promise<ChatAnswer> {
  const { sessionId, contentFormat } = request;
  if (!isId(sessionId)) throw new AppError("session.not_found");
  const reply = replyOf(request.message);
  const hash = requestHash([request.message ?? null, contentFormat]);
  return deps.turns.run(sessionId, async () => {
    const deadline = performance.now() + limits.session.waitMs;
    for (let pauseMs: number = limits.claims.pollMs; ; pauseMs = Math.min(pauseMs * 2, limits.claims.maxPollMs)) {
      const attempt = await tryStep(deps, request, { reply, hash });
      if (attempt.kind === "done") return attempt.answer;
      if (performance.now() > deadline) throw new AppError("session.busy");
      if (attempt.waitMs > 0) await Bun.sleep(Math.min(pauseMs, attempt.waitMs));
    }
  });
}

async function tryStep(
  deps: Dependencies,
  request: ContinueRequest,
  { reply, hash }: { reply: Reply | null; hash: string },
): Promise<Attempt> {
  const hot = deps.hotSessions.find(request.sessionId, request.key);
  const session = hot ?? (await deps.reads.sessions.add({ id: request.sessionId, key: request.key }));
  if (!session) throw new AppError("session.not_found");
  requireOrigin(deps, request.origins, session.allowedOrigins);
  if (session.replay) {
    if (session.replay.requestHash !== hash) throw new AppError("idempotency.key_reused");
    return { kind: "done", answer: { response: session.replay.response, isReplayed: true } };
  }
  if (isMarked(session)) {
    const answer = await takeMark(deps, session, request.key === null ? hash : null);
    return answer ? { kind: "done", answer } : { kind: "again", waitMs: 0 };
  }
  requireOpen(session);
  // Somebody performs effects for this session: their step comes first.
  if (session.claim?.isLive) return { kind: "again", waitMs: limits.claims.maxPollMs };

  const judged = mayNameFiles(reply) ? await withStrangeFiles(deps, reply, session) : reply;
  const taken = session.claim?.requestHash === hash ? session.claim : undefined;
  const stepId = newId();
  const now = taken?.now ?? session.now;
  const seed = taken?.seed ?? newSeed();
  const { seconds } = deps.claimTimes;
  const claim = {
    sessionId: session.id,
    revision: session.revision,
    stepId,
    requestHash: hash,
    now,
    seed,
    seconds,
  };
  let isClaimed = false;
  try {
    const step = await runStep(deps, {
      task: {
        program: programName(session.botId, session.flowHash),
        context: { now: now.getTime(), seed, isLive: session.resultId !== null, contentFormat: request.contentFormat },
        input: { kind: "reply", state: session.state, reply: judged },
      },
      sessionId: session.id,
      revision: session.revision,
      isAnonymous: session.isAnonymous,
      claim: {
        async take() {
          // What a crashed step left behind is known only to a read.
          if (hot) throw new LostRace();
          isClaimed = await claimStep(deps.sql, claim);
          if (!isClaimed) throw new LostRace();
        },
        async renew() {
          if (!(await renewClaim(deps.sql, claim))) throw new LostRace();
        },
      },
    });
    const toSave: StepToSave = {
      ...step,
      sessionId: session.id,
      botId: session.botId,
      resultId: session.resultId,
      revision: session.revision,
      stepId,
      key: request.key,
      requestHash: hash,
      reply: reply && JSON.stringify(reply),
      wasRead: hot === undefined,
      // A claimed step cannot begin again for an endpoint that was made meanwhile.
      tellsEvents: session.tellsEvents || isClaimed,
    };
    const isSaved = await saveSurely(deps, deps.saves.steps.save, toSave);
    if (!isSaved) throw new LostRace();
    const { state, isEnded } = step;
    deps.hotSessions.advance(
      { ...session, revision: session.revision + 1, lastStepId: stepId, state, isEnded },
      request.key,
    );
    return { kind: "done", answer: { response: step.response, isReplayed: false } };
  } catch (error) {
    return afterFailure(deps, { error, session, isHot: hot !== undefined, claim: isClaimed ? claim : undefined });
  }
}

/** Begins again where somebody else was first, and otherwise throws the error, which an author reads of where it is the flow's. */
async function afterFailure(
  deps: Dependencies,
  failure: {
    error: unknown;
    session: SessionRow;
    isHot: boolean;
    claim: { sessionId: string; stepId: string } | undefined;
  },
): Promise<Attempt> {
  const { error, session, isHot, claim } = failure;
  deps.hotSessions.forget(session.id);
  if (claim) await endClaimSoon(deps, claim);
  if (error instanceof LostRace || (isHot && isRefusal(error) && !(await isStill(deps, session)))) {
    return { kind: "again", waitMs: 0 };
  }
  const log = refusalLog(error);
  if (log && session.resultId !== null) {
    await appendLogs(deps.sql, { resultId: session.resultId, botId: session.botId, logs: [log] });
  }
  throw error;
}

/** Where the database is lost too, the claim ends by itself. */
async function endClaimSoon(deps: Dependencies, claim: { sessionId: string; stepId: string }): Promise<void> {
  try {
    await endClaim(deps.sql, claim);
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.log.warn("A claim could not be ended", { session: shortId(claim.sessionId), error });
  }
}

/** Whether the session is what this process remembers of it. */
async function isStill(deps: Dependencies, { id, revision }: SessionRow): Promise<boolean> {
  const read = await deps.reads.sessions.add({ id, key: null });
  return read?.revision === revision && read.claim === null;
}

/** Whether a session still takes replies. */
function requireOpen(session: SessionRow): void {
  if (session.isEnded) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  if (session.isSuspended) throw new AppError("workspace.suspended");
}
