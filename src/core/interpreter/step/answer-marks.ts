import type { Effect } from "../program/effect.ts";
import type { Settings } from "../schemas/settings.ts";
import type { LinkedAnswer } from "./result-update.ts";
import type { Step, StepRecord } from "./step.ts";

/**
 * Marks the bubbles that show a model's answer, where the bot has acts on answers; and those whose answer ends before
 * its end: the visitor could take such an answer for a whole one.
 */
export function markAnswers({ messages, modelAnswers = [] }: StepRecord, { answers }: Settings): void {
  for (const { at, linkedResultId: _, ...end } of modelAnswers) {
    const message = messages[at];
    if (message) messages[at] = { ...message, ...(answers && { isAnswer: true }), ...end };
  }
}

/** The bubbles of linked bots that show models' answers; undefined without any. */
export function linkedAnswersOf({ messages, modelAnswers = [] }: StepRecord): readonly LinkedAnswer[] | undefined {
  const linked = modelAnswers.flatMap(({ at, linkedResultId }): LinkedAnswer[] => {
    const message = messages[at];
    return message && linkedResultId !== undefined ? [[message.id, linkedResultId]] : [];
  });
  return linked.length > 0 ? linked : undefined;
}

/** Calls that change nothing outside: a step that made no others may be taken once more. */
const harmless: ReadonlySet<Effect["kind"]> = new Set([
  "model",
  "transcript",
  "linkedFlow",
  "callbackAddress",
  "suggestion",
]);

/** Notes what a step has called so far. */
export function noteCall(
  { record }: { readonly record: Pick<StepRecord, "calls"> },
  { kind }: Pick<Effect, "kind">,
): void {
  if (!harmless.has(kind)) record.calls = "others";
  else if (kind === "model") record.calls ??= "models";
}

type DoneStep = Pick<Step, "reply"> & { readonly record: Pick<StepRecord, "answers" | "jobs" | "actions"> };

/**
 * Whether the reply of a step that called models alone may be answered once more: only where it also has nothing to
 * send, and no browser to act.
 */
export function mayTryAgain({ record, reply }: DoneStep, { general, answers }: Settings): boolean {
  if (!answers?.canTryAgain || !general?.isGoBackEnabled) return false;
  const isOfVisitor = reply?.type === "text" || reply?.type === "audio";
  return isOfVisitor && record.answers.length > 0 && record.jobs.length === 0 && record.actions.length === 0;
}

/**
 * A response, as JSON text, without what existing clients do not know. Texts inside of it have their quotes escaped.
 */
export function withoutAnswerMarks(response: string): string {
  return response.replaceAll(
    /,"isAnswer":true|,"unfinished":"(?:length|cut|filtered|stopped)"|,"canTryAgain":true/g,
    "",
  );
}
