import type { Effect, Report, SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { ModelEffect } from "../../core/interpreter/program/model.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import type { StepUnderWay } from "./answers-under-way.ts";
import { firstAttempt } from "./step-progress.ts";

/** A call that a step is about to make, and the preceding messages, as JSON text. */
type Call = {
  readonly effect: Effect;
  readonly said: string | undefined;
  /**
   * Bubbles with the text of an interrupted attempt, which are shown after the preceding messages and before the
   * repeated call.
   */
  readonly interrupted?: readonly SaidBubble[];
};

/** Reports the messages that a run of a step shows before its calls, and the answers of models. */
export type StepReporter = {
  /**
   * Reports that a call starts. For the call of a model, returns the callback for the text of its answer and the signal
   * that stops the call.
   */
  begins(call: Call): Pick<EffectContext, "onText" | "stopped">;
  /** Reports that a call is skipped because an earlier run has made the call. */
  repeats(call: Call, report: Report): void;
  /** Returns the current answer's text so far. */
  answered(): string;
};

/**
 * Creates a reporter for one run of a step. A later run needs its own reporter and reports its answers under new
 * attempts.
 */
export function createStepReporter(step: StepUnderWay): StepReporter {
  const { progress } = step;
  let attempt = firstAttempt();
  let stopping = new AbortController();
  /** Whether earlier calls of this answer produced text. */
  let hasText = false;

  const begin = ({ effect, said: before, interrupted = [] }: Call): void => {
    const isModel = effect.kind === "model";
    const said = interrupted.length === 0 ? before : withMessages(before, interrupted);
    if (said !== undefined) progress.say(said);
    if (isModel && !isFurtherRound(effect)) {
      const answering = new AbortController();
      stopping = answering;
      // The stop remains valid until another answer starts. A visitor who stops the answer during a tool call does not
      // want further calls either.
      step.stopsBy(() => answering.abort());
      hasText = false;
      attempt++;
      if (effect.show !== undefined) progress.answer({ attempt, blockId: effect.show, text: "" });
    }
    // Other calls may end immediately, so they do not switch the response to a stream.
    step.changed({ isUrgent: isModel && (step.afterRevision === 0 || (said !== undefined && said !== "[]")) });
  };
  /** Separates the texts of several calls in the same way as the final answer. */
  const wordsOf = ({ show }: ModelEffect): ((words: string) => void) | undefined => {
    if (show === undefined) return undefined;
    let isFirst = true;
    return (words) => {
      progress.add(isFirst && hasText ? `\n\n${words}` : words);
      isFirst = false;
      hasText = true;
      step.changed({ isUrgent: true });
    };
  };
  return {
    begins(call) {
      begin(call);
      const { effect } = call;
      if (effect.kind !== "model") return {};
      const { signal } = stopping;
      const onText = wordsOf(effect);
      return { stopped: signal, ...(onText && { onText }) };
    },
    repeats(call, report) {
      begin(call);
      const { effect } = call;
      if (effect.kind === "model" && report.kind === "model" && "answer" in report && report.answer.text !== "") {
        wordsOf(effect)?.(report.answer.text);
      }
    },
    answered: () => progress.answering()?.text ?? "",
  };
}

function withMessages(said = "[]", more: readonly SaidBubble[]): string {
  const messages: unknown = JSON.parse(said);
  return JSON.stringify([...(Array.isArray(messages) ? messages : []), ...more]);
}

/** Whether a call continues an answer after the model called tools. */
function isFurtherRound({ messages }: ModelEffect): boolean {
  return messages.at(-1)?.role === "tool";
}
