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

/**
 * Returns a page of the traces of a preview's steps, after a given step. Requires permission to read the preview's bot.
 * Throws `session.not_traced` for a session without traces.
 */
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
 * Sets variables of a waiting preview by name. This is an ordinary step that runs no block. The open input stays open,
 * and the step of a traced preview is traced. Throws `session.not_preview` for a live chat.
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

/**
 * Returns the source of a stored session, with its open input if it has one. The session is always read, because the
 * input is not cached.
 */
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

/** Finds a session of a bot that the caller may read. For other callers, the session is reported as not found. */
export async function requirePreview(deps: ChatDependencies, caller: Caller, sessionId: string): Promise<Session> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  await requireBot(deps, caller, session.botId, "read").catch(asNoSession);
  return session;
}
