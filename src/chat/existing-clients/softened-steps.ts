import { textMessage } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, valueAt } from "../../core/interpreter/flow.ts";
import { AppError, type ErrorCode, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { isId, newId } from "../../platform/ids.ts";
import { shortId } from "../../platform/observing/log.ts";
import { findSession, listSteps, type Session } from "../reads/sessions.sql.ts";
import { appendLogs, countLogs } from "../saves/logs.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { wasStreamed } from "./streamed-steps.ts";

/**
 * Returns a step (an object for JSON) that replaces an error for an existing client. When a reply is rejected, such a
 * client removes the input and shows nothing, so its visitor cannot continue. With this step, the visitor reads a
 * message and is asked again. A chat that cannot continue ends with the message.
 *
 * Returns undefined if the client must receive the error itself. Examples are chats in the native dialect, sessions
 * that do not exist, foreign origins, outages of the database, and requests that a rate limit rejects without waiting.
 *
 * A relay is not a browser and sends no `Origin` header. It starts a new chat on status 404, but would only forward a
 * message. For a chat that has ended, this function therefore throws `session.not_found` with the message that the
 * relay recognizes.
 */
export async function softenedStep(
  deps: ChatDependencies,
  thrown: unknown,
  { sessionId, isRelay }: { sessionId: string; isRelay: boolean },
): Promise<Record<string, unknown> | undefined> {
  const error = asAppError(thrown);
  const reaction = reactions[error.code];
  if (!reaction || !isId(sessionId) || isRefusedAtOnce(error)) return undefined;
  const found = await findClientSession(deps, sessionId);
  if (!found) return undefined;
  if (isRelay && error.code === "session.ended") throw new AppError("session.not_found", { cause: error });
  if (isRelay && error.code === "session.expired") return undefined;
  await note(deps, { error, thrown, reaction, session: found.session });
  return answerOf(error, reaction, found.last);
}

/**
 * Whether a rate limit rejected the request without waiting. Existing clients never send so many requests at once, so
 * such a request gets the error itself.
 */
function isRefusedAtOnce({ code, data }: AppError): boolean {
  return code === "rate_limit.exceeded" && data?.["waitedMs"] === undefined;
}

type Reaction = {
  /** The message for the visitor; null if no new text is shown. */
  readonly says: string | null;
  /** Whether the open input is kept. If not, the client ends the chat. */
  readonly asksAgain: boolean;
  /** Whether the same reply may succeed later. A client whose report failed then sends the report again. */
  readonly isPassing?: boolean;
  /** Whether the error is written to the result's log, which the author reads, instead of the service's log. */
  readonly isForAuthor?: boolean;
};

const failed = "Something went wrong. Please, try again.";
const passing: Reaction = { says: failed, asksAgain: true, isPassing: true };
const notUnderstood: Reaction = { says: "Invalid message. Please, try again.", asksAgain: true, isForAuthor: true };

const reactions: Readonly<Partial<Record<ErrorCode, Reaction>>> = {
  "session.busy": passing,
  "rate_limit.exceeded": { ...passing, says: "Please, wait a moment and try again." },
  "server.overloaded": passing,
  "server.save_in_doubt": passing,
  "server.newer_state": passing,
  "server.internal": { says: failed, asksAgain: true },
  // The step has already logged this error.
  "step.over_budget": { says: failed, asksAgain: true },
  "request.malformed": notUnderstood,
  "request.invalid": notUnderstood,
  "request.too_large": {
    says: "This message is too long. Please, try again with a shorter one.",
    asksAgain: true,
    isForAuthor: true,
  },
  // The page sent the command, so the visitor gets no message.
  "command.not_found": { says: null, asksAgain: true, isForAuthor: true },
  "workspace.suspended": { says: errorCatalogue["workspace.suspended"].message, asksAgain: false },
  "session.ended": { says: "This chat has ended.", asksAgain: false },
  "session.expired": { says: "This chat has expired. Please, reload the page to start again.", asksAgain: false },
};

type Found = { readonly session: Session; readonly last: unknown };

/**
 * Finds the session and its last response. Returns undefined if no existing client started the session, or during an
 * outage.
 */
async function findClientSession(deps: ChatDependencies, sessionId: string): Promise<Found | undefined> {
  try {
    const session = await findSession(deps.sql, sessionId, null);
    if (session?.dialect !== "typebot") return undefined;
    const [last] = await listSteps(deps.sql, sessionId, 1);
    return { session, last: last?.response };
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}

function answerOf(error: AppError, reaction: Reaction, last: unknown): Record<string, unknown> {
  const input = reaction.asksAgain ? valueAt(last, "input") : undefined;
  const actions = reaction.isPassing && input === undefined ? awaitedAgain(last) : [];
  const dynamicTheme = valueAt(last, "dynamicTheme");
  // A client that repeats its report automatically needs no message for each attempt.
  const messages = reaction.says === null || actions.length > 0 ? [] : [bubble(reaction.says, input)];
  return {
    messages,
    ...(input !== undefined && { input }),
    clientSideActions: actions,
    logs: [{ status: "error", description: error.message, context: error.code }],
    ...(dynamicTheme !== undefined && { dynamicTheme }),
    progress: valueAt(last, "progress") ?? 0,
  };
}

/** Creates a bubble with the id of the input, like the bubble of an input that asks again. */
function bubble(text: string, input: unknown) {
  const inputId = valueAt(input, "id");
  return textMessage(typeof inputId === "string" ? inputId : newId(), text, "richText");
}

/**
 * Returns a pause, followed by the actions whose report is outstanding, or an empty list if there is no such action.
 * The bubble ids are removed, so that the actions run immediately after the pause.
 */
function awaitedAgain(last: unknown): readonly unknown[] {
  // The client has rendered the answer, and only its report is outstanding.
  if (wasStreamed(last)) return [{ ...pause, expectsDedicatedReply: true }];
  const actions = valueAt(last, "clientSideActions");
  if (!Array.isArray(actions)) return [];
  const awaited = actions.filter((action) => valueAt(action, "expectsDedicatedReply") === true).filter(isJsonObject);
  if (awaited.length === 0) return [];
  return [pause, ...awaited.map(({ lastBubbleBlockId: _, ...action }) => action)];
}

const pause = { type: "wait", wait: { secondsToWaitFor: limits.existingClients.retrySeconds } };

type Softened = {
  readonly error: AppError;
  readonly thrown: unknown;
  readonly reaction: Reaction;
  readonly session: Session;
};

async function note(deps: ChatDependencies, { error, thrown, reaction, session }: Softened): Promise<void> {
  const facts = { code: error.code, session: shortId(session.id) };
  if (error.code === "server.internal") deps.log.error("a step failed", { ...facts, cause: thrown });
  else if (isOutage(error.cause)) deps.outage.refused(error.cause);
  else if (reaction.isPassing) deps.log.warn("a step was refused", facts);
  const { resultId, botId } = session;
  if (!reaction.isForAuthor || resultId === null) return;
  if ((await countLogs(deps.sql, resultId, limits.logs.perResult)) >= limits.logs.perResult) return;
  const data = error.data && { details: JSON.stringify(error.data) };
  const log = { status: "error", description: error.message, context: error.code, ...data };
  await appendLogs(deps.sql, { resultId, botId, logs: [log] });
}
