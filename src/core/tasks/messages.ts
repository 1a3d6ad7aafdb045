import type { Dialect } from "../flow/dialect.ts";
import type { ChatContact } from "../interpreter/program/contact.ts";
import type { Effect, Report } from "../interpreter/program/effect.ts";
import type { Job } from "../interpreter/program/job.ts";
import type { InputMessage, StepLog } from "../interpreter/program/outcome.ts";
import type { Sender, StepReply } from "../interpreter/program/state.ts";
import type { StepTrace } from "../interpreter/program/trace.ts";
import type { ContentFormat } from "../interpreter/program/view.ts";
import type { AdvanceInput } from "../interpreter/step/advance.ts";
import type { LinkedAnswer, ResultUpdate } from "../interpreter/step/result-update.ts";
import type { SavedAnswer } from "../interpreter/step/step.ts";
import type { TimerChange } from "../interpreter/step/timers.ts";
import type { RefusalCode } from "../interpreter/step-errors.ts";

/**
 * The `workerData` of a thread. Steps on a shared thread have a quota. On Linux, a slow thread has a lower priority.
 */
export type ThreadKind = "shared" | "slow";

/** Identifies a flow version and its bot. */
export type ProgramName = { readonly key: string; readonly botId: string };

/** A flow as JSON text, which is transferred to a thread three times as fast as an object. */
export type ProgramText = ProgramName & { readonly flow: string };

/** A step to run, as plain data, so that no data is lost if a thread dies. */
export type AdvanceTask = {
  /** The flow version that the session runs, without linked flows. */
  readonly program: ProgramName;
  /** The flows that a thread requested with `unknown_programs`. */
  readonly programs: readonly ProgramText[];
  readonly context: {
    readonly now: number;
    readonly askedAt?: number | undefined;
    readonly seed: string;
    readonly isLive: boolean;
    readonly contentFormat: ContentFormat;
    readonly readsGfm?: boolean;
    readonly contact?: ChatContact | undefined;
  };
  readonly input: TaskInput;
  /** Present only for a start. */
  readonly envelope?: StartEnvelope;
  /** Whether the step is only displayed. If the step requires an effect, the answer contains the response so far. */
  readonly isOnlyShown?: boolean;
};

export type TaskInput =
  | Extract<AdvanceInput, { kind: "start" }>
  | {
      readonly kind: "reply";
      readonly state: string;
      readonly reply: StepReply | null;
      readonly isStreamed?: true;
      readonly sender?: Sender;
    }
  | { readonly kind: "report"; readonly continuation: string; readonly report: Report }
  | {
      readonly kind: "goBack";
      readonly state: string;
      /** The state that the visitor leaves. Absent if the state is unknown. */
      readonly left?: string;
      readonly input: InputMessage | null;
      /**
       * Additional fields of the response: the number of undone steps, and the reply with which the undone steps began.
       */
      readonly takenBack: { readonly steps: number; readonly reply: unknown };
    }
  | {
      readonly kind: "setVariables";
      readonly state: string;
      readonly input: InputMessage | null;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** The fields that only the response of a start has, in addition to those of any step. */
export type StartEnvelope = {
  readonly sessionId: string;
  readonly resultId: string | null;
  readonly botId: string;
  readonly publishedAt: string | null;
  /** The bot's name, and the language of its texts if known. */
  readonly name?: string;
  readonly language?: string;
  readonly dialect: Dialect;
};

/**
 * The outcome of a task. Errors are returned as data, because an error loses its class and code when it is transferred
 * from the thread.
 */
export type AdvanceAnswer =
  /**
   * The thread has not cached some of the flows. The answer lists all flows of the task, because another thread may run
   * the task next.
   */
  | { readonly kind: "unknown_programs"; readonly names: readonly ProgramName[] }
  | {
      readonly kind: "performing";
      readonly effect: Effect;
      /** The block that requested the effect. */
      readonly blockId: string;
      /** The result of the running linked bot, if it is not the chat's own result. */
      readonly linkedResultId?: string;
      readonly continuation: string;
      /** The messages so far as JSON text, if the effect may take long. */
      readonly said?: string;
      /** The response so far as JSON text. Present only with `isOnlyShown`. */
      readonly saidSoFar?: string;
    }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer_state"; readonly format: unknown }
  /** The step exceeds its quota and must run elsewhere. */
  | { readonly kind: "tooLong" }
  | { readonly kind: "stepped"; readonly step: FinishedStep }
  /** An internal error that makes the request fail. */
  | { readonly kind: "failed"; readonly name: string; readonly message: string; readonly stack: string };

/** Test conversations to run with a flow, each as JSON text. The result is also JSON text. */
export type ProveTask = { readonly flow: string; readonly conversations: string };

/**
 * Chats to replay, as JSON text (`core/replay/replay-page.ts`). The steps of the chats are separate, in the form
 * generated by the database. The result is also JSON text.
 */
export type ReplayTask = { readonly page: string; readonly steps: string };

/** A large request body. The result is a text: see `core/documents/incoming-body.ts`. */
export type BodyTask = { readonly body: Uint8Array<ArrayBuffer> };

/** A large flow as JSON text. The result is its content address in hexadecimal. */
export type AddressTask = { readonly addressed: string };

/** The answer to a task and the processor time that the task took. */
export type TaskResult = { readonly answer: AdvanceAnswer; readonly busyMs: number };

/**
 * A result with its variables as JSON texts. The thread serialises the variables because the main thread has less time.
 */
export type ResultToSave = Omit<ResultUpdate, "variables" | "inStep"> & {
  readonly variables: string;
  readonly inStep?: string;
  /** For a step back: the changes to the variables of the chat's own result, if known. */
  readonly changes?: string;
};

/** A step that is ready to be saved and sent. */
export type FinishedStep = {
  /** The session's new state. Empty if the chat has ended and its state is not kept. */
  readonly state: string;
  /** The complete response as JSON text. */
  readonly response: string;
  readonly isEnded: boolean;
  readonly answers: readonly SavedAnswer[];
  readonly results: readonly ResultToSave[];
  readonly logs: readonly StepLog[];
  readonly jobs: readonly Job[];
  readonly visitedEdgeIds: readonly string[];
  /** The number of edges that the session visited before this step. */
  readonly visitedBefore: number;
  /** Whether the step accepted an answer to which the visitor may return. */
  readonly keepsStateBefore?: true | undefined;
  /** The change of the timer. Present only if a time limit starts, continues or ends. */
  readonly timer?: TimerChange | undefined;
  /**
   * Whether the chat waits for an external call that may already have been received and stored before the visitor went
   * back.
   */
  readonly wakesKeptCalls?: true | undefined;
  /** The step's moves (`StepTrace`), if the session is traced. */
  readonly trace?: StepTrace | undefined;
  readonly linkedAnswers?: readonly LinkedAnswer[] | undefined;
};
