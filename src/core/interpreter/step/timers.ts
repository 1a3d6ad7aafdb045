import type { PreparedBlock } from "../program/block.ts";
import type { Timer } from "../program/state.ts";
import { produce, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** The change that a step makes to its session's timer. */
export type TimerChange = {
  /** The visit whose time limit no longer applies. */
  readonly ended?: string;
  /** The active timer, which may have been started by an earlier step. */
  readonly open?: Timer & {
    /** The time limit in milliseconds, counted from when the step is saved. Absent for a timer of an earlier step. */
    readonly inMs?: number;
  };
};

/**
 * Starts the time limit of a waiting block. If the block is shown again in the same visit, the time limit continues.
 */
export function startTimer(step: Step, block: PreparedBlock): void {
  const { id } = block.base;
  if (step.timer?.blockId === id && step.record.sameVisit === id) return;
  endTimer(step);
  const wish = block.timer?.(viewOf(step));
  if (wish?.log) produce(step, { logs: [wish.log] });
  if (!wish || wish.kind === "none") return;
  const due = askedAt(step.context) + Math.round(1_000 * wish.seconds);
  // At most one visit is open at the end of a step, so the step's seed identifies the visit.
  step.timer = { kind: wish.kind, visit: step.context.seed, blockId: id, due };
}

export function askedAt({ askedAt: at, now }: Pick<Step["context"], "askedAt" | "now">): number {
  return at ?? now;
}

/**
 * Extends the timer by the time that the step waited for an effect after its input. The visitor sees the input only
 * when the step ends, so the input has its full time limit.
 */
export function postponeTimer(step: Step, { askedAt: before }: { readonly askedAt: number }): void {
  const { timer, context } = step;
  if (timer?.visit === context.seed) step.timer = { ...timer, due: timer.due + askedAt(context) - before };
}

/** Ends the timer because the waiting block continues. The block's next visit has a new time limit. */
export function endTimer(step: Step): void {
  const { timer } = step;
  step.timer = undefined;
  if (timer && timer.visit !== step.context.seed) step.record.endedVisit = timer.visit;
}

/** Returns the timer to save with the step. Returns undefined if no timer is active and no timer has ended. */
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
