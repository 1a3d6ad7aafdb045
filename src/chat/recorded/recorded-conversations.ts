import { readInputs, type StepInputs } from "../../core/replay/inputs.ts";
import type { Proof } from "../../core/test-conversations/prove.ts";
import { record } from "../../core/test-conversations/record.ts";
import type { TestConversation } from "../../core/test-conversations/schema.ts";
import type { Problem } from "../../core/test-conversations/talk.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../../management/access/access.ts";
import { loadFlow } from "../../management/bots/versions/flows.sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId } from "../../platform/ids.ts";
import { findSession } from "../reads/sessions.sql.ts";
import { listInputs, listStandingSteps } from "../reads/steps.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

export type Recorded = {
  readonly conversation: TestConversation;
  /**
   * Differences between the chat and a run of the recorded conversation, for example because the result of a call is
   * missing.
   */
  readonly problems: Problem[];
};

/**
 * Records a chat or preview of the bot as a test conversation, without storing the conversation. Requires permission to
 * read the bot. Throws `session.not_found` for a session of another bot, and rejects a chat that is too long.
 */
export async function recordConversation(
  deps: ChatDependencies,
  caller: Caller,
  botId: string,
  { sessionId, title }: { sessionId: string; title: string },
): Promise<Recorded> {
  const { workspaceId } = await requireBot(deps, caller, botId, "read");
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (session?.botId !== botId) throw new AppError("session.not_found");
  const most = limits.testConversations.turns;
  const steps = (await listStandingSteps(deps.sql, sessionId, limits.session.transcriptSteps)).reverse();
  if (steps[0]?.revision !== 1 || steps.length > most) {
    throw invalidInput([{ path: "sessionId", message: `must be a chat of at most ${most} steps` }]);
  }
  const { resultId, isEnded, flowHash } = session;
  // A larger conversation could not be stored.
  const inputs = await listInputs(deps.sql, sessionId, {
    limit: limits.session.transcriptSteps,
    bytes: limits.testConversations.bytes,
  });
  const held = steps.map((step) => {
    const text = inputs.get(step.revision);
    const { reports = [], isOnlyRegistering, sender }: Partial<StepInputs> = text === undefined ? {} : readInputs(text);
    return {
      ...step,
      reports: reports.map((one) => ("report" in one ? one.report : undefined)),
      ...(isOnlyRegistering && { isOnlyRegistering }),
      ...(sender === "unaware" && { isUnaware: true }),
    };
  });
  const conversation = record(held, { title, isPreview: resultId === null, isEnded });
  const flow = await loadFlow(deps.sql, botId, flowHash);
  if (flow === undefined) throw new AppError("session.not_found");
  caller.place.end();
  const proof: Proof = JSON.parse(
    await deps.threads.prove({ flow, conversations: JSON.stringify([conversation]) }, workspaceId),
  );
  return { conversation, problems: proof.outcomes[0]?.problems ?? [] };
}
