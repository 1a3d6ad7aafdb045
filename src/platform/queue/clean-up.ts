import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { PgBoss } from "pg-boss";
import { limits } from "../../limits/index.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Handler } from "./workers.ts";

/** A pause after a batch is as long as the batch took, but no longer than this. */
const usual = { restsPerBatch: 1, maxRestMs: 1_000, runMs: limits.cleanUp.runMs };
/**
 * For a patient task: at most a twelfth of one connection, which visitors do not notice. With pauses as short as those
 * of other tasks, visitors at half of the greatest rate waited seconds for their answers, since the counting of their
 * results took the other half (`npm run soak`).
 */
const patient = { restsPerBatch: 11, maxRestMs: 10_000, runMs: limits.cleanUp.patientRunMs };

/** A scheduled task that processes rows in small batches, once in the cluster: most tasks remove rows. */
export type CleanUp = {
  /** Identifies the task in every release: letters, digits and hyphens. */
  readonly name: string;
  /** The times at which the task runs, in UTC: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** The verb in the message of the task's job; absent: "Removed". */
  readonly did?: string;
  /** The task has much work while there are many visitors, and may wait until there are fewer. */
  readonly isPatient?: boolean;
  /** Processes one batch and returns its size; 0 means that nothing is left. An empty batch is cheap. */
  removeSome(): Promise<number>;
};

/** The job of a task. */
export const CleanUpJob = Type.Object({ task: Type.String() });
export type CleanUpJob = Static<typeof CleanUpJob>;

/**
 * Does nothing while the database's clock may be ahead: removals could not be undone. The next run of the task checks
 * this again. Otherwise runs a task batch by batch until nothing is left, its time is over or the process stops: the
 * next run continues. Between batches the task pauses as long as the last batch took, so that chats keep at least half
 * of the database; a patient task pauses longer.
 */
export function cleanUp(tasks: readonly CleanUp[], clockWatch: Pick<ClockWatch, "isAhead">): Handler {
  const taskOf = new Map(tasks.map((task) => [task.name, task]));
  return async ({ data, signal }) => {
    const { task: name } = Value.Parse(CleanUpJob, data);
    const task = taskOf.get(name);
    // Another node may run another release, with more tasks or fewer.
    if (!task) return { kind: "done", message: `There is no task "${name}" in this release` };
    if (clockWatch.isAhead())
      return { kind: "done", message: "Nothing is removed: the database's clock has stepped forward" };
    const { did = "Removed", isPatient = false } = task;
    const { restsPerBatch, maxRestMs, runMs } = isPatient ? patient : usual;
    const deadline = performance.now() + runMs;
    let count = 0;
    while (!signal.aborted && performance.now() < deadline) {
      const begun = performance.now();
      const removed = await task.removeSome();
      if (removed === 0) return { kind: "done", message: `${did} ${count}` };
      count += removed;
      await Bun.sleep(Math.min(restsPerBatch * (performance.now() - begun), maxRestMs));
    }
    return { kind: "done", message: `${did} ${count}, and the next run continues` };
  };
}

/**
 * Schedules a job for each task, once in the cluster, and removes the schedules of earlier releases. One run replaces
 * all runs that were due while no node was running; a task whose job still waits or runs gets no second one.
 */
export async function scheduleCleanUps(boss: PgBoss, tasks: readonly CleanUp[]): Promise<void> {
  const present = new Map((await boss.getSchedules("clean-up")).map((schedule) => [schedule.key, schedule]));
  for (const { name, cron } of tasks) {
    const isCurrent = present.get(name)?.cron === cron;
    present.delete(name);
    if (isCurrent) continue;
    const data: CleanUpJob = { task: name };
    await boss.schedule("clean-up", cron, data, { key: name, singletonKey: name, tz: "UTC", missed: "once" });
  }
  for (const key of present.keys()) await boss.unschedule("clean-up", key);
}
