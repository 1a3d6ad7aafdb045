import type { Job } from "../../core/interpreter/program/job.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SavedAnswer } from "../../core/interpreter/step/step.ts";
import type { TimerChange } from "../../core/interpreter/step/timers.ts";
import type { ResultToSave } from "../../core/tasks/messages.ts";
import type { Session } from "../reads/sessions.sql.ts";

/** A step that is ready to be saved. Its texts contain no U+0000, because the API removes this character on receipt. */
export type StepToSave = {
  readonly sessionId: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** The revision that the step read. The save writes the next revision. */
  readonly revision: number;
  readonly stepId: string;
  readonly key: string | null;
  readonly requestHash: string;
  /** The visitor's reply, as JSON text; null without a reply. */
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
  /** Whether the session was read for this step, not taken from the cache. Only a read detects expired claims. */
  readonly wasRead: boolean;
  /** Whether the bot's workspace had an event endpoint when this step started. */
  readonly hasEventEndpoints: boolean;
  /** The state before the step, if its visitor may go back to that state. */
  readonly stateBefore?: string | undefined;
  /** The recorded inputs of the step, as text (`core/replay/inputs.ts`). */
  readonly inputs?: string | undefined;
  /** The trace of the step as JSON text, if the session is traced. */
  readonly traceText?: string | undefined;
  /** Present only if a time limit starts, continues or ends. */
  readonly timer?: TimerChange | undefined;
  /** The row of `due_steps` that caused this step. */
  readonly dueId?: string | undefined;
  /** Whether calls that `goBack` has kept become due immediately. */
  readonly wakesKeptCalls?: true | undefined;
  /** The messenger contact who owns the chat and receives the step's messages. Absent on the web. */
  readonly contactId?: string | undefined;
  /** The version to which the session moved with this step. */
  readonly moved?: { readonly flowHash: string; readonly number: number } | undefined;
};

/** A session's first step, and the session itself. */
export type StartToSave = StepToSave &
  Pick<Session, "flowHash" | "publicationNumber" | "allowedOrigins" | "dialect" | "isAnonymous" | "previewedBy"> & {
    readonly lifetimeMinutes: number;
    /** The channel of the session's contact. */
    readonly channel?: string | undefined;
    /** The scope within which the idempotency key must be unique: a bot, or the previews under a bot id. */
    readonly scope: string;
    /** The public id by which a start with a key named its bot; null for other starts. */
    readonly publicId: string | null;
    /** The public id under which the bot was cached; null if the bot was read for this start. */
    readonly cachedPublicId: string | null;
  };

/**
 * Whether a node of an earlier release may be connected. Such a node does not store the writer of a result, so no chat
 * can then be assumed to be the only writer.
 */
export type Beside = { readonly isBesideOlder: boolean };
