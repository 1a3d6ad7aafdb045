import { valueAt } from "../core/interpreter/flow.ts";
import { isInputMessage } from "../core/interpreter/program/outcome.ts";
import { noHops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { asNoSession, type Caller, requireBot } from "../management/access/access.ts";
import { noOrigins } from "../management/access/origins.ts";
import { isId } from "../platform/ids.ts";
import { storedSession } from "./continue-chat.ts";
import { findSession, listSteps, type Session } from "./reads/sessions.sql.ts";
import { isTraced, listTracedSteps, type TracedStepRow } from "./saves/traced-steps.sql.ts";
import type { ChatAnswer } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { requestHash } from "./steps/replies.ts";
import type { LoadedSession, SessionSource } from "./steps/session-source.ts";
import { takeStep } from "./steps/take-step.ts";

/** What the steps of a traced preview did, after one of them: a page of them, for a caller who may read its bot. */
export async function readTrace(
  deps: ChatDependencies,
  caller: Caller,
  { sessionId, after }: { sessionId: string; after: number },
): Promise<{ readonly steps: readonly TracedStepRow[]; readonly hasMore: boolean }> {
  const session = await requirePreview(deps, caller, sessionId);
  if (session.isExpired) throw new AppError("session.expired");
  if (session.resultId !== null || !(await isTraced(deps.sql, sessionId))) throw new AppError("session.not_traced");
  const limit = limits.traces.steps;
  const steps = await listTracedSteps(deps.sql, sessionId, { after, limit: limit + 1 });
  return { steps: steps.slice(0, limit), hasMore: steps.length > limit };
}

/**
 * Gives variables of a preview values, by name, while it waits. It is a step like any other, in which nothing runs: what is open stays
 * open, and in a traced preview the trace tells it.
 */
export async function setVariables(
  deps: ChatDependencies,
  caller: Caller,
  { sessionId, variables }: { sessionId: string; variables: Readonly<Record<string, unknown>> },
): Promise<ChatAnswer> {
  const session = await requirePreview(deps, caller, sessionId);
  if (session.resultId !== null) throw new AppError("session.not_preview");
  caller.place.end();
  const request = { reply: null, contentFormat: "richText", key: null, origins: noOrigins, hops: noHops } as const;
  const hash = requestHash(["set variables", variables]);
  return takeStep(deps, waiting(deps, sessionId, variables), { ...request, hash });
}

type Waiting = LoadedSession & { readonly input: unknown };

/** A session that is stored, with the input that is open in it: always read, since that is not cached. */
function waiting(
  deps: ChatDependencies,
  id: string,
  variables: Readonly<Record<string, unknown>>,
): SessionSource<Waiting> {
  const stored = storedSession(deps, { id, key: null });
  return {
    ...stored,
    async find() {
      const { session } = await stored.find({ mayBeCached: false });
      const [last] = await listSteps(deps.sql, id, 1);
      return { session, isCached: false, input: valueAt(last?.response, "input") };
    },
    taskFor({ session: { state }, input }) {
      return { input: { kind: "setVariables", state, variables, input: isInputMessage(input) ? input : null } };
    },
  };
}

/** A session of a bot that the caller may read. To anybody else there is none. */
async function requirePreview(deps: ChatDependencies, caller: Caller, sessionId: string): Promise<Session> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  await requireBot(deps, caller, session.botId, "read").catch(asNoSession);
  return session;
}
