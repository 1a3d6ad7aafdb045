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
 * Detects repeated replies. When its page is reloaded, an existing client starts again with its stored result,
 * continues its first session, and repeats a reply if it did not receive the response.
 *
 *     unmarked ─ a start soon after the session's last step ───────→ marked: a claim with that step's id and request
 *     marked ─ the request is repeated in time ────────────────────→ unmarked, answered with the stored response
 *     marked ─ another request, or a late repetition ──────────────→ unmarked, with a new step
 *
 * Because of its claim, a marked session is always read instead of cached. If the page had drawn an answer before the
 * reload, the reply before this answer gets its response again, so that the client draws the answer again.
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

/**
 * Removes the mark of the session's last reply. Returns the stored response if the request is the same and arrived in
 * time; otherwise returns `reread`.
 */
async function findMarkedReply(
  sql: Sql,
  { id, claim, stepId }: { id: string; claim: NonNullable<Session["claim"]>; stepId: string },
  { key, hash }: { key: string | null; hash: string },
): Promise<{ readonly response: string } | "reread"> {
  const isUnmarked = await removeResendMark(sql, { sessionId: id, stepId });
  // A request with a key gets the response stored under this key.
  if (!isUnmarked || !claim.isLive || claim.isFromFuture || key !== null || claim.requestHash !== hash) return "reread";
  const [step] = await listSteps(sql, id, 1);
  return step ? { response: JSON.stringify(step.response) } : "reread";
}

/**
 * Finds the stored response that made the client stream an answer, if the client repeats the reply that precedes this
 * answer. A report is not such a reply, because it contains the text of the answer.
 */
async function findDrawingReply(
  sql: Sql,
  { sessionId, reply }: { sessionId: string; reply: StepReply | null },
): Promise<{ readonly response: string } | undefined> {
  const [drawn, asked] = await listSteps(sql, sessionId, 2);
  // A client may send the same reply as text or as an object.
  if (!drawn || !asked || requestHash([asked.reply]) !== requestHash([reply])) return undefined;
  const isReport = textAt(asked.reply, "text") === drawnText(drawn.response);
  if (isReport || !awaitsStream(asked.response)) return undefined;
  await awaitStandbys(sql);
  return { response: JSON.stringify(asked.response) };
}
