import type { JobStatus, QueueJob, QueueJobJson } from "@bull-board/api/typings/app";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { isId } from "../../../platform/ids.ts";
import { pageOf } from "../../../platform/queue/board-adapter.ts";
import { BoardQueue, refusal } from "../../../platform/queue/board-queue.ts";
import { endPause } from "../event-deliveries.sql.ts";
import {
  type BoardDelivery,
  countDeliveries,
  type DeliveryState,
  endPauses,
  findDelivery,
  hurryDeliveries,
  listDeliveries,
  retryDeliveries,
} from "./board.sql.ts";

const states: readonly DeliveryState[] = ["waiting", "completed", "failed", "delayed"];
/** The number of deliveries that one statement changes. */
const batch = 1_000;

/**
 * Shows the deliveries of outbound events as jobs of Bull Board. They are not jobs of a queue (`dispatch.ts`), but
 * operators expect to find them next to mails. Deliveries can be retried and hurried. They cannot be added or removed,
 * because chats create events and an event is removed together with its result.
 */
export class EventBoardAdapter extends BoardQueue {
  readonly #sql: Sql;
  readonly #attempts: number;

  /** `attempts` is the maximum number of attempts for an event. */
  constructor(sql: Sql, attempts: number) {
    super(sql, "events", states);
    this.#sql = sql;
    this.#attempts = attempts;
  }

  protected countStates() {
    return countDeliveries(this.#sql);
  }

  async getJobs(wanted: JobStatus[], start?: number, end?: number): Promise<QueueJob[]> {
    const known = states.filter((state) => wanted.includes(state));
    if (known.length === 0) return [];
    const page = pageOf(start, end);
    const offset = Math.min(page.offset, limits.events.shownPending);
    const rows = await listDeliveries(this.#sql, { ...page, offset, states: known });
    return rows.map((row) => this.#job(row));
  }

  async getJob(id: string): Promise<QueueJob | undefined> {
    const row = isId(id) ? await findDelivery(this.#sql, id) : undefined;
    return row && this.#job(row);
  }

  async getJobLogs(id: string): Promise<string[]> {
    const row = isId(id) ? await findDelivery(this.#sql, id) : undefined;
    if (!row) throw new AppError("job.not_found");
    return linesOf(row);
  }

  /** Retries all failed deliveries whose endpoint is enabled. */
  async retryAll(): Promise<void> {
    while ((await retryDeliveries(this.#sql, { limit: batch })) === batch);
    await endPauses(this.#sql);
  }

  async promoteAll(): Promise<void> {
    while ((await hurryDeliveries(this.#sql, { limit: batch })) === batch);
    await endPauses(this.#sql);
  }

  async addJob(): Promise<QueueJob> {
    throw refusal("Only chats create events. To send a ping to an endpoint, use the API.");
  }

  empty(): Promise<void> {
    throw notRemoved();
  }

  obliterate(): Promise<void> {
    throw notRemoved();
  }

  clean(): Promise<void> {
    throw notRemoved();
  }

  setGlobalConcurrency(): Promise<void> {
    throw refusal("The endpoint sets the number of concurrent calls (maxConcurrency).");
  }

  #job(row: BoardDelivery): QueueJob {
    return {
      opts: {},
      toJSON: () => jobOf(row, this.#attempts),
      getState: async () => row.state,
      retry: async () => {
        requireEnabled(row);
        if ((await retryDeliveries(this.#sql, { limit: 1, id: row.id })) === 0)
          throw refusal("Only a failed delivery can be retried.");
        await endPause(this.#sql, row.endpointId);
      },
      promote: async () => {
        requireEnabled(row);
        if (row.state !== "delayed") throw refusal("Only a delayed delivery can be promoted.");
        await hurryDeliveries(this.#sql, { limit: batch, id: row.id });
        await endPause(this.#sql, row.endpointId);
      },
      remove: async () => {
        throw notRemoved();
      },
      updateData: async () => {
        throw refusal("The content of an event cannot be changed.");
      },
    };
  }
}

/**
 * Converts a delivery to Bull Board's format. The address and the receiver's responses are shown only in the
 * workspace's delivery log.
 */
function jobOf(row: BoardDelivery, attempts: number): QueueJobJson {
  const { id, type, endpointId, workspaceId, botId, resultId, createdAt, lastAttemptAt, nextAttemptAt, state } = row;
  const isOver = state === "completed" || state === "failed";
  return {
    id,
    name: type,
    progress: 0,
    attemptsMade: row.attempts,
    timestamp: createdAt.getTime(),
    processedOn: lastAttemptAt?.getTime() ?? null,
    finishedOn: isOver ? (lastAttemptAt ?? createdAt).getTime() : null,
    delay: state === "delayed" ? Math.max(0, nextAttemptAt.getTime() - createdAt.getTime()) : 0,
    failedReason: row.lastError ?? "",
    stacktrace: [],
    data: { workspaceId, endpointId, botId, resultId },
    returnvalue: state === "completed" ? { statusCode: row.lastStatusCode } : null,
    opts: { attempts, endpointIsEnabled: row.isEnabled },
  };
}

/** Returns the known stages of the event, oldest first. Only the last attempt is stored. */
function linesOf({
  createdAt,
  lastAttemptAt,
  nextAttemptAt,
  attempts,
  state,
  lastError,
  isEnabled,
}: BoardDelivery): string[] {
  const lines = [`${createdAt.toISOString()} Caused`];
  if (lastAttemptAt) {
    const outcome =
      lastError === null
        ? ": delivered"
        : `${state === "failed" ? " failed, no more retries" : " failed"}: ${lastError}`;
    lines.push(`${lastAttemptAt.toISOString()} Attempt ${attempts}${outcome}`);
  }
  if (state === "delayed") lines.push(`${nextAttemptAt.toISOString()} Will be tried`);
  if (!isEnabled) lines.push("Its endpoint is disabled");
  return lines;
}

function requireEnabled({ isEnabled }: BoardDelivery): void {
  if (!isEnabled) throw refusal("The endpoint is disabled, and gets no events until its workspace enables it.");
}

function notRemoved(): AppError {
  return refusal("Events are removed together with their results, and old events are removed automatically.");
}
