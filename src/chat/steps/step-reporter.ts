import type { Effect, Report, SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { ModelEffect } from "../../core/interpreter/program/model.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import type { StepUnderWay } from "./answers-under-way.ts";
import { firstAttempt } from "./told-step.ts";

/** A call that a step is about to make, and the messages before it, as JSON text. */
type Call = {
  readonly effect: Effect;
  readonly said: string | undefined;
  /** Bubbles behind those messages: of what was said before the call had to be made again. */
  readonly interrupted?: readonly SaidBubble[];
};

/** Tells what a run of a step says before its calls, and what models answer. */
export type StepTeller = {
  /** A call begins: gives what its hands need to tell of it. */
  begins(call: Call): Pick<EffectContext, "onText" | "stopped">;
  /** A call is not made, since it was made before. */
  repeats(call: Call, report: Report): void;
  /** What the answer that is under way has said. */
  answered(): string;
};

/** One for each run: what it tells again after another run is told anew. */
export function createStepTeller(step: StepUnderWay): StepTeller {
  const { told } = step;
  let attempt = firstAttempt();
  let stopping = new AbortController();
  /** Whether the rounds of this answer have said something. */
  let hasText = false;

  const begin = ({ effect, said: before, interrupted = [] }: Call): void => {
    const isModel = effect.kind === "model";
    const said = interrupted.length === 0 ? before : withMessages(before, interrupted);
    if (said !== undefined) told.say(said);
    if (isModel && !isFurtherRound(effect)) {
      const answering = new AbortController();
      stopping = answering;
      // It stays until another answer begins: whoever stops while a tool is called wants no further round.
      step.stopsBy(() => answering.abort());
      hasText = false;
      attempt++;
      if (effect.show !== undefined) told.answer({ attempt, blockId: effect.show, text: "" });
    }
    // Of a call that may be over at once nobody is told in a hurry.
    step.changed({ isUrgent: isModel && (step.isNew || (said !== undefined && said !== "[]")) });
  };
  /** Texts of several rounds are parted as they are in the answer. */
  const wordsOf = ({ show }: ModelEffect): ((words: string) => void) | undefined => {
    if (show === undefined) return undefined;
    let isFirst = true;
    return (words) => {
      told.add(isFirst && hasText ? `\n\n${words}` : words);
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
    answered: () => told.answering()?.text ?? "",
  };
}

function withMessages(said = "[]", more: readonly SaidBubble[]): string {
  const messages: unknown = JSON.parse(said);
  return JSON.stringify([...(Array.isArray(messages) ? messages : []), ...more]);
}

/** Whether a call goes on with an answer after the model's calls of tools. */
function isFurtherRound({ messages }: ModelEffect): boolean {
  return messages.at(-1)?.role === "tool";
}
