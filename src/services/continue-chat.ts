import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import type { Reply } from "../interpreter/state.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import { limits } from "../limits.ts";
import { shortId } from "../log.ts";
import { appendLogs } from "../store/logs.ts";
import { isOutage } from "../store/outage.ts";
import type { StepToSave } from "../store/save-steps.ts";
import { claimStep, endClaim, type SessionRow } from "../store/sessions.ts";
import { type Origins, requireOrigin } from "./origins.ts";
import { refusalLog } from "./refusals.ts";
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
  return deps.turns.take(sessionId, async () => {
    const deadline = performance.now() + limits.sessionWaitMs;
    for (let pauseMs: number = limits.claimPollMs; ; pauseMs = Math.min(pauseMs * 2, limits.claimPollMostMs)) {
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
  const session = await deps.reads.sessions.add({ id: request.sessionId, key: request.key });
  if (!session) throw new AppError("session.not_found");
  requireOrigin(deps, request.origins, session.allowedOrigins);
  if (session.replay) {
    if (session.replay.requestHash !== hash) throw new AppError("idempotency.key_reused");
    return { kind: "done", answer: { response: session.replay.response, isReplayed: true } };
  }
  requireOpen(session);
  // Somebody performs effects for this session: their step comes first.
  if (session.claim?.isLive) return { kind: "again", waitMs: limits.claimPollMostMs };

  const taken = session.claim?.requestHash === hash ? session.claim : undefined;
  const stepId = newId();
  const now = taken?.now ?? session.now;
  const seed = taken?.seed ?? newSeed();
  const claim = {
    sessionId: session.id,
    revision: session.revision,
    stepId,
    requestHash: hash,
    now,
    seed,
    seconds: limits.claimSeconds,
  };
  let isClaimed = false;
  try {
    const step = await runStep(deps, {
      task: {
        program: programName(session.botId, session.flowHash),
        context: { now: now.getTime(), seed, isLive: session.resultId !== null, contentFormat: request.contentFormat },
        input: { kind: "reply", state: session.state, reply },
      },
      sessionId: session.id,
      revision: session.revision,
      isAnonymous: session.isAnonymous,
      claim: async () => {
        isClaimed = await claimStep(deps.sql, claim);
        if (!isClaimed) throw new LostRace();
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
    };
    const isSaved = await saveSurely(deps, deps.saves.steps.save, toSave);
    return isSaved
      ? { kind: "done", answer: { response: step.response, isReplayed: false } }
      : { kind: "again", waitMs: 0 };
  } catch (error) {
    if (isClaimed) await endClaimSoon(deps, claim);
    const log = refusalLog(error);
    if (log && session.resultId !== null) {
      await appendLogs(deps.sql, { resultId: session.resultId, botId: session.botId, logs: [log] });
    }
    if (error instanceof LostRace) return { kind: "again", waitMs: 0 };
    throw error;
  }
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

/** Whether a session still takes replies. */
function requireOpen(session: SessionRow): void {
  if (session.isEnded) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  if (session.isSuspended) throw new AppError("workspace.suspended");
}

/** Somebody else stepped or claimed first: read again. */
class LostRace extends Error {
  override readonly name = "LostRace";
}
