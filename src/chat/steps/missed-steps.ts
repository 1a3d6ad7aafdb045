import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { listSteps, type Session } from "../reads/sessions.sql.ts";
import { listStepsAfter } from "../reads/steps.sql.ts";
import type { ChatDependencies } from "./dependencies.ts";

/**
 * Returns the error for a request that is based on an outdated step. The error contains the first steps that followed
 * this step.
 */
export async function movedOn(deps: ChatDependencies, { id, revision }: Session, after: number): Promise<AppError> {
  const { known, since } = await stepsSince(deps, id, after);
  const missed = since.map((step) => ({ revision: step.revision, ...(isJsonObject(step.response) && step.response) }));
  // A step may have been saved since the session was read.
  const last = Math.max(revision, since.at(-1)?.revision ?? 0);
  const isStillAsked = since.at(-1)?.revision === last && isSameVisit(known, since);
  return new AppError("session.moved_on", { data: { revision: last, steps: missed, isStillAsked } });
}

/** Whether the time limit of a step's question expired without an answer. */
export async function isTimeOver(
  deps: ChatDependencies,
  { sessionId, revision }: { sessionId: string; revision: number },
): Promise<boolean> {
  const { known, since } = await stepsSince(deps, sessionId, revision);
  return textAt(endOfVisit(known, since)?.reply, "type") === "timeout";
}

/** Lists a step and the steps after it, up to the number that an error may contain. */
async function stepsSince({ sql }: ChatDependencies, sessionId: string, after: number) {
  const limit = limits.timers.missedSteps + 1;
  const [known, ...since] = await listStepsAfter(sql, sessionId, { revision: after - 1, limit });
  return { known, since };
}

/**
 * Whether the question of a step has been open since the step. False if the question may have been answered or skipped,
 * or was asked at another visit.
 */
function isSameVisit(known: SpokenStep | undefined, since: readonly SpokenStep[]): boolean {
  const asked = inputOf(known);
  return asked !== undefined && inputOf(since.at(-1)) === asked && endOfVisit(known, since) === undefined;
}

/** Returns the first step that may have ended the visit of a step's question, if any. */
function endOfVisit(known: SpokenStep | undefined, since: readonly SpokenStep[]): SpokenStep | undefined {
  const asked = inputOf(known);
  let open = asked;
  for (const step of since) {
    if (step.wentBackTo !== null || !leavesOpen(step, open, asked)) return step;
    open = inputOf(step);
  }
  return undefined;
}

/** Whether the question `asked` stays open after a step. `open` is the question that was open before the step. */
function leavesOpen(step: SpokenStep, open: string | undefined, asked: string | undefined): boolean {
  const type = textAt(step.reply, "type");
  if (type === "command") return true;
  if (type === "timeout") return open !== asked;
  return open === undefined || isRefusalOf(step, open);
}

/** Whether a step only repeated a question. The repeated question's first message has the id of the input. */
export function isRefusalOf({ response }: SpokenStep, inputId: string): boolean {
  const messages = valueAt(response, "messages");
  if (textAt(response, "input", "id") !== inputId) return false;
  return Array.isArray(messages) && textAt(messages[0], "id") === inputId;
}

function inputOf(step: SpokenStep | undefined): string | undefined {
  return textAt(step?.response, "input", "id");
}

/**
 * Returns the response for a client that has not yet received the end of its chat. The response contains the last steps
 * that ran without a request. Undefined if the last step had a request.
 */
export async function missedEnd(deps: ChatDependencies, { id }: Session): Promise<string | undefined> {
  const steps = await listSteps(deps.sql, id, limits.timers.missedSteps);
  const first = steps.findIndex(({ reply }) => !isDueReply(reply));
  const missed = (first < 0 ? steps : steps.slice(0, first)).toReversed();
  const last = missed.at(-1)?.response;
  if (!isJsonObject(last)) return undefined;
  const all = (part: string) => missed.flatMap((step) => partOf(step, part));
  const [messages, clientSideActions] = [all("messages"), all("clientSideActions")];
  // Informs the client that its reply was dropped, because none of these steps answers the reply.
  const repeated = { messages: messages.length, clientSideActions: clientSideActions.length };
  return JSON.stringify({ ...last, messages, clientSideActions, repeated });
}

function partOf({ response }: SpokenStep, part: string): readonly unknown[] {
  const list = valueAt(response, part);
  return Array.isArray(list) ? list : [];
}

/** Whether a stored reply comes from an expired time limit, a wait or a payment instead of a visitor. */
export function isDueReply(reply: unknown): boolean {
  const type = textAt(reply, "type");
  return type === "timeout" || type === "wait" || type === "payment";
}
