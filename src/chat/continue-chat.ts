import type { ChatContact } from "../core/interpreter/program/contact.ts";
import type { Sender } from "../core/interpreter/program/state.ts";
import type { ContentFormat } from "../core/interpreter/program/view.ts";
import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import type { Origins } from "../management/access/origins.ts";
import { awaitStandbys } from "../platform/database/outages/standbys.sql.ts";
import { isId } from "../platform/ids.ts";
import { requireRoomForPreview } from "./anonymous-previews.ts";
import { moveChat } from "./move-chat.ts";
import { requireContact } from "./reads/session-cache.ts";
import { claimStep, endClaim, shortenClaim } from "./reads/sessions.sql.ts";
import { isStepSaved } from "./reads/steps.sql.ts";
import type { ChatAnswer, StepReader } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { type MessageBody, replyOf, requestHash } from "./steps/replies.ts";
import type { LoadedSession, SessionSource } from "./steps/session-source.ts";
import { takeStep } from "./steps/take-step.ts";

export type ContinueRequest = {
  readonly sessionId: string;
  readonly message: MessageBody;
  readonly contentFormat: ContentFormat;
  readonly key: string | null;
  readonly origins: Origins;
  readonly hops: Hops;
  /** The number of the last step that the client has received. The reply is rejected if another step followed. */
  readonly afterRevision?: number | undefined;
  readonly sender?: Sender | undefined;
  /** Receives the progress of the step. */
  readonly reader?: StepReader | undefined;
  /** The messenger contact who owns the chat. Absent for a visitor of the web, who cannot access a contact's chat. */
  readonly contact?: ChatContact | undefined;
};

/**
 * Runs the next step of a session. Throws `session.not_found` if the session does not exist or belongs to another
 * contact.
 */
export function continueChat(deps: ChatDependencies, request: ContinueRequest): Promise<ChatAnswer> {
  const { sessionId, message, contentFormat, key, origins, hops, reader, afterRevision, sender, contact } = request;
  if (!isId(sessionId)) throw new AppError("session.not_found");
  const reply = replyOf(message);
  const hash = requestHash([message ?? null, contentFormat, ...(afterRevision === undefined ? [] : [afterRevision])]);
  const source = storedSession(deps, { id: sessionId, key, movesFor: hash, sender, contactId: contact?.id ?? null });
  const step = { reply, contentFormat, key, hash, origins, hops, reader, afterRevision, sender, contact };
  return takeStep(deps, source, step);
}

/**
 * Returns the source of a stored session, which is found by its id, claimed in its own row, and saved if its revision
 * has not changed. `movesFor`: the hash of a request whose step may move the session to a newly published version.
 * `contactId`: the contact who must own the session, or null for a session of the web. If `contactId` is absent, any
 * owner is accepted.
 */
export function storedSession(
  deps: ChatDependencies,
  {
    id,
    key,
    movesFor,
    sender,
    contactId,
  }: {
    id: string;
    key: string | null;
    movesFor?: string;
    sender?: Sender | undefined;
    contactId?: string | null | undefined;
  },
): SessionSource<LoadedSession> {
  const inVersion = (found: LoadedSession) =>
    movesFor !== undefined && found.session.movingTo !== null ? moveChat(deps, found, movesFor) : found;
  const read = async (): Promise<LoadedSession> => {
    const session = await deps.reads.sessions.add({ id, key });
    if (!session) throw new AppError("session.not_found");
    if (contactId !== undefined) requireContact(session, contactId);
    const { claim, replay } = session;
    if (replay) await awaitStandbys(deps.sql);
    if (claim?.isFromFuture)
      await shortenClaim(deps.sql, { ...claim, sessionId: id, seconds: deps.claimTimes.seconds });
    return inVersion({ session, isCached: false });
  };
  return {
    limiterKey: id,
    find({ mayBeCached }) {
      const cached = mayBeCached ? deps.sessionCache.find(id, key) : undefined;
      if (cached && contactId !== undefined) requireContact(cached, contactId);
      return cached ? inVersion({ session: cached, isCached: true }) : read();
    },
    taskFor({ session: { state } }, reply) {
      const isCatchingUp = sender !== undefined && hasUnseen(state);
      return { input: { kind: "reply", state, reply, ...(isCatchingUp && { sender }) } };
    },
    claimStatements({ session }, attempt) {
      const claim = { ...attempt, sessionId: id, revision: session.revision, seconds: deps.claimTimes.seconds };
      return {
        take: () => claimStep(deps.sql, claim),
        renew: () => deps.claimRenewals.add(claim),
        end: (options) => endClaim(deps.sql, claim, options),
      };
    },
    save({ session: { isAnonymous, botId } }, step, { isInDoubt }) {
      if (!isAnonymous || isInDoubt) return deps.saves.steps.save(step);
      return requireRoomForPreview(deps, { botId, step }).then(() => deps.saves.steps.save(step));
    },
    isSaved: (step) => isStepSaved(deps.sql, step),
  };
}

/**
 * Whether a state (JSON text) contains steps that the visitor's client was not shown. In JSON, the value of a variable
 * cannot contain this text, because its quotes are escaped.
 */
function hasUnseen(state: string): boolean {
  return state.includes('"unseen":{"blockId":');
}
