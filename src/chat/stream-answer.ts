import type { Hops } from "../effects/safe-fetch/hops.ts";
import type { Origins } from "../management/access/origins.ts";
import { storedSession } from "./continue-chat.ts";
import type { ChatAnswer, StepReader } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { requestHash } from "./steps/replies.ts";
import type { LoadedSession, SessionSource } from "./steps/session-source.ts";
import { takeStep } from "./steps/take-step.ts";

/** The session has left the step whose answer was to be streamed. */
export class SteppedOn extends Error {
  override readonly name = "SteppedOn";
}

export type StreamRequest = {
  readonly sessionId: string;
  /** The revision at which the client was asked to request the answer. */
  readonly revision: number;
  readonly origins: Origins;
  readonly hops: Hops;
  readonly reader?: StepReader;
};

/**
 * Takes the step in which an existing client draws an answer while it is written. The step has its own key, which
 * clients cannot send, so that repeated requests take it only once. Throws `SteppedOn` when the session has taken
 * another step.
 */
export async function takeStreamedStep(deps: ChatDependencies, request: StreamRequest): Promise<ChatAnswer> {
  const { sessionId, revision, origins, hops, reader } = request;
  const key = `stream ${revision}`;
  const session = storedSession(deps, { id: sessionId, key, contactId: null });
  const isAwaiting = (found: LoadedSession): boolean =>
    found.session.revision === revision || found.session.replay !== null;
  const source: SessionSource<LoadedSession> = {
    ...session,
    async find(options) {
      const found = await session.find(options);
      if (isAwaiting(found)) return found;
      // Another process may have taken the step whose answer is requested: the session cached here is then the one
      // before it.
      const read = found.isCached ? await session.find({ mayBeCached: false }) : found;
      if (!isAwaiting(read)) throw new SteppedOn();
      return read;
    },
    taskFor: (found) => ({ input: { kind: "reply", state: found.session.state, reply: null, isStreamed: true } }),
  };
  return takeStep(deps, source, {
    ...{ reply: null, contentFormat: "richText", key, hash: requestHash([key]), origins, hops },
    ...(reader && { reader }),
  });
}
