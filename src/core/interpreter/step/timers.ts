import type { PreparedBlock } from "../program/block.ts";
import type { Timer } from "../program/state.ts";
import { produce, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** The change of a session's timer by a step. */
export type TimerChange = {
  /** The visit whose time no longer runs. */
  readonly ended?: string;
  /** The open timer, which an earlier step may have started. */
  readonly open?: Timer & {
    /** Its whole time in milliseconds, counted from the moment of the save; absent for a timer of an earlier step. */
    readonly inMs?: number;
  };
};

/**
 * Starts the time limit of a block that waits. If the block is asked again in the same visit, its time continues; an
 * event that leads to the block by an edge makes a new visit.
 */
export function startTimer(step: Step, block: PreparedBlock): void {
  const { id } = block.base;
  if (step.timer?.blockId === id && step.record.sameVisit === id) return;
  endTimer(step);
  const wish = block.timer?.(viewOf(step));
  if (wish?.log) produce(step, { logs: [wish.log] });
  if (!wish || wish.kind === "none") return;
  const due = askedAt(step.context) + Math.round(1_000 * wish.seconds);
  // At most one visit is open at the end of a step, so the step's seed names it.
  step.timer = { kind: wish.kind, visit: step.context.seed, blockId: id, due };
}

/** When the question of this step appears. */
export function askedAt({ askedAt: at, now }: Pick<Step["context"], "askedAt" | "now">): number {
  return at ?? now;
}

/**
 * The step has waited for an effect after its question, which its visitor does not see before the step ends: the
 * question has its full time.
 */
export function postponeTimer(step: Step, { askedAt: before }: { readonly askedAt: number }): void {
  const { timer, context } = step;
  if (timer?.visit === context.seed) step.timer = { ...timer, due: timer.due + askedAt(context) - before };
}

/** The waiting block continues: its next visit has a new time limit. */
export function endTimer(step: Step): void {
  const { timer } = step;
  step.timer = undefined;
  if (timer && timer.visit !== step.context.seed) step.record.endedVisit = timer.visit;
}

/** The change of the timer that the step's save writes. */
export function timerChangeOf(step: Step, { isEnded }: { isEnded: boolean }): TimerChange | undefined {
  if (isEnded) endTimer(step);
  const { timer, record, context } = step;
  const { endedVisit: ended } = record;
  if (!timer && ended === undefined) return undefined;
  const inMs = timer?.visit === context.seed ? timer.due - askedAt(context) : undefined;
  return {
    ...(ended !== undefined && { ended }),
    ...(timer && { open: { ...timer, ...(inMs !== undefined && { inMs }) } }),
  };
}
