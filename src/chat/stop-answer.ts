import { AppError } from "../errors.ts";
import { type Origins, requireOrigin } from "../management/access/origins.ts";
import { pause } from "../platform/concurrency/clock.ts";
import { isId, madeAt } from "../platform/ids.ts";
import { requireContact } from "./reads/session-cache.ts";
import { findSession } from "./reads/sessions.sql.ts";
import { findAnswerOrigins, stopClaimedAnswer, stopPublishedAnswer } from "./saves/answers-under-way.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type StopRequest = {
  readonly sessionId: string;
  readonly origins: Origins;
  /** The number of the last saved step. If set, only the next step may be stopped. */
  readonly afterRevision: number | undefined;
  /** The contact who owns the chat. Absent for a visitor of the web. */
  readonly contactId?: string | null;
};

/**
 * Stops the current model answer of a session. The text so far becomes the answer, and the step continues. Returns
 * false if no step with calls is running, or if the running step is not the requested step.
 */
export async function stopAnswer(deps: ChatDependencies, request: StopRequest): Promise<boolean> {
  const { sessionId, origins, afterRevision, contactId = null } = request;
  const here = deps.answersUnderWay.ofSession(sessionId);
  if (here) requireContact(here, contactId);
  if (here) requireOrigin(deps, origins, here.allowedOrigins);
  if (here && (afterRevision ?? here.afterRevision) !== here.afterRevision) return false;
  if (here?.stop()) return true;
  if (!isId(sessionId)) throw new AppError("session.not_found");
  // The row of a published answer does not contain the step's number, but the session's claim identifies the step.
  const isStopping = afterRevision === undefined ? await stopPublished(deps, request) : undefined;
  if (isStopping !== undefined) return isStopping;
  const session = await findSession(deps.sql, sessionId, null);
  if (!session) return await stopStart(deps, request);
  requireContact(session, contactId);
  requireOrigin(deps, origins, session.allowedOrigins);
  const { claim, revision } = session;
  if ((afterRevision ?? revision) !== revision) return false;
  if (!claim?.isLive || claim.stepId === null) return false;
  await stopClaimedAnswer(deps.sql, { sessionId, stepId: claim.stepId });
  return true;
}

/** Stops an answer that another process publishes. Returns undefined if no process publishes an answer. */
async function stopPublished(
  deps: ChatDependencies,
  { sessionId, origins, contactId = null }: StopRequest,
): Promise<boolean | undefined> {
  const allowedOrigins = await findAnswerOrigins(deps.sql, sessionId);
  if (allowedOrigins === undefined) return undefined;
  // If the session does not exist yet, its first step is still creating it, and its id is not yet known to others.
  const session = await findSession(deps.sql, sessionId, null);
  if (session) requireContact(session, contactId);
  requireOrigin(deps, origins, allowedOrigins);
  return stopPublishedAnswer(deps.sql, sessionId);
}

/**
 * Stops an answer in a session that its first step is still creating. The step is published within a second. Throws if
 * the step is not found.
 */
async function stopStart(deps: ChatDependencies, request: StopRequest): Promise<boolean> {
  const { sessionId } = request;
  const isYoung = Math.abs(Date.now() - madeAt(sessionId)) < looks * lookMs;
  for (let look = 0; isYoung && look < looks; look++) {
    await pause(deps.clock, lookMs);
    const isStopping = await stopPublished(deps, request);
    if (isStopping !== undefined) return isStopping;
  }
  throw new AppError("session.not_found");
}

const lookMs = 400;
const looks = 5;
