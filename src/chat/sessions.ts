import { isJsonObject, textAt, valueAt } from "../core/interpreter/flow.ts";
import type { Paid } from "../core/payments/paid-text.ts";
import type { SpokenStep } from "../effects/effect-context.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Origins, requireOrigin } from "../management/access/origins.ts";
import { originalNamesOf } from "../management/files/file-addresses.ts";
import { listSessionRatings } from "../management/ratings/ratings.sql.ts";
import { isId } from "../platform/ids.ts";
import { paidBySteps } from "./reads/paid-steps.ts";
import { requirePublic } from "./reads/session-cache.ts";
import { findSession, type Session } from "./reads/sessions.sql.ts";
import { findStepWithKey, listStandingSteps } from "./reads/steps.sql.ts";
import { appendLogs, countLogs } from "./saves/logs.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { isDueReply } from "./steps/missed-steps.ts";
import { readOf } from "./steps/run-step.ts";

/**
 * Returns the conversation and its open input. A reloaded page uses them to continue the chat instead of starting it
 * again.
 */
export async function readSession(deps: ChatDependencies, sessionId: string, origins: Origins) {
  return (await readSessionNow(deps, sessionId, origins)).history;
}

/**
 * Returns the conversation, the milliseconds since the last step by the database's clock, and whether the next step is
 * running. The time is negative if the clock has stepped back. With `botId`, a session of another bot is reported as
 * not found.
 */
export async function readSessionNow(deps: ChatDependencies, sessionId: string, origins: Origins, botId?: string) {
  const session = await openSession(deps, sessionId, origins);
  if (botId !== undefined && session.botId !== botId) throw new AppError("session.not_found");
  if (session.isExpired) throw new AppError("session.expired");
  // Excludes steps that were saved after the session was read. Otherwise, they would not match the session's revision,
  // and a client that replies with this revision would be shown them twice.
  const read = async () => {
    const standing = await listStandingSteps(deps.sql, sessionId, limits.session.transcriptSteps, session.revision);
    return { steps: standing.reverse(), paid: await paidBySteps(deps.sql, sessionId, standing) };
  };
  const { steps, paid } = await readOf(deps, session, read);
  const lastStep = steps.at(-1);
  const last = lastStep?.response;
  const input = valueAt(last, "input");
  const dynamicTheme = valueAt(last, "dynamicTheme");
  const bot = valueAt(steps[0]?.response, session.dialect) ?? null;
  const isRated = valueAt(bot, "settings", "answers", "isRated") === true;
  const replies = steps.map(({ reply }) => reply);
  const filesIn = await originalNamesOf(deps.sql, replies, session);
  const ratings = isRated && (await listSessionRatings(deps.sql, sessionId));
  const history = {
    id: session.id,
    resultId: session.resultId,
    revision: session.revision,
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isEnded: session.isEnded,
    bot,
    // The steps are in order. Very long chats omit the oldest steps.
    steps: steps.map((step) => spoken(step, { paid: paid.get(step.revision), files: filesIn(step.reply) })),
    ...(input !== undefined && { input }),
    ...(dynamicTheme !== undefined && { dynamicTheme }),
    progress: valueAt(last, "progress") ?? 0,
    ...(ratings && { ratings }),
  };
  return {
    history,
    lastStepAgoMs: session.now.getTime() - (lastStep ?? session).createdAt.getTime(),
    isUnderWay: session.claim?.isLive === true,
  };
}

/** Whether a step of the session was saved under this key. */
export async function wasTaken(
  { sql }: ChatDependencies,
  place: { readonly sessionId: string; readonly key: string },
): Promise<boolean> {
  return (await findStepWithKey(sql, place)) !== undefined;
}

export type ClientLog = {
  readonly status?: string;
  readonly description: string;
  readonly details?: unknown;
  readonly context?: string;
};

/**
 * Adds a client's log entries to the result, even after the chat has ended. Previews discard the entries. A result
 * stores a limited number of entries and discards later ones.
 */
export async function saveClientLogs(
  deps: ChatDependencies,
  sessionId: string,
  logs: readonly ClientLog[],
  origins: Origins,
): Promise<void> {
  const { resultId, botId } = await openSession(deps, sessionId, origins);
  if (resultId === null || logs.length === 0) return;
  const free = limits.logs.perResult - (await countLogs(deps.sql, resultId, limits.logs.perResult));
  const kept = logs.slice(0, Math.max(0, free)).map(({ details, ...log }) => ({
    ...log,
    ...(details !== undefined &&
      details !== null && { details: typeof details === "string" ? details : JSON.stringify(details) }),
  }));
  if (kept.length > 0) await appendLogs(deps.sql, { resultId, botId, logs: kept });
}

/**
 * Finds a session of the web. Throws `session.not_found` if there is no such session, and `origin.not_allowed` if the
 * page's origin must not read it.
 */
export async function openSession(deps: ChatDependencies, sessionId: string, origins: Origins): Promise<Session> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  requirePublic(session);
  requireOrigin(deps, origins, session.allowedOrigins);
  return session;
}

/**
 * Converts a step to the form of a session's history. `reply` is null if the step had no reply from the visitor.
 * `lastMessageNewFormat` is the stored form of the reply, if different.
 */
export function spoken(
  { revision, createdAt, reply, response }: SpokenStep,
  { paid, files }: { paid: Paid | undefined; files: readonly { url: string; name: string }[] },
) {
  const part = (name: string) => valueAt(response, name) ?? [];
  const input = valueAt(response, "input");
  const lastMessageNewFormat = valueAt(response, "lastMessageNewFormat");
  const goesOnAt = valueAt(response, "goesOnAt");
  return {
    revision,
    createdAt: createdAt.toISOString(),
    reply: isJsonObject(reply) && !isDueReply(reply) ? reply : null,
    messages: part("messages"),
    clientSideActions: part("clientSideActions"),
    ...(input !== undefined && { input }),
    ...(goesOnAt !== undefined && { goesOnAt }),
    ...(valueAt(response, "canTryAgain") === true && { canTryAgain: true }),
    ...(lastMessageNewFormat !== undefined && { lastMessageNewFormat }),
    ...(files.length > 0 && { files }),
    ...(paid && { paid }),
    ...(textAt(reply, "type") === "timeout" && { isTimeOver: true }),
  };
}
