import type { Clock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { OutageWatch } from "../database/outages/outage-watch.ts";
import { boundAnswers } from "../database/primary/answer-bound.ts";
import type { WriteWatch } from "../database/primary/write-watch.ts";
import type { Sql } from "../database/sql.ts";
import type { ClockWatch } from "./clock-watch.ts";
import { findDueWork, takeUpMissedJobs } from "./queue-tables.sql.ts";
import type { QueueName } from "./queues.ts";

/** How often a node checks whether there is work. Work that its own steps create wakes the loops at once. */
export const duePollMs = 1_500;
const maxPauseMs = 4_000;

type Wake = { wake(): void };

export type DuePollParts = {
  readonly sql: Sql;
  readonly outage: OutageWatch;
  readonly clock?: Clock;
  /** Called when the server accepts writes, so that it need not be asked. */
  readonly watch?: Pick<WriteWatch, "confirm">;
  /** Receives the database's clock at each turn. */
  readonly clockWatch: Pick<ClockWatch, "read" | "mend">;
  /** How long the poll waits for the answer. */
  readonly answerMs?: number;
  readonly relay: Wake;
  readonly events: Wake;
  /** A process that takes steps of chats. */
  readonly dueSteps: Wake;
  /** A process that holds connections to messengers. */
  readonly channels: Wake;
  /** The workers of each queue. */
  readonly workers: Readonly<Partial<Record<QueueName, Wake>>>;
};

/**
 * Wakes the relay, the delivery of events, the due steps, the connections to messengers and the workers when there is
 * work for them. These loops send no queries by themselves: an idle node runs one statement a turn. A loop that fails
 * after it was woken is woken again at the next turn. Jobs of processes that no longer send heartbeats are made
 * available.
 */
export function startDuePoll(parts: DuePollParts): PollLoop {
  const { sql, outage, clock, watch, clockWatch, relay, events, dueSteps, channels } = parts;
  const answered = boundAnswers(parts.answerMs);
  const workers = new Map<string, Wake>(Object.entries(parts.workers));
  return startPollLoop({
    everyMs: duePollMs,
    maxPauseMs,
    ...(clock && { clock }),
    onFailure: outage.failed,
    async run() {
      const due = await clockWatch.read(() => answered(findDueWork(sql, [...workers.keys()])));
      if (due.takesWrites) watch?.confirm();
      if (due.hasOutboxRows) relay.wake();
      if (due.hasEvents) events.wake();
      if (due.hasDueSteps) dueSteps.wake();
      if (due.hasFreeConnections) channels.wake();
      for (const queue of due.queues) workers.get(queue)?.wake();
      // At the next turn these jobs are due.
      if (due.hasMissedJobs) await answered(takeUpMissedJobs(sql, [...workers.keys()]));
      await clockWatch.mend();
    },
  });
}
