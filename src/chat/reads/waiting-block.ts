import { type FrameState, type SessionState, stateFormat } from "../../core/interpreter/program/state.ts";
import { AppError } from "../../errors.ts";
import { findBlock } from "../../management/bots/versions/flows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { Session } from "./sessions.sql.ts";

export type WaitingBlock = {
  readonly frame: Pick<FrameState, "botId" | "resultId">;
  readonly block: { readonly id: string; readonly content: unknown } | undefined;
};

/**
 * Finds the block at which the session waits, in the session's flow or in a linked flow. `block` is undefined if the
 * session waits at no block. Throws `server.newer_state` if a newer release saved the session.
 */
export async function waitingBlock(sql: Sql, session: Session): Promise<WaitingBlock> {
  const state: SessionState = JSON.parse(session.state);
  if (state.format > stateFormat) throw new AppError("server.newer_state");
  const [frame] = state.queue;
  const { blockId } = state;
  if (!frame || blockId === undefined) return { frame: session, block: undefined };
  const flowHash = frame.program.slice(frame.botId.length + 1);
  const content = await findBlock(sql, { botId: frame.botId, flowHash, blockId });
  return { frame, block: { id: blockId, content } };
}
