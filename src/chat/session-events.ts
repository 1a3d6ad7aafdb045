import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Origins, requireOrigin } from "../management/access/origins.ts";
import { eventStream } from "../platform/http/event-stream.ts";
import { isId } from "../platform/ids.ts";
import { requirePublic } from "./reads/session-cache.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type EventsRequest = {
  readonly sessionId: string;
  /** The value of the `Last-Event-ID` header. */
  readonly lastEventId: string | null;
  readonly origins: Origins;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/**
 * Streams the steps of a session: first the steps after `lastEventId`, or only the newest step if there are too many or
 * the id is missing. Each new step follows. Throws `session.ended` if the chat has ended and `lastEventId` names no
 * earlier step.
 */
export async function sessionEvents(deps: ChatDependencies, request: EventsRequest): Promise<Response> {
  const { sessionId, lastEventId, origins, signal } = request;
  const session = isId(sessionId) ? await deps.reads.sessions.add({ id: sessionId, key: null }) : null;
  if (!session) throw new AppError("session.not_found");
  requirePublic(session);
  requireOrigin(deps, origins, session.allowedOrigins);
  const { revision } = session;
  const last = revisionIn(lastEventId);
  const after = last !== undefined && last <= revision ? last : undefined;
  if (session.isEnded && (after ?? revision) === revision) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  const isNear = after !== undefined && revision - after <= limits.sessionEvents.steps;
  const source = deps.sessionReaders.open({ sessionId, after: isNear ? after : revision - 1 });
  // Removes the reader if the client disconnects, even before the first event.
  signal.addEventListener("abort", source.leave, { once: true });
  if (signal.aborted) source.leave();
  return eventStream(source, deps);
}

function revisionIn(lastEventId: string | null): number | undefined {
  return lastEventId !== null && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
