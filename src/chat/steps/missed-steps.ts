import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { listSteps, type Session } from "../reads/sessions.sql.ts";
import { listStepsAfter } from "../reads/steps.sql.ts";
import type { ChatDependencies } from "./dependencies.ts";

/** The refusal of a reply to an earlier step than the last one, with the steps since. */
export async function movedOn(deps: ChatDependencies, { id, revision }: Session, after: number): Promise<AppError> {
  const steps = await listStepsAfter(deps.sql, id, { revision: after, limit: limits.timers.missedSteps });
  const missed = steps.map((step) => ({ revision: step.revision, ...(isJsonObject(step.response) && step.response) }));
  return new AppError("session.moved_on", { data: { revision, steps: missed } });
}

/**
 * The response for a client that does not know that its chat has ended: the steps that no request took, up to the end. Undefined where a
 * request took the last one.
 */
export async function missedEnd(deps: ChatDependencies, { id }: Session): Promise<string | undefined> {
  const steps = await listSteps(deps.sql, id, limits.timers.missedSteps);
  const first = steps.findIndex(({ reply }) => !isDueReply(reply));
  const missed = (first < 0 ? steps : steps.slice(0, first)).toReversed();
  const last = missed.at(-1)?.response;
  if (!isJsonObject(last)) return undefined;
  const all = (part: string) => missed.flatMap((step) => partOf(step, part));
  return JSON.stringify({ ...last, messages: all("messages"), clientSideActions: all("clientSideActions") });
}

function partOf({ response }: SpokenStep, part: string): readonly unknown[] {
  const list = valueAt(response, part);
  return Array.isArray(list) ? list : [];
}

/** Whether a stored reply is no visitor's: the step went on by itself. */
export function isDueReply(reply: unknown): boolean {
  const type = textAt(reply, "type");
  return type === "timeout" || type === "wait" || type === "payment";
}
