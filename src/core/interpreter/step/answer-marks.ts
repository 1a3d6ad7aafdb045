import type { Effect } from "../program/effect.ts";
import type { Settings } from "../schemas/settings.ts";
import type { LinkedAnswer } from "./result-update.ts";
import type { Step, StepRecord } from "./step.ts";

/**
 * Marks bubbles that show a model's answer, if the bot offers actions on answers. Also marks incomplete answers, so
 * that the visitor does not assume that an answer is complete.
 */
export function markAnswers({ messages, modelAnswers = [] }: StepRecord, { answers }: Settings): void {
  for (const { at, linkedResultId: _, ...end } of modelAnswers) {
    const message = messages[at];
    if (message) messages[at] = { ...message, ...(answers && { isAnswer: true }), ...end };
  }
}

/**
 * Returns the models' answers that belong to results of linked bots rather than to the chat's own result, or undefined
 * if there are none.
 */
export function linkedAnswersOf({ messages, modelAnswers = [] }: StepRecord): readonly LinkedAnswer[] | undefined {
  const linked = modelAnswers.flatMap(({ at, linkedResultId }): LinkedAnswer[] => {
    const message = messages[at];
    return message && linkedResultId !== undefined ? [[message.id, linkedResultId]] : [];
  });
  return linked.length > 0 ? linked : undefined;
}

/** Effects without external changes. A step that performs no other effects may be repeated. */
const harmless: ReadonlySet<Effect["kind"]> = new Set([
  "model",
  "transcript",
  "linkedFlow",
  "callbackAddress",
  "suggestion",
]);

/** Records whether the step has called models or other services. */
export function noteCall(
  { record }: { readonly record: Pick<StepRecord, "calls"> },
  { kind }: Pick<Effect, "kind">,
): void {
  if (!harmless.has(kind)) record.calls = "others";
  else if (kind === "model") record.calls ??= "models";
}

type DoneStep = Pick<Step, "reply"> & { readonly record: Pick<StepRecord, "answers" | "jobs" | "actions"> };

/**
 * Whether the visitor may request another answer to the reply. The caller checks that the step has called only models.
 */
export function mayTryAgain({ record, reply }: DoneStep, { general, answers }: Settings): boolean {
  if (!answers?.canTryAgain || !general?.isGoBackEnabled) return false;
  const isOfVisitor = reply?.type === "text" || reply?.type === "audio";
  return isOfVisitor && record.answers.length > 0 && record.jobs.length === 0 && record.actions.length === 0;
}

/**
 * Removes the parts of a JSON response that older clients do not support. Texts in the response cannot match because
 * their quotes are escaped.
 */
export function withoutAnswerMarks(response: string): string {
  return response.replaceAll(
    /,"isAnswer":true|,"unfinished":"(?:length|cut|filtered|stopped)"|,"canTryAgain":true/g,
    "",
  );
}
