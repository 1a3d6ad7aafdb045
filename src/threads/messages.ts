import type { Dialect } from "../compatibility/dialect.ts";
import type { Effect, Report } from "../interpreter/effect.ts";
import type { Job } from "../interpreter/job.ts";
import type { StepLog } from "../interpreter/outcome.ts";
import type { StartOptions } from "../interpreter/start.ts";
import type { Reply } from "../interpreter/state.ts";
import type { ResultUpdate, SavedAnswer } from "../interpreter/step.ts";
import type { ContentFormat } from "../interpreter/view.ts";
import type { RefusalCode } from "../step-errors.ts";

/** Given to a thread at its start. On a shared one a step may only spend so much; the slow one gives way to all others. */
export type ThreadKind = "shared" | "slow";

/** Which flow version, whose. */
export type ProgramName = { readonly key: string; readonly botId: string };

/** A flow as it crosses the thread wall: as text, which is three times as fast as an object. */
export type ProgramText = ProgramName & { readonly flow: string };

/** One step to run. Everything is plain data; a worker holds nothing that could be lost with it. */
export type AdvanceTask = {
  /** The flow that the session began with. */
  readonly program: ProgramName;
  /** Flows that the thread said it does not have. */
  readonly programs: readonly ProgramText[];
  readonly context: {
    readonly now: number;
    readonly seed: string;
    readonly isLive: boolean;
    readonly contentFormat: ContentFormat;
  };
  readonly input: TaskInput;
  /** On a start: what its response carries beside the step. */
  readonly envelope?: StartEnvelope;
  /** The step is only shown: where it wants an effect, the answer also holds the response so far. */
  readonly isOnlyShown?: boolean;
};

export type TaskInput =
  | {
      readonly kind: "start";
      readonly resultId: string | null;
      readonly isStreamEnabled: boolean;
      readonly isOnlyRegistering: boolean;
      readonly reply: Reply | null;
      readonly options: StartOptions;
    }
  | { readonly kind: "reply"; readonly state: string; readonly reply: Reply | null }
  | { readonly kind: "report"; readonly continuation: string; readonly report: Report };

export type StartEnvelope = {
  readonly sessionId: string;
  readonly resultId: string | null;
  readonly botId: string;
  readonly publishedAt: string | null;
  readonly dialect: Dialect;
};

/** What a worker made of a task. Errors are data, because their class and code would not survive the wall. */
export type AdvanceAnswer =
  /** Some of these are not in the thread's cache. All are named, since the next visit may meet another thread. */
  | { readonly kind: "unknown_programs"; readonly names: readonly ProgramName[] }
  | {
      readonly kind: "performing";
      readonly effect: Effect;
      readonly continuation: string;
      /** The response of what was said so far, as JSON text; where the step is only shown. */
      readonly saidSoFar?: string;
    }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer_state"; readonly format: unknown }
  /** More than a step may spend there: it is run again elsewhere. */
  | { readonly kind: "tooLong" }
  | { readonly kind: "stepped"; readonly step: FinishedStep }
  /** A bug: the request fails with it. */
  | { readonly kind: "failed"; readonly name: string; readonly message: string; readonly stack: string };

/** An answer, and the processor time that it took its thread. */
export type TaskResult = { readonly answer: AdvanceAnswer; readonly busyMs: number };

/** What became of a result, its variables as JSON text: the thread has time to write it, and text crosses the wall fastest. */
export type ResultToSave = Omit<ResultUpdate, "variables"> & { readonly variables: string };

/** A step ready to be saved and answered. */
export type FinishedStep = {
  /** The session's new state; empty when the chat has ended. */
  readonly state: string;
  /** The whole response as JSON text. */
  readonly response: string;
  readonly isEnded: boolean;
  readonly answers: readonly SavedAnswer[];
  readonly results: readonly ResultToSave[];
  readonly logs: readonly StepLog[];
  readonly jobs: readonly Job[];
  readonly visitedEdgeIds: readonly string[];
  /** Number of edges visited before this step. */
  readonly visitedBefore: number;
};
