import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { OnBatch } from "../../platform/concurrency/batcher.ts";
import { currentRequest } from "../../platform/observing/current-request.ts";
import { Registry } from "../../platform/observing/prometheus.ts";
import { createCounter, createHistogram } from "../../platform/observing/tallies.ts";
import type { StepPlace } from "../threads/threads.ts";

/**
 * The phases of a step: waiting for its turn in the session, reading, running inline or on a thread, performing
 * effects, and saving.
 */
export type StepPhase = "turn" | "read" | "run" | "effect" | "save";

/** Attributes of a phase, which may be filled in until the phase ends. */
export type PhaseFacts = Record<string, string>;

/** The outcome of a step. `again`: the session had changed before the save, and the step was restarted. */
export type StepOutcome = "saved" | "replayed" | "refused" | "failed" | "again";

/** Counts and times the steps of this process, for `/metrics`. */
export type StepWatch = {
  readonly registry: Registry;
  /** Records a phase that started at `startedAt` and ends now. */
  passed(phase: StepPhase, startedAt: number, facts?: PhaseFacts): void;
  /** Records a phase that ends when the work, or its promise, ends. */
  during<Result>(phase: StepPhase, work: () => Promise<Result>, facts?: PhaseFacts): Promise<Result>;
  ended(outcome: StepOutcome): void;
  ran(place: StepPlace, outcome: string): void;
  performed(effect: Effect["kind"], report: Report["kind"]): void;
  claimed(isOurs: boolean): void;
  /** Records a statement that reads or saves several steps. */
  readonly batched: OnBatch;
};

const secondsUpTo10 = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createStepWatch(): StepWatch {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, labelNames: string[], help: string) =>
    createCounter({ name, help, labelNames, registers });
  const histogram = (name: string, labelNames: string[], buckets: number[], help: string) =>
    createHistogram({ name, help, labelNames, buckets, registers });
  const ends = counter("parley_step_outcomes_total", ["outcome"], "Steps, by outcome.");
  const runs = counter(
    "parley_step_runs_total",
    ["place", "outcome"],
    "Runs of the interpreter, by process and outcome. A step with effects has several runs.",
  );
  const seconds = histogram("parley_step_phase_seconds", ["phase"], secondsUpTo10, "Time of steps, by phase.");
  const effects = counter(
    "parley_effects_total",
    ["kind", "report"],
    "Effects that steps waited for, by kind and by kind of report.",
  );
  const claims = counter(
    "parley_claims_total",
    ["outcome"],
    "Claims on steps before their effects: acquired, or lost to another process.",
  );
  const rows = histogram(
    "parley_batch_rows",
    ["of"],
    [1, 2, 4, 8, 16, 32],
    "Rows in one batched SQL statement of chats.",
  );
  const batchSeconds = histogram(
    "parley_batch_seconds",
    ["of"],
    secondsUpTo10,
    "Duration of one batched SQL statement of chats, including the wait for a connection.",
  );
  const passed = (phase: StepPhase, startedAt: number, facts?: PhaseFacts): void => {
    const endedAt = performance.now();
    seconds.at(phase).observe((endedAt - startedAt) / 1_000);
    currentRequest()?.spans?.push({ name: phase, startedAt, endedAt, ...(facts && { facts }) });
  };
  return {
    registry,
    passed,
    async during(phase, work, facts) {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        passed(phase, startedAt, facts);
      }
    },
    ended: (outcome) => ends.at(outcome).add(),
    ran: (place, outcome) => runs.at(place, outcome).add(),
    performed: (kind, report) => effects.at(kind, report).add(),
    claimed: (isOurs) => claims.at(isOurs ? "taken" : "lost").add(),
    batched(of, { rows: count, ms }) {
      rows.at(of).observe(count);
      batchSeconds.at(of).observe(ms / 1_000);
    },
  };
}
