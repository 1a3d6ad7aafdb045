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

/** A thread's `workerData`. On a shared thread steps have a quota; a slow thread has a lower priority. */
export type ThreadKind = "shared" | "slow";

/** Identifies a flow version, and its bot. */
export type ProgramName = { readonly key: string; readonly botId: string };

/** A flow as JSON text, which is transferred to a thread three times as fast as an object. */
export type ProgramText = ProgramName & { readonly flow: string };

/** A step to run, as plain data: if a thread dies, no data is lost. */
export type AdvanceTask = {
  /** The flow that the session began with. */
  readonly program: ProgramName;
  /** Flows that a thread answered `unknown_programs` for. */
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
  /** Only on a start. */
  readonly envelope?: StartEnvelope;
  /** The step is only displayed: if it requires an effect, the answer contains the response so far. */
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
      /** The state that the visitor leaves. Absent: the state is unknown. */
      readonly left?: string;
      readonly input: InputMessage | null;
      /** Further fields of the response: how many steps are undone, and the reply that they began with. */
      readonly takenBack: { readonly steps: number; readonly reply: unknown };
    }
  | {
      readonly kind: "setVariables";
      readonly state: string;
      readonly input: InputMessage | null;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** The fields that the response of a start has beside those of a step. */
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

/** The outcome of a task. Errors are data: the transfer from the thread would lose their class and code. */
export type AdvanceAnswer =
  /**
   * The thread has not cached some of these flows. It names all that the task needs, since another thread may get the
   * task next.
   */
  | { readonly kind: "unknown_programs"; readonly names: readonly ProgramName[] }
  | {
      readonly kind: "performing";
      readonly effect: Effect;
      /** The block that requested the effect. */
      readonly blockId: string;
      /** The result of the running linked bot, if it is not the chat's own. */
      readonly linkedResultId?: string;
      readonly continuation: string;
      /** The messages so far, as JSON text, where the effect takes time. */
      readonly said?: string;
      /** The response so far, as JSON text, where `isOnlyShown`. */
      readonly saidSoFar?: string;
    }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer_state"; readonly format: unknown }
  /** The step exceeds its quota, and has to run elsewhere. */
  | { readonly kind: "tooLong" }
  | { readonly kind: "stepped"; readonly step: FinishedStep }
  /** A bug: the request fails with it. */
  | { readonly kind: "failed"; readonly name: string; readonly message: string; readonly stack: string };

/** Test conversations to hold with a flow, each as JSON text. The answer is also a JSON text. */
export type ProveTask = { readonly flow: string; readonly conversations: string };

/**
 * Chats to replay, as JSON text (`core/replay/replay-page.ts`), with their steps separately, as the database wrote
 * them. The answer is also a JSON text.
 */
export type ReplayTask = { readonly page: string; readonly steps: string };

/** A large body of a request. The answer is a text (`core/documents/incoming-body.ts`). */
export type BodyTask = { readonly body: Uint8Array<ArrayBuffer> };

/** A large flow as JSON text, for its address. The answer is the address, in hex. */
export type AddressTask = { readonly addressed: string };

/** An answer, and the processor time that it took. */
export type TaskResult = { readonly answer: AdvanceAnswer; readonly busyMs: number };

/** A result with its variables as JSON texts. The thread writes them, since the main thread has less time. */
export type ResultToSave = Omit<ResultUpdate, "variables" | "inStep"> & {
  readonly variables: string;
  readonly inStep?: string;
  /** For a step that goes back: the step's changes to the chat's own result, if known. */
  readonly changes?: string;
};

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
  /** How many edges the session visited before this step. */
  readonly visitedBefore: number;
  /** The step took an answer to which its visitor may return. */
  readonly keepsStateBefore?: true | undefined;
  /** Only if a time limit begins, runs or ends. */
  readonly timer?: TimerChange | undefined;
  /** The chat waits for an external call, and a call kept from before the visitor went back may be for it. */
  readonly wakesKeptCalls?: true | undefined;
  /** The step's moves (`StepTrace`), if the session is traced. */
  readonly trace?: StepTrace | undefined;
  readonly linkedAnswers?: readonly LinkedAnswer[] | undefined;
};
