import { type SessionState, stateFormat } from "../core/interpreter/program/state.ts";
import { moved, obstacleTo } from "../core/interpreter/step/moving.ts";
import { findMoveTarget } from "../management/bots/versions/moves/moving-chats.sql.ts";
import { readMovableFlow } from "../management/bots/versions/moves/moving-flows.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { programName } from "./steps/run-step.ts";
import { isSameRequest, type LoadedSession } from "./steps/session-source.ts";

/**
 * Returns the session in the version to which it should move, if the move is possible now. The next step then runs in
 * this version, and saving the step moves the session. Otherwise returns the session unchanged, and the move is tried
 * again later. `hash` is the hash of this step's request.
 */
export async function moveChat(deps: ChatDependencies, loaded: LoadedSession, hash: string): Promise<LoadedSession> {
  const { session } = loaded;
  const { movingTo: number, state: text, botId } = session;
  if (number === null || session.isEnded || session.replay !== null || text === "") return loaded;
  // A step that started but did not finish is retried in its own version. A claim of another request does not prevent
  // the move.
  if (isSameRequest(session, { hash })) return loaded;
  const target = await findMoveTarget(deps.sql, { botId, number });
  const state: SessionState = JSON.parse(text);
  if (!target || state.format > stateFormat) return loaded;
  const [from, to] = await Promise.all([
    readMovableFlow(deps, session),
    readMovableFlow(deps, { botId, flowHash: target.flowHash }),
  ]);
  if (!from || !to || obstacleTo(state, from, to) !== undefined) return loaded;
  const { flowHash } = target;
  const { key } = programName({ botId, flowHash });
  return {
    ...loaded,
    session: {
      ...session,
      flowHash,
      publicationNumber: number,
      movingTo: null,
      state: JSON.stringify(moved(state, key)),
    },
    moved: { flowHash, number, from: session.flowHash },
  };
}
