import type { Effect } from "../program/effect.ts";
import type { Settings } from "../schemas/settings.ts";
import type { LinkedAnswer } from "./result-update.ts";
import type { Step, StepRecord } from "./step.ts";

/**
 * Marks the bubbles that show a model's answer, if the bot has acts on answers; and the bubbles whose answer is
 * incomplete: the visitor could otherwise think that it is complete.
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

/** Calls that change nothing outside: a step without other calls may be repeated. */
const harmless: ReadonlySet<Effect["kind"]> = new Set([
  "model",
  "transcript",
  "linkedFlow",
  "callbackAddress",
  "suggestion",
]);

/** Records the calls of a step so far. */
export function noteCall(
  { record }: { readonly record: Pick<StepRecord, "calls"> },
  { kind }: Pick<Effect, "kind">,
): void {
  if (!harmless.has(kind)) record.calls = "others";
  else if (kind === "model") record.calls ??= "models";
}

type DoneStep = Pick<Step, "reply"> & { readonly record: Pick<StepRecord, "answers" | "jobs" | "actions"> };

/**
 * Whether the reply of a step that called only models may be answered again: only if the step also has no jobs, and no
 * action for a browser.
 */
export function mayTryAgain({ record, reply }: DoneStep, { general, answers }: Settings): boolean {
  if (!answers?.canTryAgain || !general?.isGoBackEnabled) return false;
  const isOfVisitor = reply?.type === "text" || reply?.type === "audio";
  return isOfVisitor && record.answers.length > 0 && record.jobs.length === 0 && record.actions.length === 0;
}

/**
 * A response, as JSON text, without parts that existing clients do not support. Texts inside the response have their
 * quotes escaped.
 */
export function withoutAnswerMarks(response: string): string {
  return response.replaceAll(
    /,"isAnswer":true|,"unfinished":"(?:length|cut|filtered|stopped)"|,"canTryAgain":true/g,
    "",
  );
}
