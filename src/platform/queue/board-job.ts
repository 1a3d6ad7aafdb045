import type { QueueJobJson } from "@bull-board/api/typings/app";
import type { JobLogRow } from "./job-logs.sql.ts";

/** The states in which the board lists jobs. */
export const boardStates = ["active", "waiting", "completed", "failed", "delayed"] as const;
export type BoardState = (typeof boardStates)[number];

/** A job row of pg-boss. */
export type JobRow = {
  readonly id: string;
  readonly queue: string;
  /** The state as defined by pg-boss. */
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  /**
   * The state as defined by the board. A dead letter or a cancelled job is shown as failed, and a job that is scheduled
   * for later is shown as delayed.
   */
  readonly boardState: BoardState;
  readonly data: unknown;
  readonly output: unknown;
  readonly priority: number;
  readonly retryLimit: number;
  readonly retryCount: number;
  readonly retryDelay: number;
  readonly retryBackoff: boolean;
  readonly expireSeconds: number;
  readonly singletonKey: string | null;
  readonly deadLetter: string | null;
  readonly startAfter: Date;
  readonly createdOn: Date;
  readonly startedOn: Date | null;
  readonly completedOn: Date | null;
  /** For a dead letter, the queue and the id of the failed job. */
  readonly sourceName: string | null;
  readonly sourceId: string | null;
  readonly sourceCreatedOn: Date | null;
  readonly sourceRetryCount: number | null;
  readonly sourceOutput: unknown;
};

/** Converts a job to Bull Board's format. The number of attempts includes the current attempt. */
export function boardJob(row: JobRow): QueueJobJson {
  const failure = failureOf(row);
  const finishedOn = row.completedOn ?? (row.sourceId === null ? null : row.createdOn);
  // Bull Board displays a missing start time as 1970.
  const startedOn = row.startedOn ?? finishedOn;
  return {
    id: row.id,
    name: row.sourceName ?? row.queue,
    progress: 0,
    attemptsMade: attemptsOf(row),
    timestamp: (row.sourceCreatedOn ?? row.createdOn).getTime(),
    processedOn: startedOn?.getTime() ?? null,
    finishedOn: finishedOn?.getTime() ?? null,
    delay: row.boardState === "delayed" ? Math.max(0, row.startAfter.getTime() - row.createdOn.getTime()) : 0,
    failedReason: failure?.reason ?? "",
    stacktrace: failure?.stack === undefined ? [] : [failure.stack],
    data: row.data,
    returnvalue: row.state === "completed" ? row.output : null,
    opts: {
      attempts: row.retryLimit + 1,
      backoff: { type: row.retryBackoff ? "exponential" : "fixed", delaySeconds: row.retryDelay },
      timeoutSeconds: row.expireSeconds,
      startAfter: row.startAfter.toISOString(),
      ...(row.priority !== 0 && { priority: row.priority }),
      ...(row.singletonKey !== null && { key: row.singletonKey }),
      ...(row.deadLetter !== null && { deadLetterQueue: row.deadLetter }),
      ...(row.sourceId !== null && { failedJob: { queue: row.sourceName, id: row.sourceId } }),
    },
  };
}

/**
 * Returns the history of the job from the queue's row and the job's log, with one line per event, from oldest to
 * newest.
 */
export function boardLogs(row: JobRow, notes: readonly JobLogRow[]): string[] {
  const events: { at: Date; line: string }[] = [];
  const note = (at: Date | null, line: string) => at && events.push({ at, line });
  note(
    row.createdOn,
    row.sourceId === null ? "Created" : `Failed permanently in ${row.sourceName} as job ${row.sourceId}`,
  );
  note(row.startedOn, `Attempt ${attemptsOf(row)} of ${row.retryLimit + 1} started`);
  events.push(...notes);
  // A worker logs how its attempt ended. Other endings are only visible in the outcome of the row.
  const { startedOn } = row;
  const isNoted = startedOn !== null && notes.some(({ at }) => at >= startedOn);
  if (!isNoted || row.state === "cancelled") note(row.completedOn, ending(row));
  if (row.boardState === "delayed") note(row.startAfter, "Will be tried");
  return events
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, line }) => `${at.toISOString()} ${line}`);
}

function ending(row: JobRow): string {
  if (row.state === "completed") return "Completed";
  if (row.state === "cancelled") return "Cancelled";
  return `Failed permanently: ${failureOf(row)?.reason ?? "failed"}`;
}

function attemptsOf(row: JobRow): number {
  if (row.sourceRetryCount !== null && row.startedOn === null) return row.sourceRetryCount + 1;
  return row.startedOn === null ? 0 : row.retryCount + 1;
}

/** Returns the reason why the last attempt failed, even if another attempt follows. */
function failureOf(row: JobRow): { reason: string; stack?: string } | undefined {
  if (row.state === "cancelled") return { reason: "Cancelled" };
  if (row.state === "completed" || row.state === "active") return undefined;
  return describe(row.output ?? row.sourceOutput);
}

/**
 * Returns the reason of a failure and its stack, or undefined without an output. pg-boss stores errors as objects with
 * a name, a message and a stack. Other thrown values are stored under `value`.
 */
function describe(output: unknown): { reason: string; stack?: string } | undefined {
  if (output === null || output === undefined) return undefined;
  if (typeof output !== "object") return { reason: String(output) };
  const fields = new Map<string, unknown>(Object.entries(output));
  const message = fields.get("message") ?? fields.get("value");
  const stack = fields.get("stack");
  return {
    reason: typeof message === "string" && message !== "" ? message : JSON.stringify(output),
    ...(typeof stack === "string" && { stack }),
  };
}
