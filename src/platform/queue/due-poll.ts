import type { Clock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { OutageWatch } from "../database/outages/outage-watch.ts";
import { boundAnswers } from "../database/primary/answer-bound.ts";
import type { WriteWatch } from "../database/primary/write-watch.ts";
import type { Sql } from "../database/sql.ts";
import type { ClockWatch } from "./clock-watch.ts";
import { findDueWork, takeUpMissedJobs } from "./queue-tables.sql.ts";
import type { QueueName } from "./queues.ts";

/** The interval at which a node checks for work. Work from the node's own steps wakes the loops immediately. */
export const duePollMs = 1_500;
const maxPauseMs = 4_000;

type Wake = { wake(): void };

export type DuePollParts = {
  readonly sql: Sql;
  readonly outage: OutageWatch;
  readonly clock?: Clock;
  /** Notified when the server accepts writes, so that the server is not probed again. */
  readonly watch?: Pick<WriteWatch, "confirm">;
  /** Reads the database's clock in each turn. */
  readonly clockWatch: Pick<ClockWatch, "read" | "mend">;
  /** The time limit for the database's response. */
  readonly answerMs?: number;
  readonly relay: Wake;
  readonly events: Wake;
  /** The loop that runs due steps of chats. */
  readonly dueSteps: Wake;
  /** The loop that holds connections to messengers. */
  readonly channels: Wake;
  readonly workers: Readonly<Partial<Record<QueueName, Wake>>>;
};

/**
 * Wakes the relay, the delivery of events, the due steps, the connections to messengers and the workers when there is
 * work. These loops do not poll, so an idle node runs one statement per turn. A loop that fails is woken again in the
 * next turn. Jobs of processes that no longer send heartbeats become available again.
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
      // The released jobs are due in the next turn.
      if (due.hasMissedJobs) await answered(takeUpMissedJobs(sql, [...workers.keys()]));
      await clockWatch.mend();
    },
  });
}
