import type { Hops } from "../effects/safe-fetch/hops.ts";
import type { Origins } from "../management/access/origins.ts";
import { storedSession } from "./continue-chat.ts";
import type { ChatAnswer, StepReader } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { requestHash } from "./steps/replies.ts";
import type { LoadedSession, SessionSource } from "./steps/session-source.ts";
import { takeStep } from "./steps/take-step.ts";

/** Thrown when the session has left the step whose answer should be streamed. */
export class SteppedOn extends Error {
  override readonly name = "SteppedOn";
}

export type StreamRequest = {
  readonly sessionId: string;
  /** The revision of the step that asked the client to request the answer. */
  readonly revision: number;
  readonly origins: Origins;
  readonly hops: Hops;
  readonly reader?: StepReader;
};

/**
 * Runs the step in which an existing client renders an answer while it is generated. The step has a separate key that
 * clients cannot send, so repeated requests run the step only once. Throws `SteppedOn` if the session has run another
 * step.
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
      // Another process may have run the step that asked for this stream, so the session cached here may be outdated.
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
