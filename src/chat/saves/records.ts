import type { Job } from "../../core/interpreter/program/job.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SavedAnswer } from "../../core/interpreter/step/step.ts";
import type { TimerChange } from "../../core/interpreter/step/timers.ts";
import type { ResultToSave } from "../../core/tasks/messages.ts";
import type { Session } from "../reads/sessions.sql.ts";

/** A step ready to be saved. Its texts contain no U+0000: the API removes them on receipt. */
export type StepToSave = {
  readonly sessionId: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** The revision that the step read; the save writes the next one. */
  readonly revision: number;
  readonly stepId: string;
  readonly key: string | null;
  readonly requestHash: string;
  /** The visitor's reply, as JSON text; null without one. */
  readonly reply: string | null;
  readonly response: string;
  readonly state: string;
  readonly isEnded: boolean;
  readonly answers: readonly SavedAnswer[];
  readonly results: readonly ResultToSave[];
  readonly logs: readonly StepLog[];
  readonly jobs: readonly Job[];
  readonly visitedEdgeIds: readonly string[];
  readonly visitedBefore: number;
  /** Whether the session was read for this step, not cached: only a read detects lapsed claims. */
  readonly wasRead: boolean;
  /** Whether the bot's workspace had an endpoint when this step began. */
  readonly hasEventEndpoints: boolean;
  /** The state before the step, if its visitor may go back to it. */
  readonly stateBefore?: string | undefined;
  /** The recorded inputs of the step, as text (`core/replay/inputs.ts`). */
  readonly inputs?: string | undefined;
  /** The trace of the step as JSON text, if the session is traced. */
  readonly traceText?: string | undefined;
  /** Present only if a time limit begins, runs or ends. */
  readonly timer?: TimerChange | undefined;
  /** The row of `due_steps` that this step takes. */
  readonly dueId?: string | undefined;
  /** Makes calls that going back kept due immediately. */
  readonly wakesKeptCalls?: true | undefined;
  /** The contact of a messenger who owns the chat and is sent the step's messages. Absent on the web. */
  readonly contactId?: string | undefined;
  /** The version that the session moved to with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number } | undefined;
};

/** A session's first step, with the session itself. */
export type StartToSave = StepToSave &
  Pick<Session, "flowHash" | "publicationNumber" | "allowedOrigins" | "dialect" | "isAnonymous" | "previewedBy"> & {
    readonly lifetimeMinutes: number;
    /** The channel of the session's contact. */
    readonly channel?: string | undefined;
    /** The scope within which the idempotency key is unique: a bot, or the path of a preview. */
    readonly scope: string;
    /** The public id by which a start with a key named its bot; null for others. */
    readonly publicId: string | null;
    /** Identifies the claim that this start may hold on its key. */
    readonly seed: string;
    /** The public id under which the bot was cached; null when the bot was read for this start. */
    readonly cachedPublicId: string | null;
  };

/**
 * Whether a node may be connected that writes results without their writer: then no chat is known to be the only writer
 * of a result.
 */
export type Beside = { readonly isBesideOlder: boolean };
