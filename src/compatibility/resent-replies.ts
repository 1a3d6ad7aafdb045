import type { ChatAnswer } from "../chat/continue-chat.ts";
import type { Dependencies } from "../dependencies.ts";
import { forgetMark } from "../store/chat/held-sessions.ts";
import { listSteps, type SessionRow } from "../store/chat/sessions.ts";

/**
 * An existing client whose page was loaded again while a reply was under way sends that reply anew. The start that such a
 * page makes leaves a mark: a claim under the last step's own id, and its request. While it lives nobody steps the session
 * without having read it.
 */
export function isMarked({ claim, lastStepId }: SessionRow): boolean {
  return claim !== null && claim.stepId === lastStepId;
}

/**
 * Takes the mark away, and gives the answer that the client did not live to see if this request is the marked one. Else the
 * session is to be read again: an equal reply that comes later is one of its own.
 */
export async function takeMark(
  deps: Dependencies,
  { id, claim, lastStepId }: SessionRow,
  requestHash: string | null,
): Promise<ChatAnswer | undefined> {
  if (lastStepId === null || !(await forgetMark(deps.sql, { sessionId: id, stepId: lastStepId }))) return undefined;
  if (!claim?.isLive || claim.requestHash !== requestHash) return undefined;
  const [step] = await listSteps(deps.sql, id, 1);
  return step && { response: JSON.stringify(step.response), isReplayed: true };
}
