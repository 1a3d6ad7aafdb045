import type { SessionState } from "../../core/interpreter/program/state.ts";
import { moved, obstacleTo } from "../../core/interpreter/step/moving.ts";
import { findNumberOfFlow } from "../../management/bots/versions/moves/moving-chats.sql.ts";
import { readMovableFlow } from "../../management/bots/versions/moves/moving-flows.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { programName } from "../steps/run-step.ts";
import type { LoadedSession } from "../steps/session-source.ts";

type InVersion = Pick<LoadedSession, "session" | "moved"> & { readonly state: SessionState };

/**
 * Brings a state of before a move and its session into one version. A move does not come from the visitor, so going
 * back keeps it: the state moves at once where it can. Otherwise the session goes back to the state's version, and
 * moves again at its next possible input.
 */
export async function inOneVersion(deps: ChatDependencies, session: Session, state: SessionState): Promise<InVersion> {
  const { botId, publicationNumber } = session;
  const { key } = programName(session);
  const root = state.queue.at(-1);
  const flowHash = root?.program.startsWith(`${botId}:`) ? root.program.slice(botId.length + 1) : undefined;
  if (flowHash === undefined || root?.program === key || publicationNumber === null) return { session, state };
  const [from, to] = await Promise.all([readMovableFlow(deps, { botId, flowHash }), readMovableFlow(deps, session)]);
  if (from && to && obstacleTo(state, from, to) === undefined) return { session, state: moved(state, key) };
  const number = (await findNumberOfFlow(deps.sql, { botId, flowHash })) ?? publicationNumber;
  return {
    session: { ...session, flowHash, publicationNumber: number, movingTo: publicationNumber },
    moved: { flowHash, number, from: session.flowHash },
    state,
  };
}
