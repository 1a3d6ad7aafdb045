import { type SessionState, stateFormat } from "../core/interpreter/program/state.ts";
import { obstacles, obstacleTo } from "../core/interpreter/step/moving.ts";
import { AppError } from "../errors.ts";
import { asNoSession, type Caller, requireBot } from "../management/access/access.ts";
import { findMetVersion, markMovingChat } from "../management/bots/versions/moves/moving-chats.sql.ts";
import { readMovableFlow } from "../management/bots/versions/moves/moving-flows.ts";
import { isId } from "../platform/ids.ts";
import { requirePublic } from "./reads/session-cache.ts";
import { findSession } from "./reads/sessions.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

/**
 * Moves a visitor's chat to the bot's published version, starting with its next input. Answers, variables and the open
 * input are kept. Throws `session.not_movable` with the obstacle if the chat cannot move, and `session.busy` during a
 * step.
 */
export async function moveSession(deps: ChatDependencies, caller: Caller, sessionId: string): Promise<void> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  requirePublic(session);
  await requireBot(deps, caller, session.botId, "write", { evenArchived: true }).catch(asNoSession);
  if (session.isEnded) throw new AppError("session.ended");
  if (session.isExpired) throw new AppError("session.expired");
  if (session.publicationNumber === null) throw notMovable("preview", "The chat is a preview.");
  const { botId } = session;
  const target = await findMetVersion(deps.sql, botId);
  if (!target) throw new AppError("bot.not_published");
  if (session.publicationNumber === target.number) return;
  await requireWay(deps, session, target);
  const { revision } = session;
  const isMarked = await markMovingChat(deps.sql, { sessionId, revision, number: target.number });
  if (!isMarked) throw new AppError("session.busy");
}

async function requireWay(
  deps: ChatDependencies,
  session: { readonly botId: string; readonly flowHash: string; readonly state: string },
  { flowHash }: { readonly flowHash: string },
): Promise<void> {
  const { botId } = session;
  const [from, to] = await Promise.all([readMovableFlow(deps, session), readMovableFlow(deps, { botId, flowHash })]);
  const state: SessionState = JSON.parse(session.state);
  if (state.format > stateFormat) throw new AppError("server.newer_state");
  const obstacle = from && to ? obstacleTo(state, from, to) : "not_asking";
  if (obstacle !== undefined) throw notMovable(obstacle, obstacles[obstacle]);
}

function notMovable(obstacle: string, message: string): AppError {
  return new AppError("session.not_movable", { data: { obstacle, message } });
}
