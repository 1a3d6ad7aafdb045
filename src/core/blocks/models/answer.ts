import { noAnswer, textMessage } from "../../interpreter/evaluation/text-content.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { ModelAnswer } from "../../interpreter/program/model.ts";
import { type Outcome, type StepLog, unfinishedReasons } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { blockBehind } from "../../interpreter/step/walk.ts";
import type { Reported } from "../action.ts";
import { answerBubble } from "./answer-bubble.ts";
import { failureLog, goOn, info } from "./call.ts";
import { nextRound } from "./rounds.ts";
import { streamed } from "./stream.ts";
import type { Tool } from "./tools.ts";

type Answering = Reported & {
  readonly tools: readonly Tool[];
  readonly context: string;
  readonly rounds: number;
  /** The variable in which the answer's text is stored, if any. */
  readonly variableId: string | undefined;
  answered(answer: ModelAnswer, logs: readonly StepLog[]): Outcome;
  /** Overrides the default log entry for a failure. */
  readonly failureLog?: typeof failureLog;
};

/**
 * Returns the outcome after a model call. This outcome may request a further call. Text that was streamed before a
 * process died precedes the new text.
 */
export function afterRound(block: BlockBase, view: View, answering: Answering): Outcome {
  const outcome = afterCall(block, view, answering);
  const { report } = answering;
  const interrupted = report.kind === "model" ? (report.interrupted ?? []) : [];
  if (interrupted.length === 0) return outcome;
  const messages = [...interrupted, ...(outcome.messages ?? [])];
  return { ...outcome, messages, ...(outcome.failed && { failed: { messages: interrupted } }) };
}

function afterCall(block: BlockBase, view: View, answering: Answering): Outcome {
  const { context, variableId, answered } = answering;
  const logOf = answering.failureLog ?? failureLog;
  const round = nextRound(view, answering);
  switch (round.kind) {
    case "goes on":
      return round.outcome;
    case "refused":
      return skipped(withoutAnswer(block, variableId, { view, logs: [info(round.reason, context)] }));
    case "failed":
      return withoutAnswer(block, variableId, { view, logs: [...round.logs, logOf(block, round.failure, context)] });
    case "answered": {
      const { answer, failure, logs } = round;
      const ending = failure ? logOf(block, failure, context) : endingLog(answer, context);
      const outcome = answered(answer, ending ? [...logs, ending] : logs);
      const bubble = answerBubble(block, variableId, view);
      const exact = exactAnswer(outcome, variableId, view);
      const whole = { ...exact, ...streamed(answer.text, bubble, view), ...(bubble && { answer: endOf(answer) }) };
      if (!answer.failure) return whole;
      // The failure edge skips the bubble in which the visitor has already read this text, so the text is sent as a
      // message.
      const said = bubble?.isExact ? [textMessage(bubble.id, answer.text, view.contentFormat)] : [];
      return { ...whole, failed: { messages: said } };
    }
    default:
      return round satisfies never;
  }
}

/**
 * Marks the write of the answer variable as exact if the variable is rendered as an answer. Without this mark, the
 * backslashes of a formula would be doubled.
 */
function exactAnswer(outcome: Outcome, variableId: string | undefined, view: View): Outcome {
  if (variableId === undefined || !outcome.writes || !view.isAnswerVariable(variableId)) return outcome;
  const writes = outcome.writes.map((write) =>
    write.variableId === variableId ? { ...write, isExact: true as const } : write,
  );
  return { ...outcome, writes };
}

/**
 * Returns the outcome for a call without an answer. A bubble must not present an earlier answer as the current one, so
 * the visitor is shown a sentence instead. The sentence is also shown if the next block displays nothing, for example a
 * condition. Otherwise the visitor would wait for an answer that never arrives.
 */
export function withoutAnswer(
  block: BlockBase,
  variableId: string | undefined,
  { view, logs }: { view: View; logs: readonly StepLog[] },
): Outcome {
  const bubble = answerBubble(block, variableId, view);
  const writes = variableId === undefined ? [] : [{ variableId, value: null }];
  const outcome: Outcome = { ...goOn(block, { writes, logs }), failed: {} };
  const { text, messages } = noAnswer(block.id, view);
  if (!bubble) {
    const next = variableId === undefined ? undefined : blockBehind(view.program, block);
    return next && !view.isShown(next.type) ? { ...outcome, messages } : outcome;
  }
  return { ...outcome, messages, passedOver: bubble.id, ...streamed(text, bubble, view) };
}

/**
 * Removes the failure from an outcome. An effect that the session is not allowed to perform, for example in a preview
 * without a token, does not count as a failed call.
 */
function skipped({ failed: _, ...outcome }: Outcome): Outcome {
  return outcome;
}

export function tooLargeTool(name: string, context: string): StepLog {
  return info(
    `The tool ${name} is not available to the model, because there are too many tools, or it is too large`,
    context,
  );
}

function endOf({ ended }: ModelAnswer): NonNullable<Outcome["answer"]> {
  const unfinished = unfinishedReasons.find((reason) => reason === ended);
  return unfinished ? { unfinished } : {};
}

function endingLog({ ended }: ModelAnswer, context: string): StepLog | undefined {
  switch (ended) {
    case "stop":
      return undefined;
    case "length":
      return info("The answer ends early, because it reached its maximum length", context);
    case "cut":
      return info("The answer ends early, because its provider cut it off", context);
    case "stopped":
      return info("The answer ends early, because the visitor stopped it", context);
    case "tools":
      return info(
        "The model called more tools instead of answering, so its text before these calls is the answer",
        context,
      );
    case "filtered":
      return { description: "The provider withheld a part of the answer", context };
    default:
      return ended satisfies never;
  }
}
