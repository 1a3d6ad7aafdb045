import { textAt } from "../../core/interpreter/flow.ts";
import { awaitsReport, type StepReply } from "../../core/interpreter/program/state.ts";
import { awaitStandbys } from "../../platform/database/outages/standbys.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { ClientHooks } from "../client-hooks.ts";
import { keepResumedSession, removeResendMark } from "../reads/resumed-sessions.sql.ts";
import { listSteps, type Session } from "../reads/sessions.sql.ts";
import { requestHash } from "../steps/replies.ts";
import { awaitsStream, drawnText } from "./streamed-steps.ts";

/**
 * When its page is reloaded, an existing client starts again with its stored result, continues in its first session,
 * and sends the reply again whose response it did not receive.
 *
 *     unmarked ─ a start comes soon after the session's last step ─→ marked: a claim under that step's own id and request
 *     marked ─ that request comes again in time ───────────────────→ unmarked, and answered with the stored response
 *     marked ─ any other request, or one that is late ─────────────→ unmarked, and a step of its own
 *
 * Because of its claim, a marked session is never stepped from the cache. If the reloaded page had drawn an answer, the
 * reply before that answer gets its response again, so that the client draws the answer once more.
 */
export function createResentReplies(sql: Sql): ClientHooks {
  return {
    async goesOn({ dialect, ...visit }) {
      return dialect === "bot" || keepResumedSession(sql, visit);
    },
    findResentReply(session, request) {
      const { id, claim, lastStepId, dialect, state } = session;
      const { key, reply } = request;
      if (claim !== null && lastStepId !== null && claim.stepId === lastStepId)
        return findMarkedReply(sql, { id, claim, stepId: lastStepId }, request);
      if (key !== null || dialect === "bot" || !awaitsReport(state)) return undefined;
      return findDrawingReply(sql, { sessionId: id, reply });
    },
  };
}

/** The response of the session's last step, whose mark is removed. */
async function findMarkedReply(
  sql: Sql,
  { id, claim, stepId }: { id: string; claim: NonNullable<Session["claim"]>; stepId: string },
  { key, hash }: { key: string | null; hash: string },
): Promise<{ readonly response: string } | "reread"> {
  const isUnmarked = await removeResendMark(sql, { sessionId: id, stepId });
  // A request with a key gets the step of that key.
  if (!isUnmarked || !claim.isLive || claim.isFromFuture || key !== null || claim.requestHash !== hash) return "reread";
  const [step] = await listSteps(sql, id, 1);
  return step ? { response: JSON.stringify(step.response) } : "reread";
}

/**
 * The stored response that made the client draw an answer, with the reply before it. A report holds the answer's own
 * text.
 */
async function findDrawingReply(
  sql: Sql,
  { sessionId, reply }: { sessionId: string; reply: StepReply | null },
): Promise<{ readonly response: string } | undefined> {
  const [drawn, asked] = await listSteps(sql, sessionId, 2);
  // A client may send one reply as a text or as an object.
  if (!drawn || !asked || requestHash([asked.reply]) !== requestHash([reply])) return undefined;
  const isReport = textAt(asked.reply, "text") === drawnText(drawn.response);
  if (isReport || !awaitsStream(asked.response)) return undefined;
  await awaitStandbys(sql);
  return { response: JSON.stringify(asked.response) };
}
