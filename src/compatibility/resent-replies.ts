import type { ClientHooks } from "../chat/client-hooks.ts";
import { keepResumedSession, removeResendMark } from "../store/chat/resumed-sessions.ts";
import { listSteps } from "../store/chat/sessions.ts";
import type { Sql } from "../store/database/sql.ts";

/**
 * An existing client whose page is loaded again starts anew with the result it knows, goes on in the session that it began with,
 * and sends a reply anew whose answer it did not receive.
 *
 *     unmarked ─ a start comes soon after the session's last step ─→ marked: a claim under that step's own id and request
 *     marked ─ that request comes again in time ───────────────────→ unmarked, and answered with the stored response
 *     marked ─ any other request, or one that is late ─────────────→ unmarked, and a step of its own
 *
 * A marked session is not stepped from the cache, because of its claim.
 */
export function createResentReplies(sql: Sql): ClientHooks {
  return {
    async goesOn({ dialect, ...visit }) {
      return dialect === "bot" || keepResumedSession(sql, visit);
    },
    async findResentReply({ id, claim, lastStepId }, { key, hash }) {
      if (claim === null || lastStepId === null || claim.stepId !== lastStepId) return undefined;
      const isUnmarked = await removeResendMark(sql, { sessionId: id, stepId: lastStepId });
      // With a key the client would be given the step of that key.
      if (!isUnmarked || !claim.isLive || claim.isFromFuture || key !== null || claim.requestHash !== hash)
        return "reread";
      const [step] = await listSteps(sql, id, 1);
      return step ? { response: JSON.stringify(step.response) } : "reread";
    },
  };
}
