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
 * The step that replaces an error for an existing client, as an object for JSON. When a reply is refused, such a client
 * removes the input and shows nothing, which leaves its visitor stuck. With this step the visitor reads a sentence and
 * is asked again; a chat that cannot continue ends with the sentence. Undefined when the client gets the error itself:
 * chats in our own spelling, sessions that do not exist, foreign origins, outages of the database, and requests refused
 * by a rate limit without waiting. A relay, which is not a browser and names no origin, gets the error of a chat that
 * is over: at the status 404 it starts a new chat, while it would only forward a sentence. In this case throws
 * `session.not_found`, with the message that the relay recognizes.
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

/** No existing client sends so many requests at a time, so these do not get the reads that softening costs. */
function isRefusedAtOnce({ code, data }: AppError): boolean {
  return code === "rate_limit.exceeded" && data?.["waitedMs"] === undefined;
}

type Reaction = {
  /** The visitor's sentence; null shows no new text. */
  readonly says: string | null;
  /** Whether the open input stays; otherwise the client ends the chat. */
  readonly asksAgain: boolean;
  /** Whether the same reply may succeed later, so that a waiting client may send its report again. */
  readonly isPassing?: boolean;
  /** Whether the result's log, which the author reads, gets the error; otherwise the service's log does. */
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
  // The step has logged it already.
  "step.over_budget": { says: failed, asksAgain: true },
  "request.malformed": notUnderstood,
  "request.invalid": notUnderstood,
  "request.too_large": {
    says: "This message is too long. Please, try again with a shorter one.",
    asksAgain: true,
    isForAuthor: true,
  },
  // The page sent the command, not the visitor.
  "command.not_found": { says: null, asksAgain: true, isForAuthor: true },
  "workspace.suspended": { says: errorCatalogue["workspace.suspended"].message, asksAgain: false },
  "session.ended": { says: "This chat has ended.", asksAgain: false },
  "session.expired": { says: "This chat has expired. Please, reload the page to start again.", asksAgain: false },
};

type Found = { readonly session: Session; readonly last: unknown };

/** The session and its last response, if an existing client began it. */
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
  // A client that repeats its report by itself needs no sentence each time.
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

/** The bubble has the input's id, as when an input asks again. */
function bubble(text: string, input: unknown) {
  const inputId = valueAt(input, "id");
  return textMessage(typeof inputId === "string" ? inputId : newId(), text, "richText");
}

/** The actions whose report is outstanding, repeated after a pause. Without a bubble's name they run immediately. */
function awaitedAgain(last: unknown): readonly unknown[] {
  // The client has drawn the answer: only its report is outstanding.
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
