import type { SessionState } from "../core/interpreter/program/state.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../management/access/access.ts";
import { findTimer } from "./due/due-steps.sql.ts";
import { takeDueStep } from "./due/take-due-step.ts";
import { listSteps } from "./reads/sessions.sql.ts";
import { isTraced } from "./saves/traced-steps.sql.ts";
import { requirePreview } from "./session-traces.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

/**
 * Ends the current wait or time limit of a traced preview, and returns the response of the next step. Throws
 * `session.not_traced` for a visitor's chat or an untraced preview, and `session.nothing_due` if the preview is not
 * waiting for a time.
 */
export async function passTime(deps: ChatDependencies, caller: Caller, sessionId: string): Promise<unknown> {
  const session = await requirePreview(deps, caller, sessionId);
  if (session.resultId !== null || !(await isTraced(deps.sql, sessionId))) throw new AppError("session.not_traced");
  if (session.isExpired) throw new AppError("session.expired");
  caller.place.end();
  const { timer }: Partial<SessionState> = session.isEnded ? {} : JSON.parse(session.state);
  const row = timer && (await findTimer(deps.sql, { sessionId, ...timer }));
  if (!row || (await takeDueStep(deps, row)).outcome !== "taken") throw new AppError("session.nothing_due");
  const [last] = await listSteps(deps.sql, sessionId, 1);
  return last?.response;
}
